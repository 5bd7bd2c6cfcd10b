// The entries themselves. Promises: an entry is stored whole or not at all; none is ever changed but by its reversal and
// its attachments; finding by key, by id and by period costs the same at 200,000 entries as at 20.
import { createHash } from 'node:crypto';
import type { LedgerBehaviour, Period, Chart } from './behaviour.js';
import {
  imbalance,
  mirrored,
  type JournalRequest,
  type ReversalRequest,
  type JournalRequestLine,
} from './journal-request.js';

export interface AttachmentFacts {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** An entry as the ledger shows it. */
export interface LedgerEntry extends JournalRequest {
  readonly id: string;
  readonly number: string;
  readonly state: 'posted';
  /** It reverses another entry or was reversed: no live entry of its key. */
  readonly reversed: boolean;
  readonly reverses?: string;
  readonly reversedBy?: string;
  readonly attachments: readonly AttachmentFacts[];
}

/** The content is kept as text: a quarter of the memory of objects, and most entries are never read again. */
export interface StoredEntry {
  readonly id: string;
  readonly number: string;
  readonly key: string;
  readonly postingDate: string;
  readonly storedAtMs: number;
  readonly contentHash: string;
  readonly content: string;
  readonly reverses: string | null;
  reversedBy: string | null;
  attachments: readonly AttachmentFacts[];
}

export type StoreOutcome =
  | { readonly outcome: 'stored' | 'replayed' | 'duplicate' | 'collision'; readonly entry: StoredEntry }
  | Refusal;

type Keys = Pick<LedgerBehaviour, 'idempotency' | 'keyLifeMs'>;

const ATTACHMENTS_PER_ENTRY_MAX = 50;

export class Books {
  readonly chart = new ChartOfAccounts();
  readonly #entries: StoredEntry[] = [];
  readonly #byKey = new Map<string, StoredEntry[]>();
  readonly #byDay = new Map<string, StoredEntry[]>();
  #days: string[] = [];

  post(request: JournalRequest, keys: Keys, nowMs: number): StoreOutcome {
    const content = JSON.stringify(request);
    const contentHash = hash(content);
    return (
      this.#taken(request.key, contentHash, keys, nowMs) ??
      this.#refusal(request) ?? {
        outcome: 'stored',
        entry: this.#store(request, { content, contentHash, reverses: null, nowMs }),
      }
    );
  }

