// What the demo shows: one line that moves while documents do, and a closing table with the proof.
import type { ReconciliationReport } from '../../../src/pipeline/reconciliation/reconcile.js';
import type { Progress } from '../../../src/store/progress-reader.js';
import { COMPANIES } from './demo-world.js';

export interface DemoResult {
  readonly settled: boolean;
  /** Since the command was given; null when nothing was left to post. */
  readonly firstPostedMs: number | null;
  readonly settledMs: number | null;
  readonly progress: Progress;
  readonly reports: readonly ReconciliationReport[];
}

const PERSON = ['held', 'parked', 'orphaned'];

function of(states: Readonly<Record<string, number>>, names: readonly string[]): number {
  return names.reduce((total, name) => total + (states[name] ?? 0), 0);
}

const krona = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });

export function progressLine(progress: Progress, elapsedMs: number, isTty: boolean): string {
  const parts = progress.tenants.map(({ tenantName, states }) => {
    const all = Object.values(states).reduce((total, count) => total + count, 0);
    return `${tenantName} ${of(states, ['acknowledged'])}/${all}`;
  });
  const line = `${(elapsedMs / 1000).toFixed(1).padStart(5)} s  ${parts.join('   ')}   under way ${progress.underWay}`;
  return isTty ? `\r\x1b[K${line}` : `${line}\n`;
}

interface Row {
  readonly company: string;
  readonly documents: number;
  readonly posted: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly waiting: number;
  readonly needsYou: number;
  readonly isk: string;
  readonly books: string;
  readonly reconciled: boolean;
}

export function closingTable(
  result: DemoResult,
  booksDirectory: string,
  ledger: { readonly entries: number },
): { ok: boolean; text: string; facts: Record<string, unknown> } {
  const rows = COMPANIES.map((company): Row => {
    const tenant = result.progress.tenants.find(({ tenantName }) => tenantName === company.tenant);
    const states = tenant?.states ?? {};
    return {
      company: company.title,
      documents: Object.values(states).reduce((total, count) => total + count, 0),
      posted: of(states, ['acknowledged']),
      skipped: of(states, ['skipped']),
      rejected: of(states, ['rejected']),
      waiting: of(states, ['deferred']),
      needsYou: of(states, PERSON),
      isk: `${krona.format(Number(tenant?.postedIsk ?? '0'))} kr.`,
      books: company.books,
      reconciled: result.reports.find((report) => report.tenant === company.tenant)?.clean ?? false,
    };
  });
  const ok = result.settled && rows.every((row) => row.reconciled && row.posted > 0);
  const facts = {
    ok,
    settled: result.settled,
    firstPostedMs: result.firstPostedMs,
    settledMs: result.settledMs,
    companies: rows,
    erpLedgerEntries: ledger.entries,
    booksDirectory,
    differences: result.reports.flatMap((report) => report.differences),
  };
  return { ok, text: asText(rows, result, ok, booksDirectory), facts };
}

const COLUMNS: readonly [keyof Row, string][] = [
  ['company', 'Company'],
  ['documents', 'Documents'],
  ['posted', 'Posted'],
  ['skipped', 'Skipped'],
  ['rejected', 'Error'],
  ['waiting', 'Waiting'],
  ['needsYou', 'Needs you'],
  ['isk', 'In the books'],
  ['books', 'Books'],
  ['reconciled', 'Reconciled'],
];

function asText(rows: readonly Row[], result: DemoResult, ok: boolean, booksDirectory: string): string {
  const cells = [
    COLUMNS.map(([, title]) => title),
    ...rows.map((row) => COLUMNS.map(([field]) => cell(row[field]))),
  ];
  const widths = COLUMNS.map((_, index) => Math.max(...cells.map((row) => (row[index] ?? '').length)));
  const lines = cells.map((row) =>
    row
      .map((text, index) =>
        isNumeric(index) ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const first =
    result.firstPostedMs === null
      ? 'nothing was left to post'
      : `first Posted after ${(result.firstPostedMs / 1000).toFixed(1)} s`;
  const settled =
    result.settledMs === null ? 'not settled' : `settled after ${(result.settledMs / 1000).toFixed(1)} s`;
  const verdict = ok
    ? 'Every document is in the books once, or visible with a reason.'
    : 'Something is not as it should be: see above.';
  return [...lines, '', `${first}, ${settled}`, `books in ${booksDirectory}`, verdict].join('\n');
}

function isNumeric(column: number): boolean {
  return column >= 1 && column <= 7;
}

function cell(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'clean' : 'NOT CLEAN';
  return String(value);
}
