// From one source document to its journal. Pure: the same document, rules and context give the same outcome, and nothing
// is thrown for anything a document may say. What cannot be booked comes back with a stable reason, a sentence and a cure.
import type { SourceDocument } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import { mapCost } from './map-cost.js';
import { mapInvoice } from './map-invoice.js';
import { notPosted, stop, type MappingOutcome } from './outcome.js';
import type { TenantRules } from './rules.js';

export type { MappingContext } from './context.js';
export type { MappingOutcome } from './outcome.js';

export function mapDocument(
  document: SourceDocument,
  rules: TenantRules,
  context: MappingContext,
): MappingOutcome {
  return document.kind === 'invoice'
    ? mapInvoice(document, rules, context)
    : mapCost(document, rules, context);
}

/** For a record that could not be decoded. `problem` is decodeDocument's. */
export function mapMalformed(problem: string): MappingOutcome {
  return notPosted(stop('MALFORMED_DOCUMENT', { problem }));
}
