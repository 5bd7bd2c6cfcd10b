// The same value always gives the same text, whatever the order in which its keys were written.
import { createHash } from 'node:crypto';
import { isObject } from './schema-walk.js';

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) && !Array.isArray(inner) ? sortedByKey(inner) : inner,
  );
}

export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}

function sortedByKey(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
