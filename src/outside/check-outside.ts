// The promise, checked from outside: only what the invoicing service and the ERP say themselves, never our records. The key of an
// entry follows from the document alone, so both sides can be laid beside each other by whoever has an export of each.
import type { Guid } from '../domain/ids.js';
import { Decimal } from '../domain/decimal.js';
import { isPostingKey, postingKey, reversalKey, settlementKey } from '../domain/posting-key.js';

export interface OutsideDocument {
  readonly kind: 'invoice' | 'cost';
  readonly guid: Guid;
  readonly number: string;
  readonly accountingStatus: string;
  /** Gross, in ISK; null: not to be compared (another currency). */
  readonly amount: string | null;
  /** When it was handed over, if the export says so. */
  readonly handedOverAt: string | null;
}

export interface OutsideEntry {
  readonly id: string;
  readonly key: string;
  /** Sum of its debits. */
  readonly amount: string;
  /** Undone by another entry. */
  readonly isReversed: boolean;
  /** Of the journal of a day: each of its documents is named by a line, with its key in the text. */
  readonly lines?: readonly OutsideLine[];
}

export interface OutsideLine {
  readonly text: string;
  /** Its debit or its credit. */
  readonly amount: string;
}

export interface Outside {
  readonly environment: 'production' | 'development';
  readonly sourceAccount: string;
  readonly ledger: string;
  readonly documents: readonly OutsideDocument[];
  readonly entries: readonly OutsideEntry[];
  /** What was handed over before this and is not decided is lost; null: whatever is Created only waits. */
  readonly settledBefore: string | null;
}

export type FindingKind =
  'duplicate' | 'lost' | 'posted-without-entry' | 'unlike' | 'booked-but-not-told' | 'unknown-entry';

export interface Finding {
  readonly kind: FindingKind;
  /** Number of the document; of an unknown entry its key. */
  readonly about: string;
  readonly details: string;
}

export interface OutsideReport {
  readonly documents: number;
  readonly entries: number;
  readonly waiting: number;
  readonly findings: readonly Finding[];
}

/** A document is reversed and booked anew this often at most before a person asks why. */
const GENERATIONS = 10;

/** `unknownToo`: entries of no document are looked for as well, which takes the keys of all documents at once. */
export function checkOutside(outside: Outside, unknownToo = true): OutsideReport {
  const byKey = new Map<string, OutsideEntry[]>();
  for (const entry of outside.entries) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  const parts = partsOf(outside.entries);
  const known = new Set<string>();
  const findings: Finding[] = [];
  let waiting = 0;
  for (const document of outside.documents) {
    const keys = keysOf(outside, document);
    if (unknownToo)
      for (const key of keys.flatMap((one) => [one, settlementKey(one)]))
        known.add(key).add(reversalKey(key));
    const live = keys
      .flatMap((key) => [...(byKey.get(key) ?? []), ...within(byKey, parts, key)])
      .filter(({ isReversed }) => !isReversed);
    const settled = keys
      .flatMap((key) => byKey.get(settlementKey(key)) ?? [])
      .filter(({ isReversed }) => !isReversed);
    if (document.accountingStatus === 'Created' && live.length === 0) waiting++;
    findings.push(...ofDocument(outside, document, live, settled));
  }
  if (unknownToo) findings.push(...unknown([...outside.entries, ...[...parts.values()].flat()], known));
  return { documents: outside.documents.length, entries: outside.entries.length, waiting, findings };
}

/** Key of a document → what journals of days hold of it, all its lines of one journal together. */
function partsOf(entries: readonly OutsideEntry[]): ReadonlyMap<string, OutsideEntry[]> {
  const parts = new Map<string, OutsideEntry[]>();
  for (const { id, isReversed, lines = [] } of entries) {
    const amounts = new Map<string, Decimal>();
    for (const { text, amount } of lines)
      for (const key of text.split(/\s+/).filter(isKeyOfDocument))
        amounts.set(key, new Decimal(amount).abs().plus(amounts.get(key) ?? 0));
    for (const [key, amount] of amounts)
      parts.set(key, [...(parts.get(key) ?? []), { id, key, amount: amount.toFixed(), isReversed }]);
  }
  return parts;
}

function isKeyOfDocument(text: string): boolean {
  return 'IC'.includes(text[0] ?? '') && isPostingKey(text);
}

/** Of a document in the journal of its day only its part is undone, by an entry under the key of its reversal. */
function within(
  byKey: ReadonlyMap<string, readonly OutsideEntry[]>,
  parts: ReadonlyMap<string, readonly OutsideEntry[]>,
  key: string,
): readonly OutsideEntry[] {
  return byKey.has(reversalKey(key)) ? [] : (parts.get(key) ?? []);
}

function keysOf({ environment, sourceAccount, ledger }: Outside, { kind, guid }: OutsideDocument): string[] {
  const identity = { environment, sourceAccount, kind, guid, ledger };
  return Array.from({ length: GENERATIONS }, (_, generation) => postingKey({ ...identity, generation }));
}

function ofDocument(
  { settledBefore }: Outside,
  document: OutsideDocument,
  live: readonly OutsideEntry[],
  settled: readonly OutsideEntry[],
): Finding[] {
  const { accountingStatus: status, handedOverAt, amount } = document;
  const about = document.number || document.guid;
  const findings: Finding[] = [];
  const find = (kind: FindingKind, details: string) => findings.push({ kind, about, details });
  if (live.length > 1) find('duplicate', `entries ${live.map(({ id }) => id).join(', ')}`);
  if (settled.length > 1) find('duplicate', `settlements ${settled.map(({ id }) => id).join(', ')}`);
  if (status === 'Posted' && live.length === 0) find('posted-without-entry', 'the source says Posted');
  const isOld = settledBefore !== null && handedOverAt !== null && handedOverAt < settledBefore;
  if (status === 'Created' && live.length === 0 && isOld) find('lost', `handed over ${handedOverAt}`);
  if (live.length > 0 && (status === 'Skipped' || status === 'Error'))
    find('booked-but-not-told', `the source says ${status}, and entry ${live[0]?.id ?? ''} is in the books`);
  for (const entry of live)
    if (amount !== null && !new Decimal(entry.amount).equals(new Decimal(amount).abs()))
      find('unlike', `the document is ${amount}, entry ${entry.id} is ${entry.amount}`);
  return findings;
}

/** Under a key of our shape, and of no document that the source shows: somebody else's, or of one that was deleted. */
function unknown(entries: readonly OutsideEntry[], known: ReadonlySet<string>): Finding[] {
  return entries
    .filter(({ key, isReversed }) => isKeyOfDocument(key) && !known.has(key) && !isReversed)
    .map(({ key, id }) => ({ kind: 'unknown-entry', about: key, details: `entry ${id}` }));
}
