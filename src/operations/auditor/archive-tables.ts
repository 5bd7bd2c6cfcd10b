// The tables of an auditor's archive, as CSV that any spreadsheet opens: made line by line from the certificate, so that what an
// auditor counts is what was sealed.
import type { IsoDate } from '../../domain/ids.js';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../../domain/private-files.js';
import { csvCell } from '../export.js';

interface Line {
  readonly account: string;
  readonly debit: string;
  readonly credit: string;
  readonly vatCode?: string;
  readonly currency?: string;
  readonly currencyAmount?: string;
  readonly counterparty?: string;
  readonly text?: string;
}

interface Journal {
  readonly documentNo: string;
  readonly postingDate: IsoDate;
  readonly documentDate: string;
  readonly description: string;
  readonly lines: readonly Line[];
}

/** A line of a certificate; an entry that no document claims has a key and an entry alone. */
export interface SealedRecord {
  readonly document?: Readonly<Record<string, string | number | boolean | null>>;
  readonly journal?: Journal | null;
  readonly settlement?: Journal | null;
  readonly entries?: readonly SealedEntry[];
  readonly entry?: SealedEntry;
  readonly originals?: readonly {
    readonly role: string;
    readonly state: string;
    readonly sha256: string | null;
    readonly size: number | null;
    readonly erpFileName: string | null;
    readonly expired?: string;
  }[];
}

interface SealedEntry {
  readonly key: string;
  readonly number: string;
  readonly id: string;
  readonly state: string;
  readonly postingDate: IsoDate;
  readonly lines: readonly Line[];
}

const HEADS = {
  documents:
    'kind number guid issue_date amount currency source_status state entry posting_date key content_hash decided_by'.split(
      ' ',
    ),
  journal_lines:
    'document_no part posting_date document_date account debit credit currency currency_amount vat_code counterparty text key guid'.split(
      ' ',
    ),
  erp_lines: 'entry key state posting_date account debit credit guid vat_code'.split(' '),
  originals: 'kind number guid role state sha256 bytes file expired'.split(' '),
} as const;
type TableName = keyof typeof HEADS;

export interface ArchiveTables {
  add(record: SealedRecord, fileOf: (sha256: string, role: string) => string): Promise<void>;
  /** Name in the archive → path. */
  close(): Promise<ReadonlyMap<string, string>>;
}

/** A byte-order mark: without it spreadsheets take Icelandic letters for something else. */
const BOM = '\uFEFF';

export async function archiveTables(directory: string): Promise<ArchiveTables> {
  const files = new Map<TableName, { readonly path: string; readonly handle: FileHandle }>();
  for (const [name, head] of Object.entries(HEADS) as [TableName, readonly string[]][]) {
    const path = join(directory, `${name}.csv`);
    const handle = await open(path, 'wx', PRIVATE_FILE);
    await handle.appendFile(`${BOM}${row(head)}`);
    files.set(name, { path, handle });
  }
  return {
    add: async (record, fileOf) => {
      for (const [name, rows] of Object.entries(rowsOf(record, fileOf)) as [TableName, readonly Cells[]][])
        if (rows.length > 0) await files.get(name)?.handle.appendFile(rows.map(row).join(''));
    },
    close: async () => {
      for (const { handle } of files.values()) await handle.close();
      return new Map([...files].map(([name, { path }]) => [`${name}.csv`, path]));
    },
  };
}

type Cells = readonly unknown[];

function rowsOf(
  record: SealedRecord,
  fileOf: (sha256: string, role: string) => string,
): Readonly<Record<TableName, readonly Cells[]>> {
  const { kind, number, guid, key, ...document } = record.document ?? {};
  const { issueDate, amount, currency, sourceStatus, state, erpNumber, postingDate } = document;
  const about = [kind, number, guid];
  const entries = [...(record.entries ?? []), ...(record.entry ? [record.entry] : [])];
  return {
    documents: record.document
      ? [
          [
            ...[...about, issueDate, amount, currency, sourceStatus, state, erpNumber, postingDate, key],
            ...[document['contentHash'], document['decidedBy']],
          ],
        ]
      : [],
    journal_lines: [
      ...journalRows('main', record.journal, [key, guid]),
      ...journalRows('settlement', record.settlement, [key, guid]),
    ],
    erp_lines: entries.flatMap((entry) =>
      entry.lines.map((line) => [
        ...[entry.number || entry.id, entry.key, entry.state, entry.postingDate],
        ...[line.account, line.debit, line.credit, guid, line.vatCode],
      ]),
    ),
    originals: (record.originals ?? []).map(({ role, state: at, sha256, size, expired }) => [
      ...[...about, role, at, sha256, size],
      ...[sha256 === null || expired !== undefined ? '' : fileOf(sha256, role), expired],
    ]),
  };
}

function journalRows(part: string, journal: Journal | null | undefined, of: Cells): Cells[] {
  if (!journal) return [];
  const { documentNo, postingDate, documentDate } = journal;
  return journal.lines.map((line) => [
    ...[documentNo, part, postingDate, documentDate, line.account, line.debit, line.credit],
    ...[line.currency ?? 'ISK', line.currencyAmount, line.vatCode, line.counterparty, line.text, ...of],
  ]);
}

function row(cells: Cells): string {
  const text = (cell: unknown) =>
    typeof cell === 'string' ? cell : typeof cell === 'number' ? String(cell) : '';
  return `${cells.map((cell) => csvCell(text(cell))).join(',')}\r\n`;
}
