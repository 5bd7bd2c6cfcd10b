// What the certificate of a period says.
import { originalWord } from '../originals.js';
import { sourceFieldWords } from '../source-fields.js';
import type { TextTable } from '../table.js';

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
