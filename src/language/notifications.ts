// The words around news: subjects, headings, the daily summary. What happened itself is said by the conditions.
import type { Language } from './say.js';

export interface NotificationWords {
  readonly opened: (count: number) => string;
  readonly ended: (count: number) => string;
  readonly happened: (count: number) => string;
  readonly isOver: (title: string) => string;
  readonly nextStep: string;
  readonly more: (count: number) => string;
  readonly digest: (needsYou: number) => string;
  readonly figures: (posted: number, waiting: number, needsYou: number) => string;
  readonly stillOpen: string;
  readonly nothingOpen: string;
  readonly anchor: string;
  readonly anchorMore: string;
  readonly test: string;
  readonly testMore: (channel: string) => string;
}

const isOne = (count: number) => count % 10 === 1 && count % 100 !== 11;

export const NOTIFICATION_WORDS: Readonly<Record<Language, NotificationWords>> = {
  en: {
    opened: (count) => (count === 1 ? '1 thing needs a look' : `${count} things need a look`),
    ended: (count) => (count === 1 ? '1 is over' : `${count} are over`),
    happened: (count) =>
      count === 1 ? '1 change of accounts or tokens' : `${count} changes of accounts or tokens`,
    isOver: (title) => `Over: ${title}`,
    nextStep: 'Next step',
    more: (count) => `… and ${count} more on the dashboard.`,
    digest: (needsYou) =>
      needsYou === 0
        ? 'Daily summary: nothing needs you'
        : needsYou === 1
          ? 'Daily summary: 1 document needs you'
          : `Daily summary: ${needsYou} documents need you`,
    figures: (posted, waiting, needsYou) =>
      `${posted} posted today, ${waiting} waiting, ${needsYou} need a person`,
    stillOpen: 'Still open:',
    nothingOpen: 'No incident is open.',
    anchor: 'The audit as it is today',
    anchorMore:
      'Keep this message where nobody who can change the database can change it. To check the audit against it: ledgerbridge db verify --anchor FILE',
    test: 'A test message',
    testMore: (channel) => `Messages to ${channel} arrive. Nothing happened.`,
  },
  is: {
    opened: (count) => `${count} ${isOne(count) ? 'atriði' : 'atriði'} sem þarf að líta á`,
    ended: (count) => (isOne(count) ? `${count} er liðið hjá` : `${count} eru liðin hjá`),
    happened: (count) => `${count} ${isOne(count) ? 'breyting' : 'breytingar'} á aðgangi eða lyklum`,
    isOver: (title) => `Liðið hjá: ${title}`,
    nextStep: 'Næsta skref',
    more: (count) => `… og ${count} í viðbót á stjórnborðinu.`,
    digest: (needsYou) =>
      needsYou === 0
        ? 'Dagsyfirlit: ekkert bíður þín'
        : `Dagsyfirlit: ${needsYou} ${isOne(needsYou) ? 'skjal bíður' : 'skjöl bíða'} þín`,
    figures: (posted, waiting, needsYou) =>
      `${posted} bókuð í dag, ${waiting} í bið, ${needsYou} þurfa manneskju`,
    stillOpen: 'Enn opið:',
    nothingOpen: 'Ekkert atvik er opið.',
    anchor: 'Staða ferilskrárinnar í dag',
    anchorMore:
      'Geymið þessi skilaboð þar sem enginn sem getur breytt gagnagrunninum getur breytt þeim. Svona er ferilskráin borin saman við þau: ledgerbridge db verify --anchor SKRÁ',
    test: 'Prufuskilaboð',
    testMore: (channel) => `Skilaboð til ${channel} berast. Ekkert gerðist.`,
  },
};
