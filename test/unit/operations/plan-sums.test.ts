// What a plan subtracts because the ERP said of single documents that it would refuse them.
import { expect, it } from 'vitest';
import type { Rejected } from '../../../src/erp/erp-adapter.js';
import { PlanSums } from '../../../src/operations/plan-sums.js';
import { invoiceJournal } from '../../support/fakes/sample-journals.js';

function sumsOf(keys: readonly string[]): PlanSums {
  const sums = new PlanSums(50, 'en');
  for (const key of keys)
    sums.add({ postingId: key, guid: key, key, kind: 'invoice' }, {
      outcome: 'post',
      journal: invoiceJournal(),
      warnings: [],
      trace: [],
    } as never);
  return sums;
}

const refused = (code: Rejected['code'], about: Partial<Rejected> = {}): Rejected => ({
  ...{ outcome: 'rejected', code, message: `said ${code}`, ...about },
});

it('counts what the ERP would refuse as it would rest, and neither as posted nor in the totals', () => {
  const sums = sumsOf(['A', 'B', 'C', 'D']);
  expect(sums.whole([]).map(({ key }) => key)).toEqual(['A', 'B', 'C', 'D']);
  const refusals = new Map([
    ['A', refused('unknown-party', { party: '4501011230' })],
    ['B', refused('closed-period', { period: '2026-03' })],
    ['C', refused('duplicate')],
  ]);
  const { outcomes, reasons, totalIsk } = sums.result([], {}, refusals);
  expect(outcomes).toMatchObject({ post: 1, hold: 2, park: 1 });
  expect(totalIsk).toBe('12400');
  expect(reasons.map(({ outcome, code, subject }) => [outcome, code, subject])).toEqual([
    ['hold', 'ERP_CONFIGURATION', '4501011230'],
    ['hold', 'ERP_PERIOD_CLOSED', '2026-03'],
    ['park', 'ERP_REFUSED', 'duplicate'],
  ]);
});

it('does not ask about what it lacks already, and says of that only why it is lacking', () => {
  const sums = sumsOf(['A']);
  const lacking = [{ severity: 'error', message: 'no account 3000', lacks: { account: '3000' } } as const];
  expect(sums.whole(lacking)).toEqual([]);
  const { reasons } = sums.result(lacking, {}, new Map([['A', refused('duplicate')]]));
  expect(reasons).toMatchObject([{ outcome: 'hold', code: 'ERP_CONFIGURATION', subject: '3000', count: 1 }]);
});
