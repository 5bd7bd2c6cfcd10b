// JSON as it crosses the network, without binary floating point: numbers stay the text they came as until a schema
// says whether they are an amount or a count, and a Decimal is written as the number it is.
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json';
import * as z from 'zod';
import { Decimal } from '../domain/decimal.js';
import { parseLossless } from '../domain/lossless-json.js';

/** An answer is looked at more than once: for a refusal, then for what it says. */
const readBefore = new WeakMap<Uint8Array, { readonly value: unknown }>();

/** Undefined when the bytes are not JSON (an HTML page, half an answer, nothing at all). */
export function readWireJson(body: Uint8Array): unknown {
  const before = readBefore.get(body);
  if (before) return before.value;
  const value = readOnce(body);
  readBefore.set(body, { value });
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

export const wireAmount = wireNumber.transform((number) => new Decimal(number.value));

/** Ids and counts: whole, and small enough to be exact. */
export const wireInteger = wireNumber
  .transform((number) => Number(number.value))
  .pipe(z.int('expected a whole number'));
