// What makes two readings of a document the same document. Left out: what the service changes by itself after issue (status,
// claims, interest, hub messages), what we write (accounting_*), and the attachment. A cancelled invoice is another document.
import { isLosslessNumber } from 'lossless-json';
import { hash as hashOf } from 'node:crypto';
import { Decimal } from '../domain/money.js';
import { fieldsInOrder, jsonText, parseLossless } from '../domain/canonical-json.js';
import { onceOf } from '../domain/once-of.js';
import type { SourceKind } from '../domain/source-document.js';
import { trimEndOf } from '../domain/text.js';

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

type Content = Readonly<Record<string, unknown>>;

/** `content`: the record as it was read, which is hashed once, or the text of its snapshot. */
export function contentHash(kind: SourceKind, content: Content | string): string {
  const record = typeof content === 'string' ? (parseLossless(content) as Content) : content;
  return hashOfRecord(record, kind);
}

const hashOfRecord = onceOf((record: Content, kind: SourceKind) => hashOf('sha256', contentOf(kind, record)));

/** Which fields make two readings two contents, by the names that the service gives them. */
export function changedFields(kind: SourceKind, before: Content, after: Content): string[] {
  const names = [...namesOfFacts(kind, before), ...namesOfFacts(kind, after)];
  return [...new Set(names)].filter(
    (name) => canonical(factOf(kind, before, name)) !== canonical(factOf(kind, after, name)),
  );
}

function contentOf(kind: SourceKind, record: Content): string {
  let text = '';
  for (const { name, written } of fieldsInOrder(namesOfFacts(kind, record)))
    text = withField(text, written, canonical(factOf(kind, record, name)));
  return `{${text}}`;
}

/** What the service has no field for, and is a fact all the same. */
const CANCELLED = 'cancelled';

function namesOfFacts(kind: SourceKind, record: Content): string[] {
  const volatile = VOLATILE[kind];
  const names = Object.keys(record).filter((field) => !volatile.has(field));
  if (kind === 'invoice' && record[CANCELLED] === undefined) names.push(CANCELLED);
  return names;
}

function factOf(kind: SourceKind, record: Content, name: string): unknown {
  return kind === 'invoice' && name === CANCELLED ? record['status'] === 'Cancelled' : record[name];
}

/** Numbers as nearly everybody writes them: their shortest form is found in the text. */
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Without an exponent or zeros at the end: 12.50 and 1.25e1 are the same number. */
function shortest(number: string): string {
  if (!PLAIN.test(number)) return new Decimal(number).toFixed();
  const short = number.includes('.') ? trimEndOf(trimEndOf(number, '0'), '.') : number;
  return short === '-0' ? '0' : short;
}

/** Same content, same text: keys sorted, numbers without trailing zeros, null and absent and empty alike. */
function canonical(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'null';
  if (typeof value === 'string') return jsonText(value);
  if (isLosslessNumber(value)) return shortest(value.value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  return typeof value === 'object' ? canonicalObject(value) : JSON.stringify(value);
}

function canonicalObject(object: object): string {
  let text = '';
  for (const { name, written } of fieldsInOrder(Object.keys(object)))
    text = withField(text, written, canonical((object as Content)[name]));
  return `{${text}}`;
}

function withField(text: string, written: string, value: string): string {
  if (value === 'null') return text;
  return text === '' ? written + value : `${text},${written}${value}`;
}
