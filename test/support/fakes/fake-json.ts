// How the fakes read and write JSON: numbers keep their text, and bodies are checked strictly, since a field that the
// vendor does not know is a mistake of ours that the real service would refuse or, worse, ignore.
import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { z } from 'zod';
import { Decimal } from '../../../src/domain/money.js';
import type { FakeReply } from './fake-server.js';

export function readJson(body: Buffer): unknown {
  return body.byteLength === 0 ? undefined : parse(body.toString('utf8'));
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): FakeReply {
  const body = stringify(value, (_key, item: unknown) =>
    Decimal.isDecimal(item) ? new LosslessNumber(item.toFixed()) : item,
  );
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    ...(body === undefined ? {} : { body }),
  };
}

const number = z.custom<LosslessNumber>(isLosslessNumber, 'a number is required');
export const decimal = number.transform((value) => new Decimal(value.value));
export const integer = number.transform((value) => Number(value.value)).pipe(z.int());
