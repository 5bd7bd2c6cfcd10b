// Það sem bar út af milli brúarinnar og annars kerfis, á okkar máli. Það sem hitt kerfið sagði stendur innan gæsalappa.
import type {
  CONNECTIONS as ENGLISH_CONNECTIONS,
  SOURCE as ENGLISH_SOURCE,
  SENDING as ENGLISH_SENDING,
  WriteRule,
} from '../english/connections.js';
import type { Translated, Say } from '../table.js';
import { inside, named, quoted } from './systems.js';
import type { Message } from '../../domain/message.js';

export const CONNECTIONS = {
  HTTP_HELD: ({ origin, seconds }) => `${origin} bað um hlé og ${seconds} s eru eftir af því`,
  HTTP_TOO_LATE: () => 'tími kallsins var liðinn áður en kom að þessari beiðni',
  HTTP_ORIGIN_REFUSED: ({ origin }) => `þessi tenging má ekki tala við ${origin}`,
  HTTP_NO_CONNECTION: ({ why }) => `ekkert samband (${why})`,
  HTTP_NO_ANSWER: ({ ms }) => `ekkert heilt svar innan ${ms} ms`,
  HTTP_STOPPED: ({ ms }) => `svarið stöðvaðist í miðju kafi: ekkert meira barst í ${ms} ms`,
  HTTP_SILENT: ({ why }) => `ekkert svar í tæka tíð (${why})`,
  HTTP_CANCELLED: () => 'hætt var við kallið hér',
  HTTP_NOT_OPEN: ({ why }) => `beiðnin fór aldrei af stað (${why})`,
  HTTP_ENCODED: ({ encoding }) => `svarið er kóðað sem ${encoding}, sem ekki var beðið um`,
  HTTP_TOO_LARGE: ({ bytes }) => `svarið er stærra en ${bytes} bæti`,
  HTTP_NOT_HTTP: ({ why }) => `svarið er ekki HTTP (${why})`,
  HTTP_BROKE: ({ why }) => `sambandið rofnaði (${why})`,
  HTTP_ASKED_FOR_PAUSE: ({ origin, status }) => `${origin} svaraði ${status} og bað um hlé`,

  NO_TOKEN: ({ origin, why }, say) => `${origin} gaf engan aðgangslykil: ${say(why)}.`,
  ANSWERED_WITHOUT_TOKEN: ({ origin }) => `${origin} svaraði án aðgangslykils.`,
  SCOPES_NOT_GRANTED: ({ origin, scopes }) =>
    `${origin} veitir ekki heimildirnar „${scopes}“. Bættu þeim við tenginguna þar.`,
  NO_SCOPES: () => 'Engar heimildir eru skráðar í stillingum.',
  CLIENT_REFUSED: ({ origin, status }) =>
    `${origin} hafnaði auðkenninu eða leyndarmálinu (HTTP ${status}). Athugaðu hvort tveggja og að leyndarmálið sé ekki útrunnið.`,

  SYSTEM_UNREACHED: ({ system, why }, say) => `Ekki náðist samband við ${inside(system)}: ${say(why)}`,
  SYSTEM_ANSWER_LOST: ({ system, why }, say) => `Svarið frá ${inside(system)} týndist: ${say(why)}`,
  SYSTEM_SAYS: ({ system, answer }) => `${named(system)} segir: ${quoted(answer)}`,
  SYSTEM_BUSY: ({ system, answer }) => `${named(system)} er upptekið: ${quoted(answer)}`,
  SYSTEM_ANSWERED: ({ system, status, answer }) => `${named(system)} svaraði ${status}: ${quoted(answer)}`,
  SYSTEM_UNREADABLE: ({ system, problem, call }) =>
    `${named(system)} svaraði ${call === undefined ? '' : `${call} `}á óþekktu formi: ${quoted(problem)}`,
  SYSTEM_NOT_ITSELF: ({ system }) => `Eitthvað annað en ${inside(system)} svaraði í þess stað.`,
  SYSTEM_SHOWS_TOO_MUCH: ({ system, what }) => `${named(system)} sýnir meira af ${what} en hægt er að lesa.`,
  SYSTEM_TOOK_NOT_SHOWN: ({ system, key }) =>
    `${named(system)} tók við því en sýnir ekkert undir tilvísuninni ${key}.`,

  LISTED_A_PART: ({ listed, expected, stopped }) => `${listed} af ${expected} lesin (${stopped})`,
  IDENTITY_SILENT: ({ issuer, answer }) =>
    `Auðkenningarveitan ${issuer} svaraði ekki eins og til stóð: ${quoted(answer)}`,
} satisfies Translated<typeof ENGLISH_CONNECTIONS>;