  reverse(original: StoredEntry, request: ReversalRequest, keys: Keys, nowMs: number): StoreOutcome {
    const contentHash = reversalHash(original.id, request);
    const taken = this.#taken(request.key, contentHash, keys, nowMs);
    if (taken) return taken;
    if (original.reversedBy !== null)
      return refused('invalid', `Entry ${original.number} is reversed already, by ${original.reversedBy}.`);
    if (original.reverses !== null)
      return refused('invalid', `Entry ${original.number} is itself a reversal; post a new entry instead.`);
    const closed = this.chart.refusalOfDate(request.date);
    if (closed) return closed;
    const journal = contentOf(original);
    const mirror: JournalRequest = {
      ...journal,
      key: request.key,
      postingDate: request.date,
      description: request.reason,
      lines: mirrored(journal.lines),
    };
    const entry = this.#store(mirror, {
      content: JSON.stringify(mirror),
      contentHash,
      reverses: original.id,
      nowMs,
    });
    original.reversedBy = entry.id;
    return { outcome: 'stored', entry };
  }

  attach(entry: StoredEntry, facts: AttachmentFacts): 'kept' | 'kept-already' | 'too-many' {
    if (entry.attachments.some((each) => each.sha256 === facts.sha256 && each.fileName === facts.fileName))
      return 'kept-already';
    if (entry.attachments.length >= ATTACHMENTS_PER_ENTRY_MAX) return 'too-many';
    entry.attachments = [...entry.attachments, facts];
    return 'kept';
  }

  byId(id: string): StoredEntry | undefined {
    const sequence = /^je-([1-9]\d{0,9})$/.exec(id)?.[1];
    return sequence === undefined ? undefined : this.#entries[Number(sequence) - 1];
  }

  byNumber(number: string): readonly StoredEntry[] {
    const sequence = /^J-(\d{6,10})$/.exec(number)?.[1];
    const entry = sequence === undefined ? undefined : this.#entries[Number(sequence) - 1];
    return entry?.number === number ? [entry] : [];
  }

  byKey(key: string): readonly StoredEntry[] {
    return this.#byKey.get(key) ?? [];
  }

  /** Entries of the period by posting date; whole days before the page are passed over without being looked at. */
  inPeriod(period: Period, offset: number, limit: number): StoredEntry[] {
    const page: StoredEntry[] = [];
    let toSkip = offset;
    for (let index = lowerBound(this.#days, period.from); index < this.#days.length; index++) {
      const day = this.#days[index];
      if (day === undefined || day > period.to || page.length >= limit) break;
      const entries = this.#byDay.get(day) ?? [];
      page.push(...entries.slice(toSkip, toSkip + limit - page.length));
      toSkip = Math.max(0, toSkip - entries.length);
    }
    return page;
  }

  get size(): number {
    return this.#entries.length;
  }

  keys(): IterableIterator<string> {
    return this.#byKey.keys();
  }

  slice(offset: number, limit: number): StoredEntry[] {
    return this.#entries.slice(offset, offset + limit);
  }

  /** Puts an entry back as it was shown, next in order; what it reverses must have been put back before it. */
  restore(shownEntry: LedgerEntry, nowMs: number): void {
    const { id, number: _number, state: _state, reversed: _reversed, attachments, ...rest } = shownEntry;
    const { reverses = null, reversedBy: _reversedBy, ...journal } = rest;
    if (id !== `je-${this.#entries.length + 1}`)
      throw new RangeError(
        `Entry ${id} is out of order: entries are restored from je-1 on, into empty books.`,
      );
    const content = JSON.stringify(journal);
    const { key, postingDate: date, description: reason } = journal;
    const contentHash = reverses === null ? hash(content) : reversalHash(reverses, { key, date, reason });
    const entry = this.#store(journal, { content, contentHash, reverses, nowMs });
    entry.attachments = attachments;
    const original = reverses === null ? undefined : this.byId(reverses);
    if (original !== undefined) original.reversedBy = entry.id;
  }

  clear(): void {
    this.#entries.length = 0;
    this.#byKey.clear();
    this.#byDay.clear();
    this.#days = [];
  }

  /** What the ledger's promise about keys says to a key that it has seen, before anything else is checked. */
  #taken(key: string, contentHash: string, keys: Keys, nowMs: number): StoreOutcome | null {
    const entry = this.#byKey.get(key)?.at(-1);
    if (entry === undefined) return null;
    if (keys.idempotency === 'unique-reference') return { outcome: 'duplicate', entry };
    if (keys.idempotency !== 'key') return null;
    if (keys.keyLifeMs !== null && nowMs - entry.storedAtMs > keys.keyLifeMs) return null;
    return { outcome: entry.contentHash === contentHash ? 'replayed' : 'collision', entry };
  }

  #refusal(request: JournalRequest): Refusal | null {
    const unbalanced = imbalance(request.lines);
    if (unbalanced !== null) return refused('unbalanced', unbalanced);
    const closed = this.chart.refusalOfDate(request.postingDate);
    if (closed) return closed;
    for (const line of request.lines) {
      const refusal = this.chart.refusalOfLine(line);
      if (refusal) return refusal;
    }
    return null;
  }

  #store(
    request: JournalRequest,
    rest: { content: string; contentHash: string; reverses: string | null; nowMs: number },
  ): StoredEntry {
    const sequence = this.#entries.length + 1;
    const entry: StoredEntry = {
      id: `je-${sequence}`,
      number: `J-${String(sequence).padStart(6, '0')}`,
      key: request.key,
      postingDate: request.postingDate,
      storedAtMs: rest.nowMs,
      contentHash: rest.contentHash,
      content: rest.content,
      reverses: rest.reverses,
      reversedBy: null,
      attachments: [],
    };
    this.#entries.push(entry);
    append(this.#byKey, entry.key, entry);
    if (!this.#byDay.has(entry.postingDate))
      this.#days.splice(lowerBound(this.#days, entry.postingDate), 0, entry.postingDate);
    append(this.#byDay, entry.postingDate, entry);
    return entry;
  }
}

export function shown(entry: StoredEntry): LedgerEntry {
  return {
    id: entry.id,
    number: entry.number,
    state: 'posted',
    ...contentOf(entry),
    reversed: entry.reverses !== null || entry.reversedBy !== null,
    ...(entry.reverses === null ? {} : { reverses: entry.reverses }),
    ...(entry.reversedBy === null ? {} : { reversedBy: entry.reversedBy }),
    attachments: entry.attachments,
  };
}

/** Neither reversed nor a reversal: what "at most one entry per key" counts. */
export function isLive(entry: StoredEntry): boolean {
  return entry.reverses === null && entry.reversedBy === null;
}

function contentOf(entry: StoredEntry): JournalRequest {
  return JSON.parse(entry.content) as JournalRequest;
}

function reversalHash(originalId: string, { key, date, reason }: ReversalRequest): string {
  return hash(JSON.stringify(['reversal', originalId, key, date, reason]));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function append(index: Map<string, StoredEntry[]>, name: string, entry: StoredEntry): void {
  const entries = index.get(name);
  if (entries) entries.push(entry);
  else index.set(name, [entry]);
}

function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Which accounts, VAT codes and dimensions the ledger knows, and which periods are closed. Without a chart it knows all.

interface Refusal {
  readonly outcome: 'refused';
  readonly code:
    | 'closed_period'
    | 'unknown_account'
    | 'blocked_account'
    | 'unknown_dimension'
    | 'unknown_vat_code'
    | 'unbalanced'
    | 'invalid';
  readonly message: string;
}

const CLOSED_PERIODS_MAX = 1000;

class ChartOfAccounts {
  #closed: Period[] = [];
  #chart: Chart | null = null;
  #accounts = new Map<string, 'open' | 'blocked'>();

  get chart(): Chart | null {
    return this.#chart;
  }

  set chart(chart: Chart | null) {
    this.#chart = chart;
    this.#accounts = new Map(chart?.accounts.map((each) => [each.account, each.state]));
  }

  closePeriod(period: Period): void {
    if (this.#closed.length >= CLOSED_PERIODS_MAX) throw new RangeError('Too many closed periods.');
    this.#closed.push(period);
  }

  openAllPeriods(): void {
    this.#closed = [];
  }

  refusalOfDate(date: string): Refusal | null {
    return this.#closed.some((period) => period.from <= date && date <= period.to)
      ? refused('closed_period', `The period of ${date} is closed.`)
      : null;
  }

  refusalOfLine(line: JournalRequestLine): Refusal | null {
    if (this.#chart === null) return null;
    const state = this.#accounts.get(line.account);
    if (state === undefined)
      return refused('unknown_account', `Account ${line.account} is not in the chart of accounts.`);
    if (state === 'blocked') return refused('blocked_account', `Account ${line.account} is blocked.`);
    if (line.vatCode !== undefined && this.#chart.vatCodes?.includes(line.vatCode) === false)
      return refused('unknown_vat_code', `VAT code ${line.vatCode} does not exist.`);
    return this.#chart.dimensions === null
      ? null
      : refusalOfDimensions(line.dimensions ?? {}, this.#chart.dimensions);
  }
}

function refusalOfDimensions(
  dimensions: Readonly<Record<string, string>>,
  known: NonNullable<Chart['dimensions']>,
): Refusal | null {
  for (const [dimension, value] of Object.entries(dimensions)) {
    const values = Object.hasOwn(known, dimension) ? known[dimension] : undefined;
    if (values === undefined) return refused('unknown_dimension', `Dimension ${dimension} does not exist.`);
    if (values?.includes(value) === false)
      return refused('unknown_dimension', `Dimension ${dimension} has no value ${value}.`);
  }
  return null;
}

function refused(code: Refusal['code'], message: string): Refusal {
  return { outcome: 'refused', code, message };
}
