// A short name for a value: equal values have equal ones.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json.js';

export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}
