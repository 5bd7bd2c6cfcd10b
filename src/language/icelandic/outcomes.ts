// Það sem vitað er um færslu á leiðinni, umfram ástæðuna fyrir því að hún hvílir.
import type { OUTCOMES as ENGLISH } from '../english/outcomes.js';
import { answerQuoted } from '../answers.js';
import { stateName } from './refusals.js';
import type { Translated } from '../table.js';

const KINDS = {
  invoice: 'Reikningur',
  cost: 'Kostnaður',
  payment: 'Greiðsla reiknings',
  release: 'Losun',
  summary: 'Samantekt',
} as const;

export const OUTCOMES = {
  AS_SAID: ({ text }) => `„${text}“`,
  MAY_BE_FORGOTTEN: () =>
    'Gagnagrunnurinn var endurheimtur úr afriti og kann að hafa gleymt að þetta var sent. Ekkert hefur verið sent síðan.',
  POSTED_BEFORE_RESTORE: () =>
    'Þetta var bókað áður en gagnagrunnurinn var endurheimtur og yrði ekki bókað núna.',
  SETTLED_BEFORE_RESTORE: () =>
    'Reikningurinn var jafnaður áður en gagnagrunnurinn var endurheimtur og þetta kann að vera sama greiðslan. Berðu viðskiptamanninn saman í bókhaldskerfinu og slepptu henni svo eða merktu sem bókaða.',
  PAID_BEFORE_RESTORE: () =>
    'Færsla hans og greiðsla voru bókaðar áður en gagnagrunnurinn var endurheimtur og greiðslan hefur verið tekin til baka síðan. Bakfærðu greiðsluna í bókhaldskerfinu og merktu svo reikninginn sem bókaðan með færslu sinni.',
  ERP_CANNOT_TELL: () => 'Þetta bókhaldskerfi getur hvorki endurtekið né flett upp.',
  ABSENCE_UNPROVEN: () => 'Ekkert fannst undir lyklinum, en það sannar ekki að ekkert hafi borist.',
  RESENT_TOO_OFTEN: () => 'Sent aftur jafnoft og brúin reynir.',
  TAKEN_NOT_SHOWN: () => 'Bókhaldskerfið tók við því en sýnir það ekki.',
  POSTED_NOT_SHOWN: () => 'Bókhaldskerfið sagði það bókað en gat ekki sýnt færsluna.',
  KEY_REFUSED_NOT_SHOWN: ({ message }, say) =>
    `Bókhaldskerfið hafnar lyklinum en sýnir enga færslu: ${answerQuoted(message, say)}`,
  SEVERAL_ENTRIES: ({ entries }) => `Færslur: ${entries}.`,
  WORK_NEVER_ENDS: () => 'vinnan hófst en henni lauk aldrei: hún tekur of langan tíma eða stöðvar ferlið',
  SOURCE_SAYS: ({ status }) => `Upprunakerfið segir ${status || 'ekkert'}.`,
  EDITED_BEFORE_POSTED: () => 'Því var breytt milli bókunar og Posted.',
  POSTED_BY_US_TOO: ({ entry }) =>
    `Brúin bókaði það líka, sem ${entry}: gættu að því að það sé ekki tvíbókað.`,
  REVERSAL_IS: ({ state }) => `Bókhaldskerfið segir ${state}.`,

  COUNT_DIFFERS: ({ kind, status, source, local }) =>
    `Upprunakerfið telur ${source} ${kind === 'invoice' ? 'reikninga' : 'kostnaðarfærslur'} sem ${status}, brúin skrifaði ${local}.`,
  ENTRY_TWICE: ({ count, key }) => `Bókhaldskerfið hefur ${count} færslur undir ${key}.`,
  ENTRY_UNKNOWN: ({ entry, key }) =>
    `Bókhaldskerfið hefur færslu ${entry} undir ${key}, sem brúin þekkir ekki.`,
  ENTRY_NOT_POSTED: ({ entry, state }) =>
    `Færsla ${entry} er ${state} í bókhaldskerfinu, en brúin telur hana bókaða.`,
  ENTRY_TOTAL_DIFFERS: ({ entry, total }) =>
    `Færsla ${entry} stemmir ekki við þær ${total} krónur sem dagbókarfærslan hljóðar upp á.`,
  ENTRY_MISSING: ({ kind, number, entry, key }) =>
    `${KINDS[kind]} ${number} er í bókhaldinu sem ${entry}, en bókhaldskerfið sýnir enga færslu undir ${key}.`,
  ENTRY_NOT_CLAIMED: ({ entry, kind, number, state }) =>
    `Bókhaldskerfið hefur færslu ${entry} fyrir ${KINDS[kind]} ${number}, en hér er ekki skráð að skjalið sé bókað: það er ${stateName(state)}.`,
  BOOKED_NOT_POSTED: ({ kind, number, entry, status }) =>
    `${KINDS[kind]} ${number} er í bókunum sem ${entry} en ${status === 'gone' ? 'upprunakerfið á skjalið ekki lengur' : `upprunakerfið segir ${status}`}.`,
  CANCELLED_IN_BOOKS: ({ number, entry }) =>
    `Reikningur ${number} er í bókunum sem ${entry}. Hann var felldur niður í upprunakerfinu og enginn kreditreikningur kemur á móti.`,

  SETTLED_ACKNOWLEDGED: () => 'Skjalið er í bókunum og upprunakerfið segir Posted.',
  SETTLED_REVERSED: () => 'Færsla skjalsins var bakfærð.',
  SETTLED_DELETED: () => 'Skjalinu var eytt í upprunanum áður en það var bókað.',
  IT_IS_OVER: () => 'Því er lokið.',
  ITS_FILE_IS_GONE: () => 'skránni var eytt',
  ITS_OWN_ACCOUNT_AGAIN: () => 'aðgangurinn opnar aftur réttan reikning',
  IT_IS_CONNECTED: () => 'það er tengt',
  ORIGINAL_NOT_ON_RECORD: () => 'ekkert er skráð um það',
  TAKES_NO_FILES_NOW: () => 'það tekur ekki lengur við skrám',
  STORED_FILE_IS: ({ how }) => (how === 'missing' ? 'vantar' : 'breytt'),
  REFUSED_AS: ({ code, what }, say) => `${code}: ${say(what)}`,
} satisfies Translated<typeof ENGLISH>;
