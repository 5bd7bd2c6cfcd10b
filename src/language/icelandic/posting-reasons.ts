// Hvers vegna bókun hvílir, umfram það sem lesturinn segir.
import type {
  POSTING_REASONS as ENGLISH_POSTING_REASONS,
  REFUSALS as ENGLISH_REFUSALS,
  WARNINGS as ENGLISH_WARNINGS,
  OUTCOMES as ENGLISH_OUTCOMES,
} from '../english/posting-reasons.js';
import { type Answer, answerQuoted } from '../answers.js';
import type { Say, TranslatedReasons, Translated } from '../table.js';
import { written } from './amounts.js';

/** Orð bókhaldskerfisins eru merkt því; okkar orð ekki. */
function told(message: Answer, say: Say): string {
  const text = answerQuoted(message, say);
  return text.startsWith('„') ? `Það segir: ${text}` : text;
}

export const POSTING_REASONS = {
  SOURCE_DELETED: {
    says: 'Skjalinu var eytt í upprunanum áður en það var bókað.',
    cure: 'Ekkert: hér er ekkert að bóka.',
  },
  SOURCE_UNREADABLE: {
    says: 'Upprunakerfið sendi skjalið á formi sem ekki er hægt að lesa.',
    detail: ({ problem }) => problem,
    cure: 'Líttu á skjalið í upprunanum; keyrðu það aftur þegar það er í lagi.',
  },
  FOREIGN_POSTED: {
    says: 'Upprunakerfið segir Posted, en brúin bókaði það ekki.',
    cure: 'Komstu að því hver bókaði það. Sé það í bókunum skaltu merkja það bókað með tilvísun; annars þarf að opna það aftur í upprunanum.',
  },
  DEFERRED_TOO_LONG: {
    says: 'Skjalið var ekki tilbúið til bókunar lengur en brúin bíður.',
    detail: ({ reason }, say) => say(reason),
    cure: 'Ljúktu við skjalið eða eyddu því í upprunanum, og keyrðu það svo aftur.',
  },
  CONTENT_CHANGED: {
    says: 'Skjalinu var breytt í upprunanum eftir að færslan var bókuð.',
    detail: ({ status }) => (status === undefined ? '' : `Upprunakerfið segir ${status || 'ekkert'}.`),
    cure: 'Berðu þau saman; bakfærðu og bókaðu aftur ef bækurnar eiga að fylgja breytingunni.',
  },
  ERP_PERIOD_CLOSED: {
    says: 'Bókhaldskerfið hefur lokað tímabilinu sem skjalið er á.',
    detail: ({ message }, say) => told(message, say),
    cure: 'Opnaðu tímabilið í bókhaldskerfinu, eða settu period.lockedUntil með whenLocked: firstOpenDay í reglurnar. Reynt er aftur daglega.',
  },
  ERP_CONFIGURATION: {
    says: 'Bókhaldskerfið þekkir ekki eitthvað sem reglurnar nota.',
    detail: ({ message }, say) => told(message, say),
    about: ({ message }, say) => answerQuoted(message, say),
    cure: 'Stofnaðu það í bókhaldskerfinu eða breyttu reglunum; svo er reynt aftur af sjálfsdáðum.',
  },
  ERP_REFUSED: {
    says: 'Bókhaldskerfið hafnaði færslunni.',
    detail: ({ message }, say) => told(message, say),
    about: ({ refusal }) => refusal,
    cure: 'Lestu skilaboðin, lagaðu það sem þau nefna og keyrðu svo aftur.',
  },
  ERP_COLLISION: {
    says: 'Bókhaldskerfið geymir færslu undir þessum lykli með öðru innihaldi.',
    detail: ({ what }, say) => say(what),
    cure: 'Berðu færslurnar tvær saman í bókhaldskerfinu; merktu bókað ef þetta er sama skjal, annars þarf að bakfæra.',
  },
  ERP_DUPLICATE: {
    says: 'Bókhaldskerfið geymir fleiri en eina færslu undir þessum lykli.',
    detail: ({ what }, say) => say(what),
    cure: 'Bakfærðu aukafærsluna í bókhaldskerfinu og keyrðu svo aftur: brúin gáir áður en hún bókar.',
  },
  OUTCOME_UNKNOWN: {
    says: 'Ekki er vitað hvort bókhaldskerfið tók við færslunni, og þetta kerfi gefur enga örugga leið til að komast að því.',
    detail: ({ what }, say) => say(what),
    cure: 'Leitaðu að lyklinum í bókhaldskerfinu. Sé hann þar, merktu bókað; sé hann örugglega ekki þar, keyrðu aftur með --surely-absent.',
  },
  TRIES_EXHAUSTED: {
    says: 'Það mistókst jafnoft og brúin reynir.',
    detail: ({ last }, say) => `Síðast: ${say(last)}`,
    cure: 'Skoðaðu tilraunirnar, lagaðu orsökina og keyrðu svo aftur.',
  },
  WRITE_BACK_REFUSED: {
    says: 'Upprunakerfið tekur ekki við bókhaldsstöðunni.',
    detail: ({ status }) => (status === undefined ? '' : `Upprunakerfið segir ${status || 'ekkert'}.`),
    cure: 'Líttu á skjalið í upprunanum; stöðu þess þar og bókunum ber ekki saman.',
  },
  SOURCE_REOPENED: {
    says: 'Skjalið er í bókunum og var síðan opnað aftur til breytinga í upprunanum.',
    cure: 'Samþykktu það aftur óbreytt og staðan fylgir af sjálfsdáðum; hafi því verið breytt, bakfærðu og bókaðu aftur.',
  },
  ORIGINALS_AWAITED: {
    says: 'Það er í bókunum; upprunakerfið fær að vita þegar frumritin eru komin að færslunni.',
    cure: 'Ekkert, nema eitthvert þeirra bíði úrlausnar: lagaðu þá það sem það nefnir og láttu reyna aftur.',
  },
  AWAITS_SUMMARY: {
    says: 'Það bíður dagbókarfærslu síns dags.',
    detail: ({ day }) => `Skjöl dagsins ${day} eru bókuð saman þegar deginum er lokað.`,
    cure: 'Ekkert: það er lesið einu sinni enn þegar deginum er lokað og bókað með hinum.',
  },
  IN_SUMMARY: {
    says: 'Það er á leið í bókhaldskerfið með öðrum skjölum dagsins.',
    detail: ({ summary }) => `Þau eru ${summary}.`,
    cure: 'Ekkert: skjalið fylgir þeirri færslu.',
  },
  SUMMARY_WAITS: {
    says: 'Færsla dagsins kann að hafa náð til bókhaldskerfisins og bíður þess að einhver líti á hana.',
    detail: ({ summary }) => `Hún er ${summary}.`,
    about: ({ summary }) => summary,
    cure: 'Líttu á þá færslu; þetta skjal fylgir henni.',
  },
  SUMMARY_REFUSED: {
    says: 'Bókhaldskerfið hafnaði færslu dagsins; ekkert úr henni er í bókunum.',
    detail: ({ refusal }, say) => say(refusal),
    cure: 'Ekkert hér: skjölin sem höfnunin snýst um bíða hvert fyrir sig, hin eru tekin saman að nýju.',
  },
  NOTHING_TO_SUMMARISE: {
    says: 'Ekkert skjal dagsins bíður þess að vera bókað með hinum.',
    cure: 'Ekkert: þau sem koma síðar hefja hana aftur.',
  },
  ORPHANED: {
    says: 'Skjalið er í bókunum, en því var eytt í upprunanum.',
    cure: 'Bakfærðu færsluna eða endurheimtu skjalið í upprunanum.',
  },
  SKIPPED_BY_OPERATOR: {
    says: 'Rekstraraðili ákvað að þetta skjal yrði ekki bókað.',
    detail: ({ why }) => why,
    cure: 'Ekkert; eigi það þó heima í bókunum, keyrðu það aftur (kostnaður er fyrst færður í New í upprunanum).',
  },
  HELD_BY_OPERATOR: {
    says: 'Rekstraraðili heldur skjalinu.',
    detail: ({ why }) => why,
    cure: 'Slepptu því þegar það má halda áfram.',
  },
} satisfies TranslatedReasons<typeof ENGLISH_POSTING_REASONS>;

