// The tables of an auditor's archive, as CSV that any spreadsheet opens: made line by line from the certificate, so that what an
// auditor counts is what was sealed.
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
  readonly postingDate: string;
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
  readonly postingDate: string;
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
  erp_lines: 'entry key state posting_date account debit credit guid'.split(' '),
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
  const write = async (name: TableName, rows: readonly (readonly unknown[])[]) => {
    if (rows.length > 0) await files.get(name)?.handle.appendFile(rows.map(row).join(''));
  };
  return {
    add: async (record, fileOf) => {
      const document = record.document ?? {};
      const { guid, key, kind, number } = document;
      if (record.document)
        await write('documents', [
          [
            ...[kind, number, guid, document['issueDate'], document['amount'], document['currency']],
            ...[
              document['sourceStatus'],
              document['state'],
              document['erpNumber'],
              document['postingDate'],
              key,
            ],
            ...[document['contentHash'], document['decidedBy']],
          ],
        ]);
      const journals = [['main', record.journal] as const, ['settlement', record.settlement] as const];
      for (const [part, journal] of journals)
        await write(
          'journal_lines',
          (journal?.lines ?? []).map((line) => [
            ...[
              journal?.documentNo,
              part,
              journal?.postingDate,
              journal?.documentDate,
              line.account,
              line.debit,
            ],
            ...[line.credit, line.currency ?? 'ISK', line.currencyAmount, line.vatCode, line.counterparty],
            ...[line.text, key, guid],
          ]),
        );
      const entries = [...(record.entries ?? []), ...(record.entry ? [record.entry] : [])];
      await write(
        'erp_lines',
        entries.flatMap((entry) =>
          entry.lines.map((line) => [
            ...[entry.number || entry.id, entry.key, entry.state, entry.postingDate],
            ...[line.account, line.debit, line.credit, guid],
          ]),
        ),
      );
      await write(
        'originals',
        (record.originals ?? []).map((original) => [
          ...[kind, number, guid, original.role, original.state, original.sha256, original.size],
          original.sha256 === null || original.expired !== undefined
            ? ''
            : fileOf(original.sha256, original.role),
          original.expired,
        ]),
      );
    },
    close: async () => {
      for (const { handle } of files.values()) await handle.close();
      return new Map([...files].map(([name, { path }]) => [`${name}.csv`, path]));
    },
  };
}

function row(cells: readonly unknown[]): string {
  const text = (cell: unknown) =>
    typeof cell === 'string' ? cell : typeof cell === 'number' ? String(cell) : '';
  return `${cells.map((cell) => csvCell(text(cell))).join(',')}\r\n`;
}
