// JSON as it crosses the network, without binary floating point: numbers stay the text they came as until a schema
// says whether they are an amount or a count, and a Decimal is written as the number it is.
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json';
import * as z from 'zod';
import { Decimal } from '../domain/money.js';
import { parseLossless } from '../domain/canonical-json.js';
import { madeOf } from '../domain/made-of.js';

/** An answer is looked at twice in a row: for a refusal, then for what it says. */
let last: { readonly body: Uint8Array; readonly value: unknown } | null = null;
/** A larger one is read twice, and not kept until the next comes. */
const KEPT_BYTES_MAX = 1024 * 1024;

/** Undefined when the bytes are not JSON (an HTML page, half an answer, nothing at all). */
export function readWireJson(body: Uint8Array): unknown {
  if (last?.body === body) return last.value;
  const value = readOnce(body);
  if (body.byteLength <= KEPT_BYTES_MAX) last = { body, value };
  return value;
}

function readOnce(body: Uint8Array): unknown {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8').trim();
  if (text === '') return undefined;
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}

export function writeWireJson(value: unknown): string {
  const text = stringify(value, (_key: string, item: unknown) =>
    Decimal.isDecimal(item) ? new LosslessNumber(item.toFixed()) : item,
  );
  if (text === undefined) throw new TypeError('There is nothing to write as JSON.');
  return text;
}

const wireNumber = z.custom<LosslessNumber>(isLosslessNumber, 'expected a number');

export const wireAmount = madeOf(wireNumber, (number) => new Decimal(number.value));

/** Ids and counts: whole, and small enough to be exact. */
export const wireInteger = madeOf(wireNumber, (number) => Number(number.value)).pipe(
  z.int('expected a whole number'),
);