// Hvers vegna ekki er hægt að gera eitthvað við skjal.

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
} satisfies Translated<typeof ENGLISH_REFUSALS>;

// Það sem bókari ætti að vita um skjal sem er bókað engu að síður.

export const WARNINGS = {
  TAX_EXEMPT_CUSTOMER: {
    says: 'Viðskiptavinurinn er undanþeginn: skattskyldu línurnar voru bókaðar án virðisaukaskatts.',
  },
  LINES_DIFFER_FROM_TOTALS: {
    says: 'Línurnar víkja frá samtölunum: mismunurinn var bókaður sem gjald eða afsláttur.',
  },
  POSTING_DATE_MOVED: {
    says: 'Tímabilið er læst: færslan er dagsett á fyrsta opna degi.',
    detail: ({ date }) => `Hann er ${date}.`,
  },
  ORIGINAL_BEFORE_CUT_OVER: {
    says: 'Reikningurinn sem hann fellir niður er eldri en upphaf bókunar hér: kreditreikningurinn var bókaður eins og hinn væri í bókunum.',
    detail: ({ date }) => `Hann var gefinn út ${date}.`,
  },
  KENNITALA_FORMAT: {
    says: 'Kennitöluna vantar eða hún er ekki rétt að lögun.',
    detail: ({ written }) => (written === '' ? 'Hana vantar.' : `Þar stendur „${written}“.`),
  },
  KENNITALA_CHECKSUM: {
    says: 'Vartala kennitölunnar gengur ekki upp; nýjar kennitölur frá febrúar 2026 geta verið án hennar.',
    detail: ({ kennitala }) => `Þar stendur ${kennitala}.`,
  },
  SIGN_ASSUMED_INVOICE: {
    says: 'Enginn rafrænn reikningur er til: kostnaðurinn var talinn reikningur, ekki kreditreikningur.',
  },
  CLAIM_AMOUNTS_MISMATCH: {
    says: 'Krafan er greidd en upphæðir hennar stemma ekki: greiðslan var ekki bókuð.',
    detail: ({ owed, deposited }) =>
      owed === undefined
        ? 'Upphæðirnar námundast ekki í jafnvægi.'
        : `Hún ætti að skila ${written(owed)} kr., bankinn segir ${written(deposited ?? '')}.`,
  },
  DOCUMENT_NUMBER_CUT: {
    says: 'Skjalnúmerið er lengra en reglurnar leyfa: aðeins endi þess var geymdur.',
    detail: ({ number }) => `Það er ${number}.`,
  },
  COST_CODE_WATCHED: {
    says: 'Fylgst er með kostnaðarkóðanum: gættu að því að hér leynist hvorki fæði né risna.',
    detail: ({ costCode }) => `Kóðinn er ${costCode}.`,
  },
} satisfies TranslatedReasons<typeof ENGLISH_WARNINGS>;

// Það sem vitað er um færslu á leiðinni, umfram ástæðuna fyrir því að hún hvílir.

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
} satisfies Translated<typeof ENGLISH_OUTCOMES>;
