import type { Message } from '../../domain/message.js';
import type { SENDING as english, WriteRule } from '../english/sending.js';
import type { Say, Translated } from '../table.js';
import { quoted } from './systems.js';

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
} satisfies Translated<typeof english>;
