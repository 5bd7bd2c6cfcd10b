// From one source document to its journal. Pure: the same document, rules and context give the same outcome, and nothing
// is thrown for anything a document may say. What cannot be booked comes back with a stable reason, a sentence and a cure.
import type { Journal } from '../../domain/journal.js';
import type { SourceDocument, SourceKind } from '../../domain/source-document.js';
import { message } from '../../language/messages.js';
import type { MappingContext } from './context.js';
import { mapCost } from './map-cost.js';
import { mapInvoice } from './map-invoice.js';
import { notPosted, stop, type MappingOutcome, aboutDocument, because, type TraceEntry } from './outcome.js';
import type { TenantRules } from './rules.js';
import { closingOf, isSummarised } from './summarise.js';

export type { MappingContext } from './context.js';
export type { MappingOutcome } from './outcome.js';

export function mapDocument(
  document: SourceDocument,
  rules: TenantRules,
  context: MappingContext,
): MappingOutcome {
  const mapped =
    document.kind === 'invoice' ? mapInvoice(document, rules, context) : mapCost(document, rules, context);
  return mapped.outcome === 'post' && isSummarised(rules, document.kind, mapped.journal)
    ? { ...mapped, trace: [...mapped.trace, ...bookedTogether(document.kind, rules, mapped.journal)] }
    : mapped;
}

function bookedTogether(kind: SourceKind, rules: TenantRules, { postingDate: day }: Journal): TraceEntry[] {
  const closes = new Date(closingOf(rules, day)).toISOString().slice(0, 16).replace('T', ' ');
  return aboutDocument([because('summary', day, `summary.${kind}s`, message('BOOKED_TOGETHER', { closes }))]);
}

/** For a record that could not be decoded. `problem` is decodeDocument's. */
export function mapMalformed(problem: string): MappingOutcome {
  return notPosted(stop('MALFORMED_DOCUMENT', { problem }));
}
