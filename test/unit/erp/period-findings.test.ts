import { expect, test } from 'vitest';
import { periodFindings } from '../../../src/erp/chart.js';
import { told } from '../../../src/erp/told.js';
import { findingInWords } from '../../../src/operations/finding-words.js';

const closedUntil = (last: string) => (day: string) => (day <= last ? `Closed until ${last}.` : null);

test('nothing is said of periods that nobody asked about', () => {
  expect(periodFindings(undefined, () => 'closed')).toEqual([]);
  expect(periodFindings([], () => 'closed')).toEqual([]);
});

test('that every day is open is said too, so that silence means not checked', () => {
  expect(periodFindings(['2026-02-01', '2026-02-02'], closedUntil('2026-01-31'))).toEqual([
    {
      severity: 'ok',
      about: 'period',
      message: 'All 2 posting dates are open.',
      said: { code: 'DAYS_OPEN', params: { count: 2 } },
    },
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

test('a closed period is named in the language of the reader, with its reason', () => {
  const reason = (day: string) =>
    day <= '2026-01-31' ? told('BOOKS_CLOSED_UNTIL', { until: '2026-01-31' }) : null;
  const [closed] = periodFindings(['2026-01-02'], reason);
  expect(findingInWords('is', closed!).message).toBe(
    'Ekki er hægt að bóka á 2026-01-02. Bækurnar eru lokaðar til 2026-01-31.',
  );
  const [open] = periodFindings(['2026-02-02'], reason);
  expect(findingInWords('is', open!).message).toBe('Bókunardagurinn er opinn.');
});
