// Hvers vegna ekki er hægt að gera eitthvað við skjal.
import type { REFUSALS as ENGLISH } from '../english/refusals.js';
import type { Translated } from '../table.js';

const STATES: Readonly<Record<string, string>> = {
  discovered: 'fundið',
  mapped: 'tilbúið',
  posting: 'á leið í bókhaldskerfið',
  posted: 'bókað',
  writing_back: 'í staðfestingu',
  acknowledged: 'staðfest',
  deferred: 'í bið',
  held: 'stöðvað',
  parked: 'lagt til hliðar',
  skipped: 'sleppt',
  rejected: 'hafnað',
  orphaned: 'munaðarlaust',
  reversed: 'bakfært',
};
export const stateName = (state: string) => STATES[state] ?? state;

export const REFUSALS = {
  DOES_NOT_EXIST: () => 'Það er ekki til.',
  SKIP_NOT_KNOWN: ({ what }, say) =>
    `Ekki er vitað hvort því var sleppt (${say(what)}). Líttu á það áður en þú sleppir því aftur.`,
  SKIP_NOT_TRIED: () => 'Ekki reynt, vegna þess sem gerðist með það á undan.',
  WORKED_ON: () => 'Verið er að vinna í því núna; reyndu aftur.',
  CHANGED_MEANWHILE: () => 'Það breyttist á meðan; líttu á það aftur.',
  NOT_FROM_HERE: ({ state }) => `Það er ${stateName(state)}, og þaðan er þetta ekki hægt.`,
  HELD: () => 'Rekstraraðili heldur því.',
  HELD_ALREADY: () => 'Því er þegar haldið.',
  NOT_HELD: () => 'Enginn rekstraraðili heldur því.',
  ON_ITS_WAY: () => 'Það er þegar á leiðinni.',
  IN_BOOKS: () => 'Það er í bókunum: bakfærðu það í staðinn.',
  IN_BOOKS_ALREADY: () => 'Það er þegar í bókunum samkvæmt skrám brúarinnar.',
  IN_BOOKS_AND_POSTED: () => 'Það er í bókunum og upprunakerfið segir Posted.',
  IN_BOOKS_BUT_DELETED: () => 'Það er í bókunum en var eytt í upprunanum.',
  REVERSAL_BEGUN: () =>
    'Bakfærsla þess var hafin og kann að vera í bókhaldskerfinu: bakfærðu það aftur; fyrst er leitað að þeirri fyrri.',
  NO_ENTRY: ({ state }) => `Það er ${stateName(state)}, án færslu sem mætti bakfæra.`,
  MAY_HAVE_REACHED_ERP: () =>
    'Það kann að hafa náð til bókhaldskerfisins: keyrðu það aftur svo að brúin komist að því.',
  FINDING_OUT: () => 'Brúin er enn að komast að því hvað varð um það; bíddu eða keyrðu það aftur.',
  ENTRY_NOT_KNOWN: ({ part }) =>
    `Ekki er vitað hvort bókhaldskerfið hefur ${part === 'settlement' ? 'greiðslufærslu' : 'færslu'} þess. Keyrðu það aftur, þá kemst brúin að því; hafir þú gáð og hún sé örugglega ekki þar, merktu í reitinn.`,
  SENT_TOO_RECENTLY: ({ minutes }) =>
    `Það var sent á síðustu ${minutes} mínútum, eða kann að hafa verið sent, svo að enginn getur verið viss enn. Reyndu aftur síðar.`,
  REVERSED: () => 'Færslan var bakfærð; að bóka aftur er ný bókun.',
  NOT_REVERSED: () => 'Aðeins það sem var bakfært er hægt að bóka aftur; bakfærðu það fyrst.',
  STATUS_BEING_WRITTEN: () => 'Verið er að skrifa stöðu þess í upprunanum; reyndu aftur eftir andartak.',
  MOVED_TO_NEW: () =>
    'Það var fært í New í upprunanum; það kemur aftur af sjálfsdáðum þegar það er samþykkt þar.',
  COST_STANDS_AS: ({ status }) =>
    `Það stendur sem ${status} í upprunanum: færðu það í New og láttu samþykkja það aftur.`,
  INVOICE_STANDS_AS: ({ status }) =>
    `Það stendur sem ${status} í upprunanum; reikningur losnar þaðan aðeins fyrir tilstilli þjónustunnar sjálfrar.`,
  PAYMENTS_FIRST: ({ payments }) =>
    `Greiðsla þess var bókuð á eftir því (${payments}): bakfærðu hana eða slepptu henni fyrst.`,
  RELEASES_FIRST: ({ releases }) =>
    `Losun á hluta þess er í gangi eða bíður (${releases}): reyndu aftur þegar hún er bókuð, eða slepptu henni fyrst.`,
  GOES_WITH_ITS_DAY: () =>
    'Það er á leið í bókhaldskerfið í færslu síns dags: sinntu henni, þá fylgir þetta með.',
  SUMMARY_AS_A_WHOLE: () =>
    'Dagbókarfærslu er hvorki sleppt né hún bakfærð í heilu lagi: gerðu það við skjöl hennar, hvert fyrir sig.',
  FOLLOWING_BY_HAND: () => 'Greiðslu eða losun sem var bókuð í höndunum er sleppt.',
  NOT_A_DECIDED_COST: () => 'Aðeins kostnað sem var sleppt eða hafnað er hægt að færa í New.',
} satisfies Translated<typeof ENGLISH>;