// Það sem stóð í vegi fyrir svari frá reikningakerfinu, á okkar máli.

export const SOURCE = {
  CALL_FAILED: ({ call, answer, why }, say) =>
    `${call}: ${say(answer)}.${why === undefined ? '' : ` ${say(why)}`}`,
  CODE_WORKED_BEFORE: () =>
    'Viðhaldskóðinn virkaði áður á þessari tengingu, svo þetta er líklega bilun hjá þjónustunni.',
  CODE_PROBABLY_WRONG: () =>
    'Í þróunarumhverfinu merkir 503 oftast að viðhaldskóðinn sé rangur; það getur líka verið bilun.',
  OUTAGE_OR_DEVELOPMENT: () => 'Þetta er bilun, eða baseUrl er þróunarumhverfið, sem vill fá viðhaldskóða.',
  PROBABLY_A_PROXY: () => 'Líklega viðhaldssíða, milliþjónn eða röng grunnslóð.',
  REDIRECTS_NOT_FOLLOWED: () => 'Endurbeiningum er aldrei fylgt.',
  NOT_A_JSON_OBJECT: ({ type }) => `svarið er ekki JSON-hlutur (${type})`,
  CALL_TOO_LATE: () => 'það beið fram yfir þá stund sem það mátti fara',
  CALL_LEFT_ALONE: ({ call }) =>
    `${call} var ekki sent: síðustu köll mistókust og þjónustan er látin í friði um stund.`,
  CALL_CANCELLED: ({ call }) => `Hætt var við ${call} meðan það beið.`,
  CALL_PAUSED: ({ call }) => `${call} var ekki sent: þjónustan bað um hlé.`,
  CALL_CROWDED: ({ call }) => `${call} var ekki sent: of mörg köll bíða nú þegar.`,
  SCOPE_NOT_GRANTED: ({ call, scope }) =>
    `${call} var ekki sent: leyfið nær ekki til heimildarinnar ${scope}.`,
  ACCOUNT_OF_OTHER: ({ name }) => `Aðgangurinn opnar reikning ${name || 'einhvers annars'}.`,
  ACCOUNT_CHANGED: ({ tenant, known, opened }) =>
    `Aðgangur ${tenant} opnar reikninginn ${opened}, en skjöl þess komu frá ${known}.`,
  HELLO_REFUSED: ({ answer }) => `Þjónustan neitaði að heilsa: ${quoted(answer)}.`,
  EVERY_CALL_REFUSED: ({ answer }) => `Þjónustan hafnar hverju kalli: ${quoted(answer)}.`,
  SERVICE_REFUSED: ({ answer }) => `Þjónustan hafnaði: ${quoted(answer)}.`,
  ACCOUNT_NOT_TOLD: () => 'Leyfið nær ekki til dashboard_data, sem segir hvers reikningurinn er.',
  KEY_ENDPOINT_ONLY: () =>
    'Þessi endapunktur tekur notandanafn og API-lykil reikningsins, en þetta félag skráir sig inn með OAuth.',
  CREDENTIALS_CHANGE: () =>
    'Aðgangslyklunum var skipt út aftur og aftur meðan spurt var hvers reikning þeir opna.',
  REFRESH_BUSY: () => 'Annað ferli heldur endurnýjun þessa leyfis og lýkur henni ekki.',
  REFRESH_LEASE_LOST: () => 'Hald á þessu leyfi tapaðist áður en endurnýjunin hófst.',
  REFRESH_UNANSWERED: ({ why }, say) => `Endurnýjun aðgangslykla var ekki skýrt svarað: ${say(why)}`,
  NEEDS_CONSENT: ({ tenant, why }, say) => `${tenant} þarf samþykki: ${say(why)}.`,
  NOBODY_CONSENTED: () => 'Enginn hefur samþykkt þessa tengingu enn',
  GRANT_LOST: () => 'Leyfið tapaðist eða því var hafnað',
  GRANT_REVOKED: () => 'Leyfið var afturkallað',
  REFRESH_REFUSED: ({ answer, wasLost }) =>
    `Þjónustan neitaði að endurnýja aðgangslyklana${wasLost ? ', eftir fyrri endurnýjun sem ekkert svar barst við' : ''} (${quoted(answer)})`,
} satisfies Translated<typeof ENGLISH_SOURCE>;

