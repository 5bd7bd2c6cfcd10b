// JSON on the wire, every digit kept.
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json';
import { Decimal } from '../domain/money.js';

export { parseLossless as parseJson } from '../domain/canonical-json.js';

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

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

// lossless-json writes what its own number class holds without quotes; decimal.js would arrive here as a string.
function asNumber(decimal: Decimal): LosslessNumber {
  return new LosslessNumber(decimal.toFixed());
}
