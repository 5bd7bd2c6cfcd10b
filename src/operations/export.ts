// What was posted, for other programs: line by line, so that the size of a period does not matter.
import type { Guid, TenantName } from '../domain/ids.js';
import { asAccount, asCode, asComment, asDescription } from '../domain/journal.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { Decimal } from '../domain/money.js';
import { isCalendarDay } from '../domain/local-time.js';
import { type BookedEntry, bookedIn, postedIn } from './booked-entries.js';
import type { OperationsDeps } from './deps.js';
import { refuseUnknownTenant } from './known-tenant.js';
import type { ExportedPosting } from './views/exported-posting.js';

export interface ExportRequest {
  readonly tenant: TenantName;
  readonly from: string;
  readonly to: string;
  readonly subject: ExportSubject;
  readonly format: ExportFormat;
}

export async function* exportLines(deps: OperationsDeps, request: ExportRequest): AsyncGenerator<string> {
  if (!isCalendarDay(request.from) || !isCalendarDay(request.to) || request.from > request.to)
    throw coded('QUERY_INVALID', message('GIVE_A_PERIOD'));
  if (request.subject === 'postings' && request.format === 'hledger')
    throw coded('QUERY_INVALID', message('HLEDGER_TAKES_JOURNALS'));
  await refuseUnknownTenant(deps, request.tenant);
  const writer = WRITERS[request.format];
  if (request.format === 'csv')
    yield csvLine(request.subject === 'journals' ? JOURNAL_COLUMNS : POSTING_COLUMNS);
  if (request.subject === 'journals') {
    for await (const [posting, entry] of bookedIn(deps.records, request)) yield* writer.entry(posting, entry);
    return;
  }
  for await (const posting of postedIn(deps.records, request))
    if (posting.state !== 'reversed') yield writer.posting(posting);
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
  'part',
  'reverses',
  'note',
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
  entry(posting: ExportedPosting, entry: BookedEntry): string[];
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
    entry: csvEntry,
  },
  json: {
    posting: ({ journal: _journal, settlement: _settlement, ...one }) => `${JSON.stringify(one)}\n`,
    entry: ({ guid }, entry) => [`${JSON.stringify({ guid, ...entry })}\n`],
  },
  hledger: {
    posting: () => '',
    entry: ({ guid }, entry) => [hledgerEntry(guid, entry)],
  },
};

function csvEntry(posting: ExportedPosting, { journal, ...entry }: BookedEntry): string[] {
  const documentNo = journal?.documentNo ?? posting.number;
  const head = [entry.key, entry.entry, entry.postingDate, documentNo, posting.guid];
  const tail = [entry.part, entry.reverses, entry.note];
  if (journal === null) return [csvLine([...head, '', '', '', '', '', '', '', '', ...tail])];
  return journal.lines.map((line) =>
    csvLine([
      ...head,
      line.account,
      line.debit,
      line.credit,
      line.currency ?? 'ISK',
      line.currencyAmount ?? '',
      line.vatCode ?? '',
      line.counterparty ?? '',
      line.text,
      ...tail,
    ]),
  );
}

/** A cell that begins like a formula is made text, whatever program opens the file (OWASP, CSV injection). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

export function csvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function hledgerEntry(guid: Guid, { journal, ...entry }: BookedEntry): string {
  const named = `key: ${entry.key}, guid: ${guid}, entry: ${asComment(entry.entry)}`;
  if (journal === null) return `; ${entry.postingDate} ${entry.part}, ${named}: ${entry.note}\n\n`;
  const lines = journal.lines.map((line) => {
    const amount = new Decimal(line.debit).minus(line.credit).toFixed();
    return `    ${asAccount(line.account)}  ${amount} ISK  ; ${asComment(line.text)}`;
  });
  const undoes = entry.reverses === '' ? '' : `, reverses: ${entry.reverses}`;
  const head = `${journal.postingDate} (${asCode(journal.documentNo)}) ${asDescription(journal.description)}`;
  return `${head}\n    ; ${named}${undoes}\n${lines.join('\n')}\n\n`;
}

// What can be exported, and as what.
export const EXPORT_FORMATS = ['csv', 'json', 'hledger'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_SUBJECTS = ['journals', 'postings'] as const;
export type ExportSubject = (typeof EXPORT_SUBJECTS)[number];
