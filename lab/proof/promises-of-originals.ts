// What originals are promised: each is at its entry once at most, what counts as attached is there, and all come to rest.
import { isSettled } from '../../src/domain/original.js';
import { isSourceKind } from '../../src/domain/source-document.js';
import { IN_BOOKS, originalsOf } from './memory-originals.js';
import type { Run } from './run.js';

export function promisesOfOriginals({ records, ledger }: Run): string[] {
  if (records.carries === 'nothing') return [];
  const broken: string[] = [];
  for (const [place, times] of ledger.files)
    if (times > 1) broken.push(`14: ${place} is there ${String(times)} times`);
  for (const row of records.originals.values()) {
    const copies = [...ledger.files.keys()].filter((place) => place.startsWith(`${row.reference.id} `));
    // Documents that were booked together have their files at one entry: the hash tells whose it is.
    const ours = copies.filter((place) => place.includes(`-${row.role}-${row.sha256?.slice(0, 12) ?? ''}`));
    if (row.state === 'attached' && ours.length !== 1)
      broken.push(`14: ${row.id} counts as attached and is there ${String(ours.length)} times`);
    if (!isSettled(row.state)) broken.push(`14: ${row.id} rests as ${row.state}`);
  }
  for (const { posting } of records.rows.values())
    if (isSourceKind(posting.kind) && IN_BOOKS.has(posting.state) && posting.reference !== null)
      if (originalsOf(records, posting.id, posting.generation).length === 0)
        broken.push(`14: nobody asked for the original of ${posting.documentNumber}`);
  return broken;
}
