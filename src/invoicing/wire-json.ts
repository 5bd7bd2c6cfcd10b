// JSON on the wire, every digit kept. lossless-json reads strings character by character, which is ruinous for the base64
// files inside cost records (20 MB took 4 s and 770 MB here), so long strings are set aside before it and put back after.
import { randomUUID } from 'node:crypto';
import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { Decimal } from '../domain/decimal.js';

const LONG_STRING = 16_384;

/** Throws SyntaxError or RangeError; callers treat every throw as "unreadable". */
export function parseJson(text: string): unknown {
  if (text.length <= LONG_STRING) return parse(text);
  const nonce = randomUUID();
  const { shortened, aside } = setLongStringsAside(text, nonce);
  const value = parse(shortened);
  return aside.length === 0 ? value : putBack(value, `${nonce}:`, aside);
}

/** Decimals become JSON numbers with the digits they have; keys keep their order. */
export function writeJson(value: unknown): string {
  return (
    stringify(value, (_key, member) => (Decimal.isDecimal(member) ? asNumber(member) : member)) ?? 'null'
  );
}

/** For people to read, every digit kept. */
export function prettyJson(value: unknown): string {
  return stringify(value, undefined, 2) ?? 'null';
}

/** The same value always gives the same text: keys are sorted. For snapshots, which are compared and hashed. */
export function canonicalJson(value: unknown): string {
  return stringify(sortKeys(value)) ?? 'null';
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

// lossless-json writes what its own number class holds without quotes; decimal.js would arrive here as a string.
function asNumber(decimal: Decimal): LosslessNumber {
  return new LosslessNumber(decimal.toFixed());
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) sorted[key] = sortKeys(value[key]);
  return sorted;
}

function setLongStringsAside(text: string, nonce: string): { shortened: string; aside: string[] } {
  const pieces: string[] = [];
  const aside: string[] = [];
  let copiedTo = 0;
  let open = text.indexOf('"');
  while (open !== -1) {
    const close = endOfString(text, open);
    if (close === -1) break;
    if (close - open > LONG_STRING) {
      pieces.push(text.slice(copiedTo, open), `"${nonce}:${String(aside.length)}"`);
      aside.push(JSON.parse(text.slice(open, close + 1)) as string);
      copiedTo = close + 1;
    }
    open = text.indexOf('"', close + 1);
  }
  pieces.push(text.slice(copiedTo));
  return { shortened: pieces.join(''), aside };
}

function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === 92) backslashes += 1;
  return backslashes % 2 === 1;
}

function putBack(value: unknown, prefix: string, aside: readonly string[]): unknown {
  if (typeof value === 'string') {
    return value.startsWith(prefix) ? aside[Number(value.slice(prefix.length))] : value;
  }
  if (Array.isArray(value)) return value.map((entry) => putBack(entry, prefix, aside));
  if (!isJsonObject(value)) return value;
  const whole: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) whole[key] = putBack(member, prefix, aside);
  return whole;
}
