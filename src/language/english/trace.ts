// Why a line of a journal is as it is.
import type { TextTable, Say } from '../table.js';
import type { Message } from '../../domain/message.js';
import { originalWord } from '../originals.js';
import { sourceFieldWords } from '../source-fields.js';

export const TRACE = {
  STATED_FOR_RATE: () => 'The e-invoice states it for the rate.',
  VAT_OF_IMPORT: () => 'It is VAT on imported goods, whose price is not on the bill.',
  PAID_BEFOREHAND: () => 'It was paid beforehand, as the e-invoice says.',
  VAT_NOT_ON_COST: () => 'Only the e-invoice states it, and none of it is deducted.',
  SAME_VAT_IN_CURRENCY: ({ currency }: { currency: string }) =>
    `The e-invoice states the same VAT in ${currency}.`,
  POSTED_ON_ISSUE_DATE: () => 'The posting date is the issue date.',
  MOVED_TO_OPEN_DAY: ({ lockedUntil, issueDate }: { lockedUntil: string; issueDate: string }) =>
    `The books are locked until ${lockedUntil}; the document date stays ${issueDate}.`,
  BOOKED_TOGETHER: ({ closes }: { closes: string }) =>
    `It is booked in one journal with the other documents of its day, which is closed at ${closes}.`,
  ORIGINAL_NOT_LOOKED_UP: () => 'The original was not looked up.',
  PREFIX_AND_NUMBER: () => 'The prefix, then the number of the invoice.',
  BOOKS_IN_ISK: () => 'The books are kept in ISK.',
  RATE_OF_DAY: ({ day }: { day: string }) => `Its rate of ${day}.`,
  NO_RATE_STATED: () => 'The document states none.',
  INVOICE_STATES_IT: () => 'The invoice states it.',
  ORIGINAL_STATES_IT: () => 'The invoice that is credited states it.',
  VAT_IN_BOTH: () => 'The e-invoice states its VAT in both currencies.',
  ROUNDING_REST: () => 'The rest of rounding in the currency went here.',
  ROUNDED_ONE_BY_ONE: () => 'Every line is rounded to krónur on its own; this is the difference.',
  PART_DEDUCTIBLE: ({ percent, costCode }: { percent: number; costCode: string }) =>
    `${percent} % of the VAT on code ${costCode} is deductible.`,
  NOTHING_TO_DEDUCT: () => 'Without VAT there is nothing to deduct.',
  VAT_IN_EXPENSE: () => 'VAT that is not deductible is part of the expense.',
  NET_AFTER_ROUNDING: () => 'What rounding of the VAT leaves of the net.',
  VAT_DEDUCTED: () => 'VAT that can be deducted.',
  SUPPLIER_ABROAD: () => 'The supplier is abroad and charged no Icelandic VAT.',
  VAT_OWED_AND_DEDUCTED: () => 'VAT owed and deducted.',
  VAT_OWED_NOT_DEDUCTIBLE: () => 'VAT owed, not deductible.',
  VAT_OWED_BY_BUYER: () => 'VAT owed by the buyer.',
  OWED_IN: ({ currency }: { currency: string }) => `Owed in ${currency}.`,
  CODE_HAS_ACCOUNT: ({ costCode }: { costCode: string }) =>
    `Code ${costCode} has its own account for this way of paying.`,
  HOW_PAID: ({ howPaid }: { howPaid: string }) => `how_paid is ${howPaid}.`,
  CENTS_LEFT: () => 'The cents that the lines were short of the amount, or over it.',
  LINES_GIVE_AMOUNT: ({ perUnit }: { perUnit: boolean }) =>
    `The lines with VAT give the amount${perUnit ? ', with price discounts per unit' : ''}.`,
  CUSTOMER_EXEMPT: () => 'The customer is tax exempt.',
  TOTALS_GIVE_AMOUNT: ({ withVat }: { withVat: boolean }) =>
    `The lines do not give the amount, the totals per VAT rate do, read as amounts ${withVat ? 'with' : 'without'} VAT.`,
  CUSTOMER_OWES: ({ currency }: { currency?: string }) =>
    currency === undefined ? 'What the customer owes.' : `What the customer owes, in ${currency}.`,
  ITEM_NUMBER: ({ number }: { number: string }) => `The item is number ${number}.`,
  ITEM_CATEGORY: ({ category }: { category: string }) => `The item is of category ${category}.`,
  NO_OWN_ACCOUNT: () => 'Neither the item number nor the category has an account of its own.',
  TAXED_AS: ({ treatment }: { treatment: string }) => `The line is taxed as ${treatment}.`,
  RESIDUAL: ({ isFee }: { isFee: boolean }) =>
    `${isFee ? 'A fee' : 'A discount'} that the totals hold and the lines do not.`,
  VAT_ON_LINES: () => 'VAT on the sum of its lines.',
  ERP_SPLITS_VAT: () => 'The ERP takes the VAT out of the line by its code.',
  PAID_IN: () => 'What the bank paid in for the claim.',
  TAX_WITHHELD: () => 'Capital gains tax that the bank withheld.',
  INTEREST_PAID: () => 'Default interest that the customer paid.',
  COLLECTION_PAID: () => 'Default charge and other costs that the customer paid.',
  PAID_ON: ({ day }: { day: string }) => `The payment was first seen of ${day}.`,
  SPREAD_OVER: ({ releases, first, last }: { releases: number; first: string; last: string }) =>
    releases === 1 ? `Released on ${first}.` : `Released on ${releases} days from ${first} to ${last}.`,
  WAITS_FOR_RELEASE: ({ isLater }: { isLater: boolean }) =>
    `It belongs to ${isLater ? 'later' : 'earlier'} months than the document, and waits here for them.`,
  RELEASED: ({ part, of }: { part: string; of: string }) => `Part ${part} of ${of} that waited.`,
  CLOSES_RECEIVABLE: () => 'Closes what the customer owes.',
  EXCHANGE_DIFFERENCE: ({ isGain }: { isGain: boolean }) =>
    `What the currency ${isGain ? 'rose' : 'fell'} between the invoice and its payment.`,
  PAYMENT_TAKEN_BACK: () => 'The payment that was booked here was taken back.',
  PAID_BY_METHOD: ({ method }: { method: string }) => `It was paid by method ${method}.`,
  PAYMENT_UNKNOWN: () => 'How it was paid is not known.',
  END_KEPT: ({ number }: { number: string }) => `Of ${number} the end was kept.`,
  FIELD_SAYS: ({ field, text }: { field: string; text: string }) => `${field} says "${text}".`,
  VALUE_UNKNOWN: ({ field, text }: { field: string; text: string }) =>
    `${field} says "${text}", which the value table does not know.`,
  DATE_FROM_XML: () => 'Only the e-invoice has a date.',
  COST_NUMBER: ({ fromXml }: { fromXml: boolean }) =>
    `The prefix, then ${fromXml ? 'the number on the e-invoice' : 'the beginning of the guid'}.`,
  XML_SAYS_SO: () => 'The e-invoice says so.',
  CREDIT_NOTE_FLAG: () => 'credit_note is 1.',
  NO_XML_TO_TELL: () => 'There is no e-invoice to tell a credit note by.',
  CODE_IS: ({ costCode, written }: { costCode: string; written?: string }) =>
    written === undefined
      ? `The code is ${costCode}.`
      : `The code ${written} is another name of ${costCode}.`,
  PRIOR_PERIOD: ({ issued }: { issued: string }) => `The invoice was issued on ${issued}, in a prior period.`,
  TABLE_KNOWS: ({ key }: { key: string }) => `The table knows ${key}.`,
  EMPLOYEE_PAID: ({ name }: { name: string }) => `The texts name ${name}, and an employee paid.`,
  CASE_OF_LINE: () => 'The first case that fits this line.',
  CASE_OF_COST: () => 'The first case that fits this cost.',
} satisfies TextTable;

