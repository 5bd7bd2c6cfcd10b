import { expect, test } from 'vitest';
import { periodFindings } from '../../../src/erp/chart.js';

const closedUntil = (last: string) => (day: string) => (day <= last ? `Closed until ${last}.` : null);

test('nothing is said of periods that nobody asked about', () => {
  expect(periodFindings(undefined, () => 'closed')).toEqual([]);
  expect(periodFindings([], () => 'closed')).toEqual([]);
});

test('that every day is open is said too, so that silence means not checked', () => {
  expect(periodFindings(['2026-02-01', '2026-02-02'], closedUntil('2026-01-31'))).toEqual([
    { severity: 'ok', about: 'period', message: 'All 2 posting dates are open.' },
  ]);
});

test('closed days are one error a reason, with the span of the days and what to do', () => {
  const [finding, ...others] = periodFindings(
    ['2026-02-01', '2026-01-03', '2026-01-02'],
    closedUntil('2026-01-31'),
  );
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    severity: 'error',
    about: 'period',
    message: '2 days from 2026-01-02 to 2026-01-03 cannot be booked on. Closed until 2026-01-31.',
  });
  expect(finding!.remedy).toContain('Open the period');
});
