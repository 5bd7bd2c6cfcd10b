// Whether an invoice at the simulated service is one that we made there, with the semantics of store/our-invoices.ts.
import type { OurInvoices } from '../../../src/sync/tenant-context.js';
import type { Life } from '../life.js';
import type { SubmissionRow } from '../memory-submissions.js';
import type { OutgoingSide } from './outgoing-side.js';

const MADE: ReadonlySet<string> = new Set(['created', 'acknowledged']);

function isSettled({ record, sends }: SubmissionRow): boolean {
  return MADE.has(record.state) || (record.state === 'skipped' && sends === 0);
}

export function memoryOurInvoices(
  { records, flaws, booked: unlessSaid }: OutgoingSide,
  life: Life,
): OurInvoices {
  return {
    recognise: async ({ guid }, marks) => {
      await life.step(1);
      if (flaws.knowsNothingOfOurs) return { verdict: 'another', reference: '' };
      const all = marks.flatMap((mark) => records.rows.get(mark) ?? []);
      const rows = all.filter(
        ({ record, booked }) => record.kind !== 'subscription' && (booked ?? unlessSaid) === 'origin',
      );
      const isForgotten = all.length === 0 && unlessSaid === 'origin';
      if (rows.length === 0 && !isForgotten)
        return { verdict: 'another', reference: all[0]?.record.reference ?? '' };
      const same = rows.find(({ record }) => record.guid === guid && MADE.has(record.state));
      if (same) return { verdict: 'ours', reference: same.record.reference };
      const isOver = rows.length > 0 && rows.every(isSettled);
      return {
        verdict: isOver ? 'another' : 'in-doubt',
        reference: rows[0]?.record.reference ?? marks[0] ?? '',
      };
    },
  };
}
