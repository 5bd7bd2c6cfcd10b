// Whether a record waits on for the very same.
import { canonicalJson } from '../domain/canonical-json.js';
import type { Reason } from '../domain/message.js';

export function isSameReason(one: Reason | null, other: Reason | null | undefined): boolean {
  return one !== null && canonicalJson(partsOf(one)) === canonicalJson(other ? partsOf(other) : null);
}

function partsOf({ code, subject, params }: Reason): Reason {
  return { code, subject, params };
}
