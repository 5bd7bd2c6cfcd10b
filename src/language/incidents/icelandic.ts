// Það sem einhver þarf að vita: fyrirsögn, hvað býr að baki, og næsta skref.
import { originalWord } from '../originals.js';
import { answerQuoted } from '../answers.js';
import { OUTGOING_REASONS } from '../icelandic/outgoing.js';
import { POSTING_REASONS } from '../icelandic/posting-reasons.js';
import { icelandicRemedy } from '../remedies.js';
import type { Say } from '../table.js';
import type { AboutDocument, AboutSubmission, INCIDENTS as ENGLISH, IncidentText } from './english.js';

type TranslatedIncidents = {
  readonly [Code in keyof typeof ENGLISH]: (
    params: Parameters<(typeof ENGLISH)[Code]>[0],
    say: Say,
  ) => IncidentText;
};

const DOCUMENT = {
  invoice: 'Reikningur',
  cost: 'Kostnaður',
  payment: 'Greiðsla reiknings',
  release: 'Losun',
  summary: 'Samantekt',
} as const;
const LISTS = { invoice: 'Reikningalistinn', cost: 'Kostnaðarlistinn' } as const;

const resting =
  (code: keyof typeof POSTING_REASONS) =>
  (about: AboutDocument, say: Say): IncidentText => ({
    title: `${DOCUMENT[about.kind]} ${about.number}: ${POSTING_REASONS[code].says}`,
    details: whatIsKnown(about, say),
    nextStep: POSTING_REASONS[code].cure,
  });

function whatIsKnown({ key, entry, what }: AboutDocument, say: Say): string {
  const known = entry === undefined ? `Lykill ${key}.` : `Færsla ${entry}, lykill ${key}.`;
  return what === undefined ? known : `${known} ${say(what)}`;
}

const submissionWord = (kind: string): string => SUBMISSION_WORDS[kind] ?? kind;

const SUBMISSION_WORDS: Readonly<Record<string, string>> = {
  invoice: 'reikningur',
  draft: 'drög',
  order: 'pöntun',
  quote: 'tilboð',
  customer: 'viðskiptavinur',
  item: 'vara',
};

const submitted =
  (code: 'SUBMISSION_UNKNOWN' | 'SUBMISSION_COLLISION' | 'SUBMISSION_TWICE') =>
  ({ tenant, kind, reference, key, what }: AboutSubmission, say: Say): IncidentText => ({
    title: `${tenant}, ${submissionWord(kind)} ${reference}: ${OUTGOING_REASONS[code].says}`,
    details: `Merki ${key}. ${say(what)}`,
    nextStep: OUTGOING_REASONS[code].cure,
  });