const WRITE_RULES: Readonly<Record<WriteRule, string>> = {
  1: 'efnið er sent í `data` sem JSON',
  2: 'amount er samtala línanna með virðisaukaskatti, með 2 aukastöfum',
  3: 'issue_date ≤ due_date ≤ settlement_date',
  4: 'lína er vara sem til er eða heil ný vara',
  5: 'kreditreikningur nefnir reikninginn sem hann kreditfærir',
  6: 'til afhendingar þarf netfang eða viðtakanda rafrænna reikninga',
  7: 'nýr viðskiptavinur er aldrei borinn saman við þá sem til eru',
  8: 'fjárhæð kostnaðar er jákvæð og virðisaukaskattur hans í ISK',
  flags: 'merkingar sem útiloka hver aðra',
  period: 'tímabil er nefnt á einn hátt',
  attachment: 'viðhengi eru jpg, jpeg, png, gif eða pdf, mest 5 MB',
};

const ACTS = { create: 'búa til', update: 'breyta', delete: 'eyða', pay: 'merkja greidda' } as const;
const LISTED = {
  ...{ invoices: 'reikningum', costs: 'kostnaðarfærslum', tasks: 'verkum', customers: 'viðskiptavinum' },
  items: 'vörum',
} as const;
const KINDS: Readonly<Record<string, string>> = {
  invoice: 'reikningur',
  draft: 'drög',
  order: 'pöntun',
  quote: 'tilboð',
  customer: 'viðskiptavinur',
  item: 'vara',
  cost: 'kostnaður',
  task: 'verk',
  hours: 'tímar',
  subscription: 'áskrift',
};
const FIELDS: Readonly<Record<string, string>> = {
  amount: 'fjárhæð',
  currency: 'gjaldmiðill',
  type: 'tegund',
  customer: 'viðskiptavinur',
};

const each = (messages: readonly Message[], say: Say, between: string): string =>
  messages.map((one) => say(one)).join(between);

