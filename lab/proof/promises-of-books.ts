// What the ledger promises: one live entry of each part of a document over all its generations, each undone at most once.
import { sum } from '../../src/domain/money.js';
import { journalToJson } from '../../src/domain/journal-json.js';
import { reversalKey, settlementKey } from '../../src/domain/posting-key.js';
import type { MemoryRecords, PostingRow } from './memory-records.js';
import type { Run } from './run.js';
import { LATE_MS_MAX, type SimulatedLedger, type Stored } from './simulated-ledger.js';
import type { SimulatedDocument } from './simulated-source.js';
import { versionMark } from './source-snapshot.js';

export interface LiveEntries {
  readonly mains: readonly Stored[];
  readonly settlements: readonly Stored[];
}

/** Over all generations. */
export function liveEntries(ledger: SimulatedLedger, row: PostingRow | undefined): LiveEntries {
  const keys = [...new Set(row?.keys ?? [])];
  return {
    mains: row ? mainsOf(ledger, row) : [],
    settlements: keys.flatMap((key) => ledger.live(settlementKey(key))),
  };
}

/** Under its keys, or booked by hand. */
export function mainsOf(ledger: SimulatedLedger, { keys, posting }: PostingRow): Stored[] {
  const byHand = ledger.entries.filter((entry) => entry.byHand === posting.guid);
  return [
    ...[...new Set(keys)].flatMap((key) => ledger.liveOf(key)),
    ...byHand.filter((entry) => ledger.reversalsOf(entry).length === 0),
  ];
}

export function promisesOfBooks({ records, ledger, service }: Run): string[] {
  const broken: string[] = [];
  const known = new Set<string>();
  for (const row of records.rows.values()) {
    for (const key of row.keys.flatMap((one) => [one, settlementKey(one)]))
      known.add(key).add(reversalKey(key));
    if (restsSinceBackup(records, row)) continue;
    // What a restored database has forgotten cannot be asked of an ERP without a look-up: a person is told of it.
    const isTold = records.incidents.has(`MAY_BE_IN_BOOKS:${row.posting.id}`);
    broken.push(...ofRow(ledger, row, isTold));
    const document = service.documents.get(row.posting.guid);
    if (document) broken.push(...ofAmounts(ledger, row, document));
  }
  for (const entry of ledger.entries) {
    const twice = ledger.live(entry.key).length > 1 && ledger.live(entry.key)[0] === entry;
    if (twice) broken.push(`1: more than one entry under ${entry.key}`);
    // What the lost history had sent arrives a while after.
    const isForgotten = entry.at < (records.restoredAt ?? -LATE_MS_MAX) + LATE_MS_MAX;
    if (!known.has(entry.key) && !isForgotten && entry.byHand === undefined)
      broken.push(`1: nobody knows of ${entry.id} under ${entry.key}`);
    const reversals = ledger.entries.filter(({ reverses }) => reverses === entry.id).length;
    if (reversals > 1) broken.push(`8: ${entry.id} under ${entry.key} is reversed ${reversals} times`);
  }
  return broken;
}

/** It rests as it did in the backup: what became of it in the history that was lost, only reconciliation tells. */
export function restsSinceBackup({ restoredAt }: MemoryRecords, { stateSince }: PostingRow): boolean {
  return restoredAt !== null && stateSince < restoredAt;
}

function ofRow(ledger: SimulatedLedger, row: PostingRow, isTold: boolean): string[] {
  const { documentNumber: number, guid, state } = row.posting;
  const name = number || guid;
  const { mains, settlements } = liveEntries(ledger, row);
  const broken: string[] = [];
  if (mains.length > 1) broken.push(`1: ${mains.length} entries for ${name}`);
  if (settlements.length > 1) broken.push(`1: ${settlements.length} settlements for ${name}`);
  if (settlements.length > 0 && mains.length === 0)
    broken.push(`3: ${name} has a settlement without its entry`);
  const inBooks = mains.length + settlements.length > 0;
  if (inBooks && !isTold && ['skipped', 'rejected', 'reversed'].includes(state))
    broken.push(`1: ${name} is ${state}, and in the books`);
  return broken;
}

function ofAmounts(
  ledger: SimulatedLedger,
  { keys, posting }: PostingRow,
  document: SimulatedDocument,
): string[] {
  const name = posting.documentNumber || posting.guid;
  return keys.flatMap((key) => {
    const [entry] = ledger.liveOf(key);
    if (!entry) return [];
    const version = bookedVersion(entry, document);
    // Of the journal of a day one side is added up with those of others.
    const { lines } = entry.journal;
    const sides = [sum(lines.map((line) => line.debit)), sum(lines.map((line) => line.credit))] as const;
    const booked = sides[0].gt(sides[1]) ? sides[0] : sides[1];
    const settled = ledger
      .live(settlementKey(key))
      .map(({ journal }) => sum(journal.lines.map((line) => line.debit)));
    return [
      ...(booked.equals(Math.abs(document.amounts[version - 1] ?? -1))
        ? []
        : [`4: ${name} is booked with another amount`]),
      ...(settled.every((amount) => amount.equals(booked))
        ? []
        : [`4: ${name} is settled with another amount`]),
    ];
  });
}

/** Which version of the document a journal was made of; 0: of none. */
export function bookedVersion({ journal }: Stored, { version }: SimulatedDocument): number {
  const text = journalToJson(journal);
  for (let one = version; one > 0; one--) if (text.includes(versionMark(one))) return one;
  return 0;
}