export const INCIDENTS = {
  OUTCOME_UNKNOWN: resting('OUTCOME_UNKNOWN'),
  ERP_COLLISION: resting('ERP_COLLISION'),
  ERP_DUPLICATE: resting('ERP_DUPLICATE'),
  CONTENT_CHANGED: resting('CONTENT_CHANGED'),
  WRITE_BACK_REFUSED: resting('WRITE_BACK_REFUSED'),
  SOURCE_REOPENED: resting('SOURCE_REOPENED'),
  SOURCE_UNREADABLE: resting('SOURCE_UNREADABLE'),
  TRIES_EXHAUSTED: resting('TRIES_EXHAUSTED'),
  ORPHANED: resting('ORPHANED'),
  NOT_MATCHED: (about, say) => ({
    title: `${DOCUMENT[about.kind]} ${about.number}: bókað, en var ekki jafnað á móti reikningi sínum í bókhaldskerfinu`,
    details: whatIsKnown(about, say),
    nextStep:
      'Fjárhæðirnar í bókunum eru réttar. Jafnaðu færsluna í bókhaldskerfinu á móti reikningnum sem hún greiðir, kreditar eða bakfærir; brúin hefur reynt nokkrum sinnum og reynir ekki aftur.',
  }),
  FOREIGN_POSTED: (about, say) => ({
    ...resting('FOREIGN_POSTED')(about, say),
    title: `Einhver annar setti ${about.kind === 'invoice' ? 'reikning' : 'kostnað'} ${about.number} í Posted`,
  }),
  CANCELLED_SKIPPED: ({ number, amount, currency }) => ({
    title: `Reikningur ${number} var felldur niður án kreditreiknings og honum sleppt: ${amount} ${currency} er ekki bókað`,
    details:
      'Reglurnar segja invoice.cancelled: skip. Reikningurinn er Skipped í upprunanum og í engu virðisaukaskattsuppgjöri.',
    nextStep:
      'Ekkert, ef krafan varð aldrei til. Annars þarf að gefa út kreditreikning og bóka bæði í höndunum á tímabilum sínum.',
  }),
  LISTED_BUT_GONE: ({ kind, number }) => ({
    title: `${DOCUMENT[kind]} ${number} er á listanum sem Created en finnst ekki við lestur`,
    details: 'Það er lesið aftur á klukkustundar fresti; það er ekki í bókunum.',
    nextStep: 'Opnaðu það í reikningakerfinu. Sé það þar, láttu rekstraraðila þess vita.',
  }),
  POSTED_REOPENED: ({ kind, number, key }) => ({
    title: `${DOCUMENT[kind]} ${number} er aftur Created í upprunanum en er í bókunum`,
    details: `Lykill ${key}. Posted á að vera endanlegt; ekkert var bókað aftur.`,
    nextStep: 'Finndu út hver breytti því. Eigi bækurnar að fylgja, bakfærðu það og bókaðu aftur.',
  }),
  PARKED_AND_GONE: ({ kind, number }) => ({
    title: `${DOCUMENT[kind]} ${number} var eytt í upprunanum, og gæti verið í bókunum`,
    details: 'Því er lagt til hliðar, því ekki er vitað hvort bókhaldskerfið hefur það, eða það allt.',
    nextStep:
      'Leitaðu að lyklinum í bókhaldskerfinu. Sé hann þar, bakfærðu það eða endurheimtu skjalið í upprunanum; annars slepptu því.',
  }),
  MAY_BE_IN_BOOKS: ({ kind, number, key }) => ({
    title: `${DOCUMENT[kind]} ${number}: ekki bókað núna, en kann að hafa verið bókað áður en gagnagrunnurinn var endurheimtur`,
    details: `Lykill ${key}. Gagnagrunnurinn var endurheimtur úr afriti og kann að hafa gleymt færslu; ekki er hægt að spyrja þetta bókhaldskerfi.`,
    nextStep:
      'Leitaðu að skjalinu í bókhaldskerfinu. Sé það þar, bakfærðu færsluna handvirkt; annars segðu að þetta sé afgreitt.',
  }),
  FOREIGN_ENTRY: ({ tenant, kind, number, key, entries }) => ({
    title: `${tenant} var stöðvað: einhver annar bókar skjöl þess undir sömu lyklum`,
    details: `Fannst með: ${DOCUMENT[kind]} ${number}, lykill ${key}, færslur ${entries}.`,
    nextStep:
      `Leitaðu að annarri brú á sama reikningi og bókum og stöðvaðu hana. Hafi þessi gagnagrunnur verið endurheimtur, segðu frá því með ` +
      `\`ledgerbridge db restored\`. Bakfærðu það sem er tvíbókað, svo \`ledgerbridge resume ${tenant}\`.`,
  }),
  DATABASE_WENT_BACK: ({ missing }) => ({
    title: 'Gagnagrunnurinn fór aftur í tíma',
    details: `${missing} tilraunir sem voru sendar í bókhaldskerfi eru ekki lengur skráðar. Héðan í frá er leitað í bókhaldskerfinu áður en nokkuð er sent, og allar yfirferðir eru heilar.`,
    nextStep:
      'Finndu hvað var endurheimt, tekið við eða sett til baka. Það sem var bókað síðan vita aðeins bókhaldskerfið og upprunakerfið: `ledgerbridge reconcile` sýnir það.',
  }),
  ORIGINALS_PARKED: ({ tenant, kind, number, role, why, detail = '' }, say) => ({
    title: `Frumrit frá ${tenant} er ekki við færslu sína`,
    details: `${DOCUMENT[kind]} ${number}, ${originalWord('is', 'roles', role)}: ${originalWord('is', 'reasons', why, detail === '' ? '' : answerQuoted(detail, say))}`,
    nextStep: `\`ledgerbridge originals list -t ${tenant} --state parked\` sýnir hvaða og hvers vegna; færslan sjálf er í bókunum.`,
  }),
  SUBMISSION_UNKNOWN: submitted('SUBMISSION_UNKNOWN'),
  SUBMISSION_COLLISION: submitted('SUBMISSION_COLLISION'),
  SUBMISSION_TWICE: submitted('SUBMISSION_TWICE'),
  SUBMISSION_CHANGED: ({ tenant, kind, reference }) => ({
    title: `${tenant}, ${submissionWord(kind)} ${reference}: breytt í upprunanum eftir að það var sent`,
    details: 'Það sem var sent stendur óbreytt í reikningaþjónustunni; breytingin var ekki send.',
    nextStep:
      'Komstu að því hvort er rétt. Reikningur er leiðréttur með kreditreikningi og nýjum reikningi, hvor með sína tilvísun; tímum sem eiga að fara er eytt í þjónustunni í höndunum.',
  }),
  BOOKED_AT_BOTH: ({ tenant, kind, reference, number }) => ({
    title: `${tenant}, ${submissionWord(kind)} ${reference}: bókað í upprunanum eftir að brúin hafði bókað það`,
    details: `Færsla brúarinnar er ${number}. Sama salan stendur tvisvar í bókunum, eða er við það að gera það.`,
    nextStep:
      'Bakfærðu aðra færsluna: færslu brúarinnar með `ledgerbridge reverse`, eða þá sem var gerð í höndunum, í bókhaldskerfinu.',
  }),
  FIELDS_IN_CONFLICT: ({ tenant, kind, reference, fields }) => ({
    title: `${tenant}, ${submissionWord(kind)} ${reference}: breytt bæði í upprunanum og í þjónustunni`,
    details: `Reitir: ${fields}. Þjónustan heldur sínu; allt annað heldur áfram.`,
    nextStep:
      'Skoðaðu hvort tveggja undir Inn í þjónustuna, eða með `ledgerbridge outgoing conflicts`, og segðu hvort gildir.',
  }),
  ORIGIN_SILENT: ({ tenant, origin, what }, say) => ({
    title: `${tenant}: upprunanum ${origin} er ekki hægt að fletta upp`,
    details: answerQuoted(what, say),
    nextStep: `Ekkert nýtt er sent þaðan fyrr en hann svarar; hann er spurður áfram og þessu lýkur af sjálfu sér. Er mappan tengd, bókhaldskerfið í gangi, leyndarmálið enn rétt? \`ledgerbridge tenant check ${tenant}\` spyr núna.`,
  }),
  ORIGIN_PROBLEMS: ({ tenant, origin, count, first, what }, say) => ({
    title: `${tenant}: ekki er hægt að lesa ${count === 1 ? '1 færslu' : `${count} færslur`} úr upprunanum ${origin}`,
    details: what === undefined ? first : `${first}: ${answerQuoted(what, say)}`,
    nextStep: `\`ledgerbridge outgoing problems -t ${tenant}\` nefnir hverja með skrá og línu; aðrar tefjast ekki.`,
  }),
  REVERSAL_UNKNOWN: (about, say) => ({
    title: `${DOCUMENT[about.kind]} ${about.number}: ekki er vitað hvort bakfærslan var bókuð`,
    details: `Lykill bakfærslunnar ${about.key}. ${about.what === undefined ? '' : say(about.what)}`.trim(),
    nextStep: 'Bakfærðu aftur eftir fimmtán mínútur: brúin leitar að bakfærslunni áður en hún sendir aðra.',
  }),
  RECORD_WITHOUT_GUID: ({ kind, count, problems }) => ({
    title: `${count} ${kind === 'invoice' ? 'reikningar' : 'kostnaðarfærslur'} í listanum hafa ekkert guid`,
    details: problems,
    nextStep:
      'Skoðaðu listann með `ledgerbridge api`; slík skjöl verða ekki bókuð fyrr en kerfið gefur þeim auðkenni.',
  }),
  LIST_NEVER_ENDS: ({ kind, repeats, pages, documents }) => ({
    title: `${LISTS[kind]} ${repeats ? 'endurtekur síðu' : 'tekur engan enda'}`,
    details: `Hætt eftir ${pages} síður með ${documents} skjölum.`,
    nextStep:
      'Næsti lestur er heildarlestur. Lagist þetta ekki sinnir kerfið hvorki `page` né `limit`: láttu þjónustuaðila þess vita.',
  }),
  ACCOUNT_CONNECTED_TWICE: ({ tenant, count }) => ({
    title: `${tenant} finnur skjöl sem annað félag flytur þegar í sömu bækur`,
    details: `${count} skjöl hafa lykil sem þegar er til. Þau eru ekki bókuð í annað sinn.`,
    nextStep: 'Fjarlægðu aðra félagsskrána: sami upprunareikningur er tvítengdur við sömu bækur.',
  }),
  SOURCE_ACCOUNT_CHANGED: ({ tenant, known, opened }) => ({
    title: `${tenant} er stöðvað: aðgangur þess opnar reikning annars fyrirtækis`,
    details: `Hann opnar ${opened}, en skjöl ${tenant} komu frá ${known}. Ekkert var lesið eða skrifað með honum.`,
    nextStep: `Settu aðgang ${known} í félagsskrána eða skráðu þig aftur inn á þann reikning; ${tenant} heldur þá áfram af sjálfu sér. Annað fyrirtæki þarf eigin félagsskrá.`,
  }),
  TENANT_NOT_CONNECTED: ({ tenant, goesOn, message, remedy, file, what, code }, say) => ({
    title: goesOn
      ? `${tenant} heldur áfram með fyrri skrá: ekki er hægt að nota breytinguna`
      : `${tenant} er ekki tengt; skjölin bíða`,
    details: what === undefined ? message : `${file ?? tenant}: ${say(what)}`,
    nextStep:
      icelandicRemedy(code) ?? (what === undefined ? remedy : 'Skoðaðu annálinn og síðan félagsskrána.'),
  }),
  RECONCILIATION_DIFFERS: ({ tenant, from, to, count, differences }, say) => ({
    title: `${count} frávik milli uppruna, brúar og bókhaldskerfis frá ${from} til ${to}`,
    details: differences.map(say).join(' '),
    nextStep: `Skoðaðu þau með \`ledgerbridge reconcile ${tenant} --from ${from} --to ${to}\`.`,
  }),
} satisfies TranslatedIncidents;