export const SENDING = {
  PARAMETER_UNFIT: ({ call, problem }) => `Gildi í ${call} stenst ekki: ${quoted(problem)}.`,
  RULES_BROKEN: ({ call, breaches }, say) => `Ekkert var sent með ${call}. ${each(breaches, say, ' ')}`,
  RULE_BROKEN: ({ rule, what }, say) =>
    `${typeof rule === 'number' ? `Regla ${String(rule)}` : 'Regla'} (${WRITE_RULES[rule]}): ${say(what)}`,
  AMOUNT_NOT_ABOVE_ZERO: () =>
    'amount þarf að vera hærra en núll; kreditreikningur er merktur með credit_note: 1.',
  VAT_NEGATIVE: () => 'vat_11 og vat_24 mega ekki vera neikvæð.',
  VAT_MORE_THAN_AMOUNT: ({ taxed }) =>
    `virðisaukaskatturinn á við ${taxed} ISK, sem er meira en fjárhæðin; vat_11 og vat_24 eru fjárhæðir.`,
  FILE_TYPE_REFUSED: ({ type }) => `ekki er tekið við skrá af gerðinni „${type}“.`,
  FILE_EMPTY: () => 'skráin er tóm.',
  FILE_TOO_LARGE: ({ bytes }) => `skráin er ${String(bytes)} bæti.`,
  FILE_NOT_LIKE_ITS_NAME: ({ type }) => `skráin byrjar ekki eins og ${type}-skrá.`,
  EMAIL_NEEDED: () => 'email þarf að fylgja nema output_select sé 4.',
  PARTNER_NEEDED: () => 'trading_partner_id þarf að fylgja þegar output_select er 2.',
  PARTNER_WITH_PREFIX: () => 'trading_partner_id er kennitalan ein, án forskeytis á borð við 0196:.',
  PARTNER_NO_KENNITALA: () => 'trading_partner_id þarf að vera kennitala viðtakandans.',
  LINES_MAKE_OTHER: ({ amount, lines }) => `amount er ${amount} en línurnar gera ${lines}.`,
  SETTLEMENT_NEEDED: () => 'settlement_date vantar.',
  DAY_AFTER: ({ field, day, than, limit }) => `${field} ${day} er á eftir ${than} ${limit}.`,
  LINE_NAMES_BOTH: ({ line }) =>
    `lína ${String(line)} nefnir bæði vöru sem til er (guid) og add_new: 1; veldu annað.`,
  LINE_NAMES_NONE: ({ line }) =>
    `lína ${String(line)} hefur hvorki guid (vara sem til er) né add_new: 1 (ný vara).`,
  LINE_LACKS: ({ line, fields }) => `lína ${String(line)} er ný vara og í hana vantar ${fields}.`,
  CREDIT_WITHOUT_INVOICE: () => 'með type credit þarf ref_invoice_guid, guid upphaflega reikningsins.',
  CREDITED_BY_NO_CREDIT: () => 'ref_invoice_guid á aðeins við um type credit.',
  CUSTOMER_NOT_NAMED: () => 'customer þarf guid viðskiptavinar sem til er, eða að minnsta kosti nafn.',
  FLAGS_TOGETHER: ({ flags }) => `${flags.split(' ').join(' og ')} geta ekki átt við í einu.`,
  METHOD_WITHOUT_PAID: () => 'method_payment fylgir aðeins mark_paid.',
  ONE_PERIOD: ({ modes, given }) => `gefðu eitt af þessu: ${modes}. Gefið var: ${given || 'ekkert'}.`,
  NO_WAY_TO: ({ act, kind }) =>
    `þessi tenging kann ekki að ${ACTS[act]} þessa tegund (${KINDS[kind] ?? kind})`,
  FILES_NOT_WITH: ({ kind }) =>
    `því fylgja skrár, en þjónustan tekur aðeins við þeim með reikningum, ekki með þessari tegund (${KINDS[kind] ?? kind})`,
  FILES_NOT_BY_AGENT: () => 'því fylgja skrár, en ekki er hægt að hlaða þeim upp um þessa tengingu (agent)',
  FILES_TOO_MANY: ({ count, most }) => `því fylgja ${count} skrár; mest ${most} geta fylgt reikningi`,
  FILE_BREACH: ({ file, what }, say) => `${file}: ${say(what)}`,
  UPLOAD_REFUSED: ({ file, what }, say) => `þjónustan tók ekki við skránni ${file}: ${say(what)}`,
  BESIDE_UNREADABLE: ({ file, what }, say) =>
    `ekki er hægt að lesa skrána ${file} í upprunanum: ${say(what)}`,
  CUSTOMER_MISSING: () => 'viðskiptavin vantar',
  AMOUNT_MISSING: () =>
    'upphæð vantar: lína vísar með guid í vöru í þjónustunni og hún ein þekkir verð hennar',
  TOTAL_BELOW_ZERO: ({ total }) =>
    `samtalan er ${total}, sem er undir núlli: gerðu kreditreikning, það er reikning sem nefnir í credit_of (tilvísun) eða ref_invoice_guid hvað hann kreditfærir, með upphæðum yfir núlli`,
  CONTENT_UNREADABLE: () => 'ekki er hægt að lesa það',
  FILE_HAS_NO_OUTGOING: () => 'félagsskráin hefur engan kafla outgoing',

  CHANGE_REFUSED: () => 'þjónustan hafnaði breytingunni; þar stendur það sem var fyrir',
  REFUSED_AND_ABSENT: () => 'því var hafnað, og það er ekki þar',
  SLEPT_PAST: () => 'svaf fram yfir það augnablik sem það mátti fara af stað',
  NO_GUID_NAMED: () => 'þjónustan nefndi ekkert guid',
  IS_POSTED_ALREADY: () => 'það hefur verið bókað',
  FIELDS_DIFFER: ({ differences }, say) => each(differences, say, '; '),
  FIELD_IS_NOT: ({ field, theirs, ours }) => `${FIELDS[field] ?? field} ${theirs}, ekki ${ours}`,
  LISTED_OF: ({ listed, counted, what }) =>
    `${String(listed)} af ${String(counted)} ${LISTED[what]} voru á listanum`,
  TASKS_NOT_LISTED: ({ why }, say) => `Ekki tókst að lesa listann yfir verk: ${say(why)}.`,
  TOO_MANY_PAGES: ({ pages }) => `síðurnar eru fleiri en ${String(pages)}`,
  LISTED_UNREADABLE: ({ problem }) => `ekki er hægt að lesa færslu: ${quoted(problem)}`,
  CUSTOMER_UNREADABLE: ({ problem }) => `ekki er hægt að lesa viðskiptavin: ${quoted(problem)}`,
  TASK_UNREADABLE: ({ number, problem }) => `verk ${number}: ${quoted(problem)}`,
} satisfies Translated<typeof ENGLISH_SENDING>;
