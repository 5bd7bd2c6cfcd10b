// `ledgerbridge documents`: search.
import { setTimeout as sleep } from 'node:timers/promises';
import { DOCUMENTS } from '../operations/document-list.js';
import type { DocumentQuery } from '../operations/document-query.js';
import type { Column as ListColumn } from '../operations/list.js';
import type { DocumentPage, DocumentRow } from '../operations/views/document.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { addFields, argumentsOf, readFields } from './fields.js';
import { type Column, money, table } from './table.js';
import { withReading } from './operate.js';
import type { Reading } from '../operations/reading.js';

type DocumentsOptions = JsonOption & { readonly watch?: boolean };

const FIELDS = { ...DOCUMENTS.filters, ...DOCUMENTS.paging };
const ROWS = 25;

export const registerDocuments: RegisterCommand = (program, io) => {
  const command = program
    .command(`documents${argumentsOf(FIELDS)}`)
    .description(
      'search documents by guid, number (at the source or in the ledger), name, kennitala, amount, key or entry number',
    );
  addFields(command, FIELDS, { limit: ROWS })
    .option('--watch', 'go on looking, and show what is new or moved, until Ctrl-C')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge documents 2024-1187', 'by number'],
        ['ledgerbridge documents K-4711', 'a cost, by its number in the ledger'],
        ['ledgerbridge documents "Hraun" -t fjordur --from 2026-01-01', 'by the beginning of a name'],
        ['ledgerbridge documents --state parked,held', 'what does not move'],
        ['ledgerbridge documents --sort amount', 'the largest first'],
        ['ledgerbridge documents -t hraun --watch', 'see them come and go'],
      ),
    )
    .action((text: string | undefined, options: DocumentsOptions) => search(io, text, options));
};

async function search(io: CliIo, text: string | undefined, options: DocumentsOptions): Promise<void> {
  const query = readFields(FIELDS, [text], { ...options });
  await withReading(io, 'none', async (reading) => {
    if (options.watch)
      return watchDocuments(io, reading, query, options, (page) => pageText(io, page).trimEnd());
    const page = await reading.documents(query);
    answer(io, options, page, () => pageText(io, page));
  });
}

function pageText(io: CliIo, { items, next, tooMany }: DocumentPage): string {
  if (items.length === 0) return 'No document fits.';
  const rows = table(io, COLUMNS, items);
  const more = next === null ? '' : `\nMore: --after ${next}`;
  return `${rows}${tooMany ? '\nMore fit than can be shown in order; narrow the search.' : ''}${more}`;
}

const COLUMNS = DOCUMENTS.cli.map((name): Column<DocumentRow> => {
  const { heading, value, isMoney }: ListColumn<DocumentRow> = DOCUMENTS.columns[name];
  if (!isMoney) return { title: heading, value };
  return { title: heading, align: 'right', value: (row) => money(value(row), row.currency) };
});

// `documents --watch`: the list again whenever it changed, until Ctrl-C. On a terminal in place; otherwise, and as JSON, only
// the documents that are new or moved, a line each, so that a script can read on.

const LOOK_MS = 1_000;
const CLEAR = '\u001B[2J\u001B[H';

export async function watchDocuments(
  io: CliIo,
  reading: Pick<Reading, 'documents'>,
  query: DocumentQuery,
  options: JsonOption,
  text: (page: DocumentPage) => string,
): Promise<void> {
  let known = new Map<string, string>();
  for (let first = true; !io.signal.aborted; first = false) {
    const page = await reading.documents(query);
    const now = new Map(page.items.map((row) => [row.postingId, stampOf(row)]));
    const changed = page.items.filter((row) => known.get(row.postingId) !== stampOf(row));
    if (options.json) for (const row of changed) io.out(`${JSON.stringify(row)}\n`);
    else if (io.isTty && (first || changed.length > 0 || now.size !== known.size))
      io.out(`${CLEAR}${text(page)}\n`);
    else if (!io.isTty && changed.length > 0) io.out(`${text({ ...page, items: changed, next: null })}\n`);
    known = now;
    await sleep(LOOK_MS, undefined, { signal: io.signal }).catch(() => undefined);
  }
}

function stampOf({ state, stateSince, erpNumber, reason }: DocumentRow): string {
  return [state, stateSince, erpNumber ?? '', reason?.code ?? ''].join(' ');
}
