// `documents --watch`: the list again whenever it changed, until Ctrl-C. On a terminal in place; otherwise, and as JSON, only
// the documents that are new or moved, a line each, so that a script can read on.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentQuery } from '../operations/document-query.js';
import type { Reading } from '../operations/reading.js';
import type { DocumentPage, DocumentRow } from '../operations/views/document.js';
import type { JsonOption } from './answer.js';
import type { CliIo } from './command.js';

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
