// The promise, checked from outside: only what the invoicing service and the ERP say themselves, never our records. The key of an
// entry follows from the document alone, so both sides can be laid beside each other by whoever has an export of each.
import type { Guid, PostingKey } from '../domain/ids.js';
import { Decimal } from '../domain/money.js';
import {
  isPostingKey,
  isSettlementKey,
  postingKey,
  reversalKey,
  settlementKey,
} from '../domain/posting-key.js';

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

export function checkOutside(outside: Outside): OutsideReport {
  const { entries } = outside;
  const index = indexEntries(entries);
  const known = new Set<string>();
  const { documents, waiting, findings } = checkDocuments(outside, index, (key) => {
    for (const one of [key, settlementKey(key)]) known.add(one).add(reversalKey(one));
  });
  const strangers = unknown([...entries, ...[...index.parts.values()].flat()], known);
  return { documents, entries: entries.length, waiting, findings: [...findings, ...strangers] };
}

/** The entries of an ERP by their keys, made once for however many companies it has. */
export interface EntryIndex {
  readonly byKey: ReadonlyMap<string, readonly OutsideEntry[]>;
  /** Key of a document → what journals of days hold of it. */
  readonly parts: ReadonlyMap<string, readonly OutsideEntry[]>;
  /** Working out a key takes longer than anything else here: those of settlements are left where there is none. */
  readonly hasSettlements: boolean;
}

export function indexEntries(entries: readonly OutsideEntry[]): EntryIndex {
  const byKey = new Map<string, OutsideEntry[]>();
  for (const entry of entries) {
    const others = byKey.get(entry.key);
    if (others) others.push(entry);
    else byKey.set(entry.key, [entry]);
  }
  const hasSettlements = entries.some(({ key }) => isSettlementKey(key));
  return { byKey, parts: partsOf(entries), hasSettlements };
}

/** Of one company. Another company's entries are unknown to it, so entries of no document are not looked for. */
export function checkDocuments(
  outside: Omit<Outside, 'entries'>,
  index: EntryIndex,
  onKey: (key: PostingKey) => void = () => undefined,
): Omit<OutsideReport, 'entries'> {
  const findings: Finding[] = [];
  let waiting = 0;
  for (const document of outside.documents) {
    const keys = keysOf(outside, document);
    keys.forEach(onKey);
    const live = keys
      .flatMap((key) => [...(index.byKey.get(key) ?? []), ...within(index, key)])
      .filter(({ isReversed }) => !isReversed);
    const settled = index.hasSettlements
      ? keys
          .flatMap((key) => index.byKey.get(settlementKey(key)) ?? [])
          .filter(({ isReversed }) => !isReversed)
      : [];
    if (document.accountingStatus === 'Created' && live.length === 0) waiting++;
    findings.push(...ofDocument(outside, document, live, settled));
  }
  return { documents: outside.documents.length, waiting, findings };
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
function within({ byKey, parts }: EntryIndex, key: PostingKey): readonly OutsideEntry[] {
  const part = parts.get(key);
  return part === undefined || byKey.has(reversalKey(key)) ? [] : part;
}

function keysOf(
  { environment, sourceAccount, ledger }: Omit<Outside, 'entries'>,
  { kind, guid }: OutsideDocument,
): PostingKey[] {
  const identity = { environment, sourceAccount, kind, guid, ledger };
  return Array.from({ length: GENERATIONS }, (_, generation) => postingKey({ ...identity, generation }));
}

function ofDocument(
  { settledBefore }: Pick<Outside, 'settledBefore'>,
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
