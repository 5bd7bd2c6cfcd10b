// A document as a sweep leaves it, for tests that need a row and care for nothing in it.
import { randomUUID } from 'node:crypto';

export const SEEN_AT = new Date('2026-01-15T12:00:00Z');

/** Its id is its guid. */
export function storedDocument(tenantName: string, referGuid = '') {
  const id = randomUUID();
  return {
    id,
    tenantName,
    kind: 'invoice',
    guid: id,
    number: '1',
    amount: '1240',
    currency: 'ISK',
    issueDate: '2026-01-15',
    counterpartyName: 'Anna',
    counterpartyKennitala: '',
    sourceStatus: 'Created',
    referGuid,
    firstSeenAt: SEEN_AT,
    lastSeenAt: SEEN_AT,
  };
}
