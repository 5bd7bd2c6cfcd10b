// The promises, checked on what a run left behind. Each broken one is a sentence with the document's number.
import { sum } from '../../../src/domain/decimal.js';
import type { PostingRow } from './memory-store.js';
import type { Run } from './run.js';

const VISIBLE = new Set(['held', 'parked', 'orphaned', 'skipped', 'rejected', 'deferred']);

export function brokenPromises({ records, service, ledger }: Run): string[] {
  const broken = [...records.violations, ...ledger.violations];
  const rows = new Map([...records.rows.values()].map((row) => [row.posting.guid, row]));
  for (const key of new Set(ledger.entries.map((entry) => entry.key))) {
    const count = ledger.live(key).length;
    if (count > 1)
      broken.push(
        `1: ${count} entries under ${key} (${records.byKey.get(key)?.posting.documentNumber ?? 'unknown'})`,
      );
  }
  for (const document of service.documents.values()) {
    const row = rows.get(document.guid);
    const entries = row ? ledger.live(row.posting.key) : [];
    broken.push(...judgeDocument(document, row, entries.length, records.incidents));
    const [entry] = entries;
    if (
      entry &&
      !document.edited &&
      !sum(entry.journal.lines.map((line) => line.debit)).equals(document.amount)
    ) {
      broken.push(`4: ${document.number} is booked with another amount`);
    }
  }
  for (const write of service.writes) {
    const row = rows.get(write.guid);
    if (!row?.writeBacks.some((decided) => decided.wanted === write.status))
      broken.push(`7: ${write.guid} was set to ${write.status} without a decision on record`);
  }
  return broken;
}

interface Judged {
  readonly number: string;
  readonly guid: string;
  readonly accountingStatus: string;
  readonly deleted: boolean;
  readonly edited: boolean;
}

function judgeDocument(
  document: Judged,
  row: PostingRow | undefined,
  entries: number,
  incidents: ReadonlyMap<string, unknown>,
): string[] {
  const broken: string[] = [];
  const alarmed =
    row !== undefined &&
    [...incidents.keys()].some((fingerprint) => fingerprint.endsWith(`:${row.posting.id}`));
  if (document.accountingStatus === 'Posted' && entries !== 1)
    broken.push(`2: ${document.number} is Posted with ${entries} entries`);
  if (!document.deleted && !row) broken.push(`5: ${document.number} was never found`);
  if (row && !document.deleted) {
    const { state, reason } = row.posting;
    if (state === 'acknowledged' && document.accountingStatus !== 'Posted')
      broken.push(`2: ${document.number} is acknowledged but ${document.accountingStatus} at the source`);
    if (state === 'acknowledged' && document.edited && bookedBeforeEdit(row) && !alarmed)
      broken.push(`2: ${document.number} was edited after it was booked and nobody was told`);
    if (state !== 'acknowledged' && !(VISIBLE.has(state) && reason !== null))
      broken.push(`5: ${document.number} rests as ${state} without a reason`);
  }
  if (row && document.deleted && entries > 0 && !alarmed)
    broken.push(`5: ${document.number} was deleted after it was booked and nobody was told`);
  return broken;
}

/** The hash that was posted is not the hash of the edited document: the edit came after the journal was made. */
function bookedBeforeEdit(row: PostingRow): boolean {
  return row.posting.journal !== null && !row.posting.journal.includes('edited');
}