// How a document stands, and what an act on it would do.

export const DOCUMENTS = {
  DOCUMENT_DISCOVERED: () => 'It was found and waits for its turn; nothing has to be done.',
  DOCUMENT_MAPPED: () => 'Its journal is made and waits to be sent to the ERP; nothing has to be done.',
  DOCUMENT_POSTING: () => 'Its journal is on the way to the ERP.',
  DOCUMENT_UNCERTAIN: () =>
    'It may have reached the ERP; the bridge is finding out and posts it only if it is surely not there.',
  DOCUMENT_POSTED: () => 'It is in the books; the source is told next.',
  DOCUMENT_WRITING_BACK: () => 'It is in the books, and Posted is being written at the source.',
  DOCUMENT_ACKNOWLEDGED: ({ entry }: { entry?: string }) =>
    `It is in the books as ${entry ?? 'an entry'}, and the source says Posted.`,
  DOCUMENT_SKIPPED: ({ reason }: { reason: Message }, say: Say) => `It is not booked: ${say(reason)}`,
  DOCUMENT_REVERSED: () => 'Its entry was reversed. Repost it if it belongs in the books after all.',
  DOCUMENT_MOVED_TO_NEW: () =>
    'It was moved to New at the source, and comes back by itself when it is approved there.',
  /** Made by say() from the table of reasons. */
  CURE: ({ reason }: { reason: string }) => reason,
  NO_REASON: () => 'no reason is on record.',
  /** One after the other. */
  SENTENCES: ({ said }: { said: readonly Message[] }, say: Say) => said.map(say).join(' '),

  REPLAYS_FROM_THE_START: () => 'It is read, mapped and posted anew, under the same key.',
  REPLAYS_BY_FINDING_OUT: () => 'The bridge finds out whether the ERP has it, and goes on from there.',
  REPLAYS_THE_STATUS: () => 'It is in the books; the source is read and told again.',
  REPLAYS_NOW: () => 'It is tried now instead of later.',
  REPLAY_HOLDS_AGAIN: () =>
    'It is held again: the tenant file still lacks what it waits for. Mend the file, and it goes on by itself; replay it only if it was changed at the source.',
  REPLAY_PARKS_AGAIN: () =>
    'This ERP cannot be asked whether it has it, so it is parked again. Look there; if it is surely not there, replay with --surely-absent.',
  IS_NEW_AT_SOURCE: () =>
    'It is New at the source. Correct it there if needed and approve it: then the next sweep brings it back.',
  IS_APPROVED_AT_SOURCE: () => 'It is approved at the source already: the next sweep brings it back.',
} satisfies TextTable;

