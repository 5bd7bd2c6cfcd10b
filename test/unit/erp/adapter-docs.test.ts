import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type AdapterReports,
  documentReportNames,
  withReports,
} from '../../../lab/kit/conformance/report.js';
import { CONFORMANCE_CASES, type ConformanceReport } from '../../../lab/kit/conformance/run-conformance.js';
import { CONFORMANCE_CASE_IDS } from '../../../lab/kit/conformance/target.js';
import { ERP_ADAPTER_NAMES } from '../../../src/erp/registry.js';

const PAGE = new URL('../../../docs/reference/adapters.md', import.meta.url);
const REPORTS = new URL('../../conformance/reports/', import.meta.url);

function reportOf(name: string): ConformanceReport {
  return JSON.parse(readFileSync(new URL(`${name}.json`, REPORTS), 'utf8')) as ConformanceReport;
}

function reportsOf(name: string): AdapterReports {
  const there = documentReportNames(name).filter((each) => existsSync(new URL(`${each}.json`, REPORTS)));
  return { usual: reportOf(name), documents: there.map(reportOf).at(-1) };
}

/** Those that are driven by `KeyedBooks`; the others implement the port themselves. */
const KEYED = new Set(['dkplus', 'odoo', 'uniconta', 'xero']);
const filesOf = (name: string) => [
  ...['README.md', 'client.ts', 'index.ts', 'settings.ts', 'texts.ts', 'translate.ts'],
  KEYED.has(name) ? 'books.ts' : 'adapter.ts',
];
const SECTIONS = [
  /^Set-up (in|of) /,
  /^Permissions\n/,
  /^What it can and cannot do\n/,
  /^Verified and assumed\n/,
];

describe('the page about adapters', () => {
  test('shows the report of every registered adapter as the suite wrote it; run `npm run generate`', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toBe(withReports(page, ERP_ADAPTER_NAMES.map(reportsOf)));
  });

  test.each(ERP_ADAPTER_NAMES)('%s has a README, and its page is linked', (name) => {
    expect(existsSync(new URL(`../../../src/erp/${name}/README.md`, import.meta.url))).toBe(true);
    expect(readFileSync(PAGE, 'utf8')).toContain(`(../../src/erp/${name}/README.md)`);
  });

  test.each(ERP_ADAPTER_NAMES)('%s has the files that every adapter has', (name) => {
    const files = readdirSync(new URL(`../../../src/erp/${name}/`, import.meta.url));
    expect(filesOf(name).filter((file) => !files.includes(file))).toEqual([]);
  });

  test.each(ERP_ADAPTER_NAMES)(
    '%s has the sections that every README has, in their order, each with something in it',
    (name) => {
      const page = readFileSync(new URL(`../../../src/erp/${name}/README.md`, import.meta.url), 'utf8');
      const sections = page.split(/^## /m).slice(1);
      const found = sections.filter((section) => SECTIONS.some((heading) => heading.test(section)));
      expect(found.map((section) => SECTIONS.findIndex((heading) => heading.test(section)))).toEqual([
        0, 1, 2, 3,
      ]);
      expect(found.filter((section) => section.trim().split('\n').length < 5)).toEqual([]);
    },
  );

  test.each(readdirSync(REPORTS))('%s is complete and all green', (file) => {
    const { cases } = reportOf(file.replace('.json', ''));
    expect(cases.map(({ id }) => id)).toEqual(CONFORMANCE_CASES.map(({ id }) => id));
    const isGood = (result: string) => result === 'passed' || result === 'not-applicable';
    expect(cases.filter(({ result }) => !isGood(result))).toEqual([]);
    for (const each of cases) if (each.result === 'not-applicable') expect(each.detail).toMatch(/\w{3}/);
  });

  test('the suite has exactly the cases that targets can exempt', () => {
    expect(CONFORMANCE_CASES.map(({ id }) => id).sort()).toEqual([...CONFORMANCE_CASE_IDS].sort());
  });
});
