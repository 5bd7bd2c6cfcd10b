// `ledgerbridge documents`: search.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentQuery } from '../operations/document-query.js';
import { DOCUMENT_ORDERS, PAGE_MAX } from '../operations/page-size.js';
import type { DocumentPage, DocumentRow } from '../operations/views/document.js';
import { SOURCE_KINDS } from '../domain/source-document.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { money, table } from './table.js';
import { calendarDay, numberBetween, oneOf, postingStates, tenantOption, withReading } from './operate.js';
import type { Reading } from '../operations/reading.js';

interface DocumentsOptions extends JsonOption {
  readonly tenant?: string;
  readonly state?: string;
  readonly kind?: string;
  readonly why?: string;
  readonly currency?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  readonly sort?: string;
  readonly after?: string;
  readonly watch?: boolean;
}

export const registerDocuments: RegisterCommand = (program, io) => {
  program
    .command('documents [text]')
    .description(
      'search documents by guid, number (at the source or in the ledger), name, kennitala, amount, key or entry number',
    )
    .addOption(tenantOption())
    .option('-s, --state <states>', 'only these states, joined by commas')
    .option('-k, --kind <kind>', 'invoice or cost')
    .option('-w, --why <code>', 'only those that rest for this reason')
    .option('-c, --currency <code>', 'only those in this currency, such as EUR')
    .option('--from <day>', 'issued on this day or later', calendarDay)
    .option('--to <day>', 'issued on this day or earlier', calendarDay)
    .option('--sort <order>', `${DOCUMENT_ORDERS.join(', ')}; -up: the other way round`)
    .option('-n, --limit <number>', 'rows on a page', numberBetween(1, PAGE_MAX), 25)
    .option('--after <place>', 'the next page, as the page before says')
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
  const { tenant, state, kind, why, currency, from, to, sort, limit, after } = options;
  const query: DocumentQuery = {
    limit,
    ...(text === undefined ? {} : { text }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(state === undefined ? {} : { states: postingStates(state) }),
    ...(kind === undefined ? {} : { kind: oneOf(SOURCE_KINDS, kind, 'kind') }),
    ...(why === undefined ? {} : { reason: why }),
    ...(currency === undefined ? {} : { currency: currency.toUpperCase() }),
    ...(from === undefined ? {} : { issuedFrom: from }),
    ...(to === undefined ? {} : { issuedTo: to }),
    ...(sort === undefined ? {} : { order: oneOf(DOCUMENT_ORDERS, sort, 'order') }),
    ...(after === undefined ? {} : { after }),
  };
  await withReading(io, 'none', async (reading) => {
    if (options.watch)
      return watchDocuments(io, reading, query, options, (page) => pageText(io, page).trimEnd());
    const page = await reading.documents(query);
    answer(io, options, page, () => pageText(io, page));
  });
}

function pageText(io: CliIo, { items, next, tooMany }: DocumentPage): string {
  if (items.length === 0) return 'No document fits.';
  const rows = table(
    io,
    [
      { title: 'TENANT', value: (row) => row.tenantName },
      { title: 'KIND', value: (row) => row.kind },
      { title: 'NUMBER', value: (row) => row.number || (row.documentNo ?? row.guid.slice(0, 8)) },
      { title: 'ISSUED', value: (row) => row.issueDate },
      { title: 'WITH', value: (row) => row.counterpartyName || row.counterpartyKennitala },
      { title: 'AMOUNT', align: 'right', value: (row) => money(row.amount, row.currency) },
      { title: 'STATE', value: (row) => row.state },
      { title: 'ENTRY', value: (row) => row.erpNumber ?? '' },
      { title: 'WHY', value: (row) => row.reason?.sentence ?? '' },
      { title: 'GUID', value: (row) => row.guid },
    ],
    items,
  );
  const more = next === null ? '' : `\nMore: --after ${next}`;
  return `${rows}${tooMany ? '\nMore fit than can be shown in order; narrow the search.' : ''}${more}`;
}

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
