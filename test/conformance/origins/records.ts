// Records of every kind, as files have them; the number tells them apart, and another version is other content.
import type { OriginProblem, OriginRecord } from '../../../src/origins/origin.js';
import type { SubmissionKind } from '../../../src/domain/submission.js';
import { TELLING_TEXT } from '../../../src/origins/conformance/target.js';

export const LINE = { item_number: 'V-1', description: TELLING_TEXT, qty: '2', unit_price: '1000', tax: 'S' };

/** Ten digits that are nobody's. */
export const kennitalaOf = (record: number) => `540269${String(record).padStart(2, '0')}29`;

const customerOf = (record: number) => ({
  kennitala: kennitalaOf(record),
  name: 'Prufa ehf.',
  email: 'a@b.is',
});

export const INVOICE = {
  issue_date: '2026-03-01',
  customer: { kennitala: '5402696029', name: 'Prufa ehf.', email: 'a@b.is' },
  lines: [LINE],
};

/** What a line of JSON says of it, beside its kind and reference. */
export function fieldsOf(kind: SubmissionKind, record: number, version: 1 | 2): Record<string, unknown> {
  const changed = version === 2;
  switch (kind) {
    case 'invoice':
    case 'draft':
    case 'order':
    case 'quote':
      return {
        ...{ issue_date: '2026-03-01', customer: customerOf(record), lines: [LINE] },
        ...(changed ? { terms: 'Greiðist strax' } : {}),
      };
    case 'customer':
      return {
        ...{ kennitala: kennitalaOf(record), name: TELLING_TEXT, email: 'a@b.is' },
        ...(changed ? { city: 'Akureyri' } : {}),
      };
    case 'item':
      return { description: TELLING_TEXT, tax: 'S', unit_price: changed ? '2490' : '1990' };
    case 'task':
      return {
        ...{ customer: customerOf(record), name: TELLING_TEXT, tax: 'S' },
        unit_price: changed ? '16000' : '15000',
      };
    case 'hours':
      return {
        ...{ task: 'T-1', date: '2026-03-01', from: '09:00', to: changed ? '11:00' : '10:00' },
        description: TELLING_TEXT,
      };
    case 'subscription':
      return {
        ...{ customer: customerOf(record), name: TELLING_TEXT, interval: 'monthly', lines: [LINE] },
        start_date: changed ? '2026-04-01' : '2026-03-01',
      };
    case 'cost':
      return {
        ...{ date: '2026-03-01', amount: changed ? '1300' : '1240', how_paid: '3', type: '2353' },
        ...{ supplier_name: TELLING_TEXT, supplier_id: '5402696029', vat_24: '240' },
      };
  }
}

export function referenceOf(kind: SubmissionKind, record: number): string {
  return kind === 'customer' ? kennitalaOf(record) : `A-${String(record)}`;
}

/** Of a record that can be read. */
export function contentIn(read: OriginRecord | OriginProblem | null): string {
  if (!read || !('content' in read)) throw new Error(`it cannot be read: ${JSON.stringify(read)}`);
  return read.content;
}