// What the certificate of a period says.

export interface Named {
  kind: string;
  number: string;
}
const plural = (count: number, one: string, many: string) => `${String(count)} ${count === 1 ? one : many}`;

export const CLOSING = {
  CLOSE_SOURCE_DIFFERS: ({ subject, source, bridge }: { subject: string; source: string; bridge: string }) =>
    `${subject}: the invoicing service has ${source}, the bridge ${bridge}.`,
  CLOSE_NOT_KNOWN: ({ kind, number }: Named) =>
    `${kind} ${number} is at the invoicing service, and the bridge does not know it.`,
  CLOSE_NOT_AT_SOURCE: ({ kind, number }: Named) =>
    `${kind} ${number} is on record here, and the invoicing service no longer shows it.`,
  CLOSE_AMOUNT_CHANGED: ({ kind, number, was, is }: Named & { was: string; is: string }) =>
    `${kind} ${number} was ${was} when it was booked, and is ${is} at the invoicing service now.`,
  CLOSE_CONTENT_CHANGED: ({ kind, number, fields }: Named & { fields: string }) =>
    `${kind} ${number} was edited at the invoicing service after it was booked${fields === '' ? '' : `: ${sourceFieldWords('en', fields)}`}.`,
  CLOSE_CANCELLED: ({ kind, number }: Named) =>
    `${kind} ${number} was cancelled at the invoicing service, is in the books, and no credit note takes it back.`,
  CLOSE_NOT_POSTED: ({ kind, number, status }: Named & { status: string }) =>
    `${kind} ${number} is in the books, and the invoicing service says ${status}.`,
  CLOSE_ENTRY_NOT_CLAIMED: ({ kind, number, entry, state }: Named & { entry: string; state: string }) =>
    `The ERP has entry ${entry} for ${kind} ${number}, which is not booked on record: it is ${state}.`,
  CLOSE_CONTENT_UNREAD: ({ count, problem }: { count: number; problem: string }) =>
    `${plural(count, 'booked document was', 'booked documents were')} not read again, so nobody knows whether they were edited: ${problem}`,
  CLOSE_ACCOUNT_DIFFERS: ({ account, bridge, erp }: { account: string; bridge: string; erp: string }) =>
    `Account ${account}: the bridge booked ${bridge}, the ERP shows ${erp}.`,
  CLOSE_VAT_DIFFERS: ({ vatCode, bridge, erp }: { vatCode: string; bridge: string; erp: string }) =>
    `VAT code ${vatCode}: the bridge booked ${bridge}, the ERP shows ${erp}.`,
  CLOSE_ENTRY_MISSING: ({ kind, number, entry }: Named & { entry: string }) =>
    `${kind} ${number} was booked as ${entry}, and the ERP no longer shows that entry.`,
  CLOSE_ENTRY_UNKNOWN: ({ entry, key }: { entry: string; key: string }) =>
    `The ERP has entry ${entry} under ${key}, and the bridge does not know it.`,
  CLOSE_ENTRY_TWICE: ({ key, count }: { key: string; count: number }) =>
    `The ERP has ${String(count)} entries under ${key}.`,
  CLOSE_NUMBER_MISSING: ({ numbers, count }: { numbers: string; count: number }) =>
    `${plural(count, 'invoice number is', 'invoice numbers are')} missing in the series: ${numbers}.`,
  CLOSE_WAITING: ({ kind, number, state }: Named & { state: string }) =>
    `${kind} ${number} is not finished: ${state}.`,
  CLOSE_ORIGINAL: ({ kind, number, role, state }: Named & { role: string; state: string }) =>
    `${originalWord('en', 'roles', role)} of ${kind} ${number} is not where it belongs: ${originalWord('en', 'states', state)}.`,
  PERIOD_REOPENED: ({ count }: { count: number }) =>
    `Reopened: ${plural(count, 'document has', 'documents have')} come, changed or moved since it was made. Close again.`,
  CERTIFICATE_UNKNOWN: ({ id }: { id: string }) => `There is no certificate ${id.slice(0, 40)}.`,
  CLOSED_MEANWHILE: ({ tenant }: { tenant: string }) =>
    `Somebody else has closed a period of ${tenant} meanwhile, and certificates follow each other: close again.`,
  CLOSE_AUDIT_BROKEN: () => 'The audit chain is broken: entries were changed or removed.',
  CLOSE_SOURCE_UNREADABLE: ({ problem }: { problem: string }) =>
    `The invoicing service could not be read to the end: ${problem}`,
  CLOSE_LIMIT_HIDDEN: () =>
    'Costs that the invoicing service does not hand over (not yet approved for booking, or hidden) are not seen here.',
  CLOSE_LIMIT_CUT_OVER: ({ day }: { day: string }) => `Documents issued before ${day} are not the bridge’s.`,
  CLOSE_LIMIT_NO_LOOK_UP: () =>
    'This ERP shows no entries to programs: what is in its books was not compared.',
  CLOSE_LIMIT_OTHERS: () => 'Entries that people or other programs book in the ERP are not looked at.',
  CLOSE_LIMIT_VAT: () =>
    'This ERP shows no VAT codes to programs: VAT by code is what the bridge booked, and the ERP is compared by account.',
  CLOSE_LIMIT_RESTORED: ({ day }: { day: string }) =>
    `The bridge’s records were put back to an earlier state on ${day}: what it forgot is found by its next full sweep, or shows as a difference here.`,
  CLOSE_LIMIT_ORIGINALS_OFF: () => 'Originals are not kept for this company, so they were not looked for.',
} satisfies TextTable;

