// What makes two readings of a document the same document. Left out: what the service changes by itself after issue (status,
// claims, interest, hub messages), what we write (accounting_*), and the attachment. A cancelled invoice is another document.
import { createHash } from 'node:crypto';
import { isLosslessNumber } from 'lossless-json';
import { Decimal } from '../domain/decimal.js';
import { parseLossless } from '../domain/lossless-json.js';
import type { SourceKind } from '../domain/source-document.js';

const VOLATILE: Readonly<Record<SourceKind, ReadonlySet<string>>> = {
  invoice: new Set([
    'status',
    'accounting_status',
    'accounting_message',
    'updated_timestamp',
    'xml_status',
    'claim_id',
    'claim_status',
    'capital_gains_tax',
    'other_default_costs_amount',
    'default_charge_amount',
    'default_interest_amount',
    'bank_transaction_amount',
  ]),
  cost: new Set([
    'accounting_status',
    'accounting_message',
    'updated_timestamp',
    'file',
    'file_name',
    'file_extension',
  ]),
};

export function contentHash(kind: SourceKind, snapshot: string): string {
  const record = parseLossless(snapshot) as Record<string, unknown>;
  const volatile = VOLATILE[kind];
  const kept = Object.entries(record).filter(([field]) => !volatile.has(field));
  const facts: Record<string, unknown> = Object.fromEntries(kept);
  if (kind === 'invoice') facts['cancelled'] = record['status'] === 'Cancelled';
  return createHash('sha256').update(canonical(facts)).digest('hex');
}

/** Same content, same text: keys sorted, numbers without trailing zeros, null and absent and empty alike. */
function canonical(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'null';
  if (isLosslessNumber(value)) return new Decimal(value.value).toFixed();
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object') {
    const fields = Object.entries(value)
      .map(([field, inner]) => [field, canonical(inner)] as const)
      .filter(([, inner]) => inner !== 'null')
      .sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${fields.map(([field, inner]) => `${JSON.stringify(field)}:${inner}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
