import { expect, test } from 'vitest';
import { together } from '../../../src/dashboard/routes/incidents.js';
import type { IncidentRow } from '../../../src/operations/views/incident.js';

const row = (id: string, over: Partial<IncidentRow> = {}) =>
  ({
    id,
    tenantName: 'a',
    code: 'OUTCOME_UNKNOWN',
    state: 'open',
    postingId: `p${id}`,
    ...over,
  }) as IncidentRow;
const ids = (rows: readonly IncidentRow[]) =>
  together(rows).map((group) => group.map(({ id }) => id).join(' '));

test('documents of one company that rest for the same cause are one row, in the place of the first', () => {
  const other = row('x', { code: 'BREAKER_OPEN', postingId: null });
  expect(ids([row('1'), other, row('2'), row('3'), row('4')])).toEqual(['1 2 3 4', 'x']);
});

test('two of them, other companies, other causes and what is about no document stay apart', () => {
  expect(ids([row('1'), row('2')])).toEqual(['1', '2']);
  expect(ids([row('1'), row('2', { tenantName: 'b' }), row('3', { code: 'ERP_COLLISION' })])).toEqual([
    '1',
    '2',
    '3',
  ]);
  const sweeps = ['1', '2', '3'].map((id) => row(id, { code: 'SWEEP_FAILED', postingId: null }));
  expect(ids(sweeps)).toEqual(['1', '2', '3']);
});
