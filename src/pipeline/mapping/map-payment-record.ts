// A payment for `map`: the invoice as it shows now, and in its context how it showed before. The first reading is the one that was
// booked, each later one a payment that followed.
import { isCalendarDay } from '../../domain/calendar-day.js';
import type { Journal } from '../../domain/journal.js';
import type { SourceInvoice } from '../../domain/source-document.js';
import { decodeDocument } from '../../invoicing/decode-document.js';
import { decodeContext } from './context.js';
import { mapMalformed } from './map-document.js';
import { mapInvoice } from './map-invoice.js';
import { mapPayment } from './map-payment.js';
import type { MappingOutcome } from './outcome.js';
import type { TenantRules } from './rules.js';

type Raw = Readonly<Record<string, unknown>>;

export function mapPaymentRecord(document: unknown, context: unknown, rules: TenantRules): MappingOutcome {
  const known = (typeof context === 'object' && context !== null ? context : {}) as Raw;
  const before = Array.isArray(known['before']) ? (known['before'] as unknown[]) : [];
  const readings: SourceInvoice[] = [];
  for (const raw of [...before, document]) {
    const decoded = decodeDocument('invoice', raw);
    if (decoded.outcome === 'malformed') return mapMalformed(decoded.problem);
    if (decoded.document.kind === 'invoice') readings.push(decoded.document);
  }
  const [first, ...later] = readings;
  if (!first || later.length === 0)
    return mapMalformed('context.before holds no reading of the invoice as it was booked');
  const looked = decodeContext(context, first.guid);
  const booked = mapInvoice({ ...first, accountingStatus: 'Created' }, rules, looked);
  if (booked.outcome !== 'post') return booked;
  const settled: Journal[] = booked.settlement === undefined ? [] : [booked.settlement];
  let outcome: MappingOutcome = booked;
  for (const reading of later) {
    const day = dayOf(reading, known['paidOn']);
    outcome = mapPayment(reading, rules, looked, { booked: booked.journal, settled: [...settled], day });
    if (outcome.outcome === 'post') settled.push(outcome.journal);
  }
  return outcome;
}

/** As `paidOn` says; else the day on which the invoice was touched, or its issue date. */
function dayOf({ updatedTimestamp, issueDate }: SourceInvoice, paidOn: unknown): string {
  const days = [typeof paidOn === 'string' ? paidOn : '', updatedTimestamp.slice(0, 10), issueDate];
  return days.find(isCalendarDay) ?? issueDate;
}
