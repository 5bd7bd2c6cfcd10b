// The report as text: for the terminal while it runs, and as the tables that stand in docs/reference/adapters.md.
import type { ErpCapabilities } from '../../../src/erp/erp-adapter.js';
import { type CaseResult, CONFORMANCE_CASES, type ConformanceReport } from './run-conformance.js';

const SIGNS = { passed: '✓', failed: '✕', 'not-applicable': '–', 'not-shown': '?' } as const;

export function resultLine(result: CaseResult): string {
  const detail = result.detail === undefined ? '' : `\n      ${result.detail.replace(/\n/g, '\n      ')}`;
  return `  ${SIGNS[result.result]} ${result.title}${detail}\n`;
}

export function summaryLine(report: ConformanceReport): string {
  const count = (result: CaseResult['result']) =>
    report.cases.filter((each) => each.result === result).length;
  const unseen = count('not-shown');
  const parts = [
    `${String(count('passed'))} passed`,
    `${String(count('failed'))} failed`,
    `${String(count('not-applicable'))} not applicable`,
    ...(unseen === 0 ? [] : [`${String(unseen)} not shown in full`]),
  ];
  return `${report.adapter} (${report.judge}): ${parts.join(', ')}\n`;
}

export interface CapabilityRow {
  readonly name: string;
  readonly value: string;
}

/** What the adapter declares, in words. */
export function capabilityList(capabilities: ErpCapabilities): CapabilityRow[] {
  return CAPABILITY_ROWS.map(([name, value]) => ({ name, value: value(capabilities) }));
}

const CAPABILITY_ROWS: readonly [string, (capabilities: ErpCapabilities) => string][] = [
  ['resending is safe by', (c) => IDEMPOTENCY[c.idempotency] + life(c)],
  ['look-up by key sees', (c) => LOOK_UP[c.lookUp]],
  ['a post is', (c) => c.finality],
  ['create and post', (c) => (c.atomicPost ? 'one step' : 'two steps, drafts possible')],
  ['reads back', (c) => c.readBack],
  [
    'books',
    (c) => (c.makesDocuments ? 'journals, or documents where the settings ask for them' : 'journals'),
  ],
  ['payments matched with their invoices', (c) => (c.matchesPayments ? 'yes, with documents' : 'no')],
  ['credit notes set against bills', (c) => (c.creditsBills ? 'yes, with documents' : 'no')],
  ['foreign documents', (c) => FOREIGN[c.foreignCurrency]],
  ['dimensions', (c) => yes(c.dimensions)],
  ['customers and suppliers', (c) => yes(c.subledger)],
  ['attachments', (c) => (c.filesWithPost ? 'with the document itself' : yes(c.attachments))],
  ['reversal', (c) => yes(c.reverse)],
  ['VAT', (c) => VAT[c.vatMode] + (c.splitsVat ? ', or split by the ERP where the rules ask for it' : '')],
  ['longest key', (c) => String(c.keyLengthMax)],
  ['at once / per second', (c) => `${String(c.concurrency)} / ${String(c.requestsPerSecond)}`],
];

const FOREIGN = {
  'in-currency': 'in their currency and in ISK',
  'documents-in-currency': 'documents in their currency, other entries in ISK',
  'in-isk': 'in ISK, the foreign amount in the texts',
  none: 'refused',
} as const;

const VAT = { 'explicit-lines': 'lines of its own', 'erp-splits': 'split by the ERP' } as const;

const IDEMPOTENCY = {
  'native-key': "the ERP's key",
  'unique-reference': 'a unique reference',
  none: 'looking first',
} as const;

const LOOK_UP = {
  'posted-and-draft': 'posted and drafts',
  posted: 'posted',
  none: 'nothing',
} as const;

/** What the suite said of an adapter with its usual settings, and with the ERP's own documents where it makes them. */
export interface AdapterReports {
  readonly usual: ConformanceReport;
  readonly documents?: ConformanceReport | undefined;
}

/** Reports of one adapter with documents, by its name; the last that there is shows the most. */
export function documentReportNames(name: string): readonly string[] {
  return [`${name}-documents`, `${name}-documents-in-currency`];
}

const MARKS = /(<!-- conformance report: begin -->\n)[^]*(<!-- conformance report: end -->)/;

/** The page with the tables of these reports between its marks. */
export function withReports(page: string, reports: readonly AdapterReports[]): string {
  return page.replace(
    MARKS,
    (_all, begin: string, end: string) => `${begin}\n${reportTables(reports)}\n\n${end}`,
  );
}

/** Both tables, adapters side by side. */
export function reportTables(all: readonly AdapterReports[]): string {
  const reports = all.map(({ usual }) => usual);
  const names = reports.map((report) => report.adapter);
  const capabilityRows = CAPABILITY_ROWS.map(([name, value]) => [
    name,
    ...all.map(({ usual, documents }) => {
      const plain = value(usual.capabilities);
      const other = documents ? value(documents.capabilities) : plain;
      return plain === other ? plain : `${plain}; with documents ${other}`;
    }),
  ]);
  const caseRows = CONFORMANCE_CASES.map(({ id, title }) => [
    title,
    ...all.map((adapter) => {
      const sign = SIGNS[resultOf(adapter.usual, id) ?? 'failed'];
      return isOfDocuments(adapter, id) ? `${SIGNS.passed} with documents` : sign;
    }),
  ]);
  const isKeptByAll = ([, ...signs]: readonly string[]) => signs.every((sign) => sign === SIGNS.passed);
  const keptByAll = caseRows.filter(isKeptByAll).map(([title]) => title);
  return [
    table(
      ['Capability', ...names],
      [['judged by', ...reports.map((report) => report.judge)], ...capabilityRows],
    ),
    `Each adapter: ${keptByAll.join('; ')}.`,
    table(
      ['Promise', ...names],
      caseRows.filter((row) => !isKeptByAll(row)),
    ),
    ['Where a promise does not apply (–):', '', ...exemptions(all)].join('\n'),
  ].join('\n\n');
}

function resultOf({ cases }: ConformanceReport, id: string): CaseResult['result'] | undefined {
  return cases.find((each) => each.id === id)?.result;
}

/** What only documents of the ERP's own can show. */
function isOfDocuments({ usual, documents }: AdapterReports, id: string): boolean {
  if (!documents || resultOf(usual, id) !== 'not-applicable') return false;
  return resultOf(documents, id) === 'passed';
}

/** One line for each reason and the promises that it exempts from, with the adapters that have it. */
function exemptions(all: readonly AdapterReports[]): string[] {
  const adapters = new Map<string, string[]>();
  for (const adapter of all)
    for (const [why, titles] of exemptedBy(adapter)) {
      const exempted = `${why} (${titles.join('; ')})`;
      adapters.set(exempted, [...(adapters.get(exempted) ?? []), adapter.usual.adapter]);
    }
  return [...adapters].map(([exempted, names]) => `- ${names.join(', ')}: ${exempted}`);
}

function exemptedBy(adapter: AdapterReports): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const { id, result, title, detail = '' } of adapter.usual.cases)
    if (result === 'not-applicable' && !isOfDocuments(adapter, id))
      titles.set(detail, [...(titles.get(detail) ?? []), `“${title}”`]);
  return titles;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}

function life(capabilities: ErpCapabilities): string {
  const ms = capabilities.nativeKeyLifeMs;
  return ms === undefined ? '' : `, for ${String(Math.round(ms / 60_000))} min`;
}