// What is wrong with what was asked for, in our words.

export const REQUESTS = {
  TOO_MANY_FIT: () =>
    'Too many documents fit this text to name all of them. Write more of the name or number.',
  INPUT_UNUSABLE: ({ where, problem }: { where: string; problem: string }) => `${where}: ${problem}`,
  SEARCH_UNUSABLE: ({ where, problem }: { where: string; problem: string }) =>
    `The search cannot be used: ${where}: ${problem}`,
  NO_SUCH_PERIOD: ({ written }: { written: string }) =>
    `"${written}" is no period: write 2026-09..10, 2026-09, 2026 or 2026-09-01..2026-10-31.`,
  NO_FILE_OF_TENANT: ({ tenant }: { tenant: string }) => `There is no tenant file for ${tenant}.`,
  TOO_MANY_COMPANIES: ({ most }: { most: number }) => `Name at most ${most} companies.`,
  NO_SUCH_ROLE: ({ role, company }: { role: string; company: string }) =>
    `"${role}" is no role: write ${company}=viewer, ${company}=operator or ${company}=admin.`,
  NO_SUCH_DAY: ({ written }: { written: string }) => `"${written}" is not a day like 2026-01-31.`,
  TOKEN_NAME_UNFIT: () => 'Name the token after who uses it: 1 to 60 letters, digits, spaces, . _ -',
  TOKEN_LIFE_UNFIT: ({ most }: { most: number }) => `A token is valid for 1 to ${most} days.`,
  TOKEN_WITHOUT_COMPANY: () => 'Name at least one company, or none for all of them.',
  CHOOSE_BETWEEN: ({ most }: { most: number }) => `Name between 1 and ${most} documents.`,
  PERIOD_UNFIT: () => 'Give a month (2026-10), a year (2026), or two days, the first first.',
  STILL_SAYS: ({ status, answer }: { status: string; answer?: string }) =>
    `The source still says ${status}${answer === undefined ? '' : `: ${answer}`}.`,
  COST_GONE: ({ outcome }: { outcome: 'gone' | 'unreadable' }) => `The cost is ${outcome} at the source.`,
  HLEDGER_TAKES_JOURNALS: () => 'hledger takes journals; postings go as csv or json.',
  NO_SUCH_ACT: ({ act }: { act: string }) => `There is no act "${act}".`,
  FILE_CHANGED_MEANWHILE: ({ file }: { file: string }) => `${file} was changed meanwhile.`,
  FILE_SAVED_NOW: ({ file }: { file: string }) => `Somebody else saves ${file} at this moment.`,
  FILE_NOT_WRITABLE: ({ file, code }: { file: string; code: string }) =>
    `${file} cannot be written here (${code}).`,
  TENANT_NOT_LOADED: ({ name }: { name: string }) => `Tenant ${name} is not loaded here.`,
  NO_CURSOR_YET: ({ tenant, kind }: { tenant: string; kind: string }) =>
    `${tenant} has no cursor for ${kind}s yet: sweep it first.`,
} satisfies TextTable;
