// What was posted, for other programs: line by line, so that the size of a period does not matter.
import { Decimal } from '../domain/decimal.js';
import { CodedError } from '../domain/errors/coded-error.js';
import type { JournalJson } from '../domain/journal-json.js';
import { isCalendarDay } from '../domain/calendar-day.js';
import type { OperationsDeps } from './deps.js';
import type { ExportedPosting } from './views/exported-posting.js';

export const EXPORT_FORMATS = ['csv', 'json', 'hledger'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_SUBJECTS = ['journals', 'postings'] as const;
export type ExportSubject = (typeof EXPORT_SUBJECTS)[number];

export interface ExportRequest {
  readonly tenant: string;
  readonly from: string;
  readonly to: string;
  readonly subject: ExportSubject;
  readonly format: ExportFormat;
}

const PAGE = 500;

export async function* exportLines(deps: OperationsDeps, request: ExportRequest): AsyncGenerator<string> {
  if (!isCalendarDay(request.from) || !isCalendarDay(request.to) || request.from > request.to)
    throw new CodedError(
      'QUERY_INVALID',
      'Give the period as two days, the first one first: 2026-01-01 2026-01-31.',
    );
  if (request.subject === 'postings' && request.format === 'hledger')
    throw new CodedError('QUERY_INVALID', 'hledger takes journals; postings go as csv or json.');
  const isKnown =
    deps.connections.tenant(request.tenant) !== null ||
    (await deps.records.tenants()).some(({ name }) => name === request.tenant);
  if (!isKnown) throw new CodedError('TENANT_UNKNOWN', `There is no tenant "${request.tenant}".`);
  const writer = WRITERS[request.format];
  if (request.format === 'csv')
    yield csvLine(request.subject === 'journals' ? JOURNAL_COLUMNS : POSTING_COLUMNS);
  let after: string | null = null;
  for (;;) {
    const page: readonly ExportedPosting[] = await deps.records.exportPage(request, after, PAGE);
    for (const posting of page) {
      if (request.subject === 'postings') yield writer.posting(posting);
      else for (const line of writer.journals(posting)) yield line;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.postingId;
  }
}

const JOURNAL_COLUMNS = [
  'key',
  'entry',
  'posting_date',
  'document_no',
  'guid',
  'account',
  'debit',
  'credit',
  'currency',
  'currency_amount',
  'vat_code',
  'counterparty',
  'text',
];
const POSTING_COLUMNS = [
  'key',
  'state',
  'entry',
  'kind',
  'number',
  'guid',
  'counterparty',
  'kennitala',
  'issue_date',
  'posting_date',
  'total_isk',
];

interface Writer {
  posting(posting: ExportedPosting): string;
  journals(posting: ExportedPosting): string[];
}

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  csv: {
    posting: (one) =>
      csvLine([
        one.key,
        one.state,
        one.erpNumber,
        one.kind,
        one.number,
        one.guid,
        one.counterpartyName,
        one.counterpartyKennitala,
        one.issueDate,
        one.postingDate,
        one.totalIsk,
      ]),
    journals: (one) =>
      journalsOf(one).flatMap((journal) =>
        journal.lines.map((line) =>
          csvLine([
            one.key,
            one.erpNumber,
            journal.postingDate,
            journal.documentNo,
            one.guid,
            line.account,
            line.debit,
            line.credit,
            line.currency ?? 'ISK',
            line.currencyAmount ?? '',
            line.vatCode ?? '',
            line.counterparty ?? '',
            line.text,
          ]),
        ),
      ),
  },
  json: {
    posting: ({ journal: _journal, settlement: _settlement, ...one }) => `${JSON.stringify(one)}\n`,
    journals: (one) =>
      journalsOf(one).map(
        (journal) => `${JSON.stringify({ key: one.key, entry: one.erpNumber, guid: one.guid, journal })}\n`,
      ),
  },
  hledger: {
    posting: () => '',
    journals: (one) => journalsOf(one).map((journal) => hledgerEntry(one, journal)),
  },
};

function journalsOf({ journal, settlement }: ExportedPosting): JournalJson[] {
  return [journal, settlement].flatMap((text) => (text === null ? [] : [JSON.parse(text) as JournalJson]));
}

/** A cell that begins like a formula is made text, whatever program opens the file (OWASP, CSV injection). */
function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

export function csvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function hledgerEntry({ key, guid }: ExportedPosting, journal: JournalJson): string {
  const plain = (text: string) => text.replaceAll(/[;\r\n|]+/g, ' ').trim();
  const lines = journal.lines.map((line) => {
    const amount = new Decimal(line.debit).minus(line.credit).toFixed();
    return `    ${plain(line.account)}  ${amount} ISK  ; ${plain(line.text)}`;
  });
  const head = `${journal.postingDate} (${plain(journal.documentNo).replaceAll(/[()]/g, '')}) ${plain(journal.description)}`;
  return `${head}\n    ; key: ${key}, guid: ${guid}\n${lines.join('\n')}\n\n`;
}
