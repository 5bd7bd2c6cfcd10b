// The books on disk: append once by key, find by key, read by month. Commits what is waiting as one group: one lock, one
// fsync a month. Whatever a crash left behind is put right under the lock before anything new is written.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_DIRECTORY } from '../../domain/private-files.js';
import type { Clock } from '../../domain/runtime.js';
import type { ErpLog } from '../erp-adapter.js';
import { OneAtATime } from '../keyed-books.js';
import { Books } from './books.js';
import { DirectoryLock } from './directory-lock.js';
import {
  appendDurably,
  encodeRecord,
  type LedgerRecord,
  monthOf,
  readRecordAt,
  readRecords,
  syncDirectory,
  truncateDurably,
  KeyIndex,
} from './records.js';
import type { BookFormat } from './formats/book-format.js';

export type NewRecord = Omit<LedgerRecord, 'number' | 'recordedAt'>;

export type AppendResult =
  | { readonly result: 'appended'; readonly record: LedgerRecord }
  | { readonly result: 'exists'; readonly records: readonly LedgerRecord[] }
  | { readonly result: 'already-reversed'; readonly by: LedgerRecord };

interface MonthState {
  bytes: number;
  records: number;
  last: LedgerRecord | null;
}

interface Waiting {
  readonly record: NewRecord;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

const GROUP_MAX = 256;
const UNFINISHED = /\.[0-9a-f-]{36}\.tmp$/;

export class FileLedger {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #log: ErpLog;
  readonly #lock: DirectoryLock;
  readonly #books: Books;
  readonly #index = new KeyIndex();
  readonly #months = new Map<string, MonthState>();
  readonly #vocabulary = {
    accounts: new Set<string>(),
    dimensions: new Set<string>(),
  };
  readonly #turns = new OneAtATime();
  #waiting: Waiting[] = [];
  #committing: Promise<void> | null = null;
  /** A look at the files that has not begun yet. */
  #nextLook: Promise<unknown> | null = null;
  #isRepaired = false;

  constructor(directory: string, formats: readonly BookFormat[], clock: Clock, log: ErpLog) {
    this.#directory = directory;
    this.#clock = clock;
    this.#log = log;
    this.#lock = new DirectoryLock(directory);
    this.#books = new Books(directory, formats, clock, log);
  }

  append(record: NewRecord): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
      this.#committing ??= this.#commitAll().finally(() => (this.#committing = null));
    });
  }

  async find(key: string): Promise<LedgerRecord[]> {
    await this.#look();
    return this.#recordsUnder(key, (record) => record.key === key);
  }

  /** Whether an entry that was just read has been reversed. */
  async isReversed(key: string): Promise<boolean> {
    return (await this.#reversalsOf(key)).length > 0;
  }

  async *read(from: string, to: string): AsyncGenerator<LedgerRecord> {
    await this.#look();
    const months = [...this.#months.keys()].filter((month) => month >= monthOf(from) && month <= monthOf(to));
    for (const month of months.sort()) {
      for await (const { record } of readRecords(this.#path(month))) {
        const date = record.journal.postingDate;
        if (date >= from && date <= to) yield record;
      }
    }
  }

  async findByNumber(number: string): Promise<LedgerRecord | null> {
    const month = number.slice(0, 7);
    await this.#look();
    if (!this.#months.has(month)) return null;
    for await (const { record } of readRecords(this.#path(month)))
      if (record.number === number) return record;
    return null;
  }

  /** Makes the directory and proves that it can be written to. */
  async open(): Promise<void> {
    await this.alone(() => this.#turns.run('index', () => this.#catchUpAndRepair()));
  }

  /** Nobody else writes into the directory meanwhile; it is there. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    await mkdir(this.#directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    return this.#lock.hold(work);
  }

  async close(): Promise<void> {
    await this.#committing;
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, GROUP_MAX);
      try {
        await this.alone(() => this.#turns.run('index', () => this.#commit(group)));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    await this.#catchUpAndRepair();
    const fresh = new Map<string, Waiting[]>();
    const taken = new Set<string>();
    const again: Waiting[] = [];
    for (const waiting of group) {
      const known = await this.#known(waiting.record);
      const names = namesOf(waiting.record);
      if (known) waiting.resolve(known);
      else if (names.some((name) => taken.has(name))) again.push(waiting);
      else {
        for (const name of names) taken.add(name);
        const month = monthOf(waiting.record.journal.postingDate);
        fresh.set(month, [...(fresh.get(month) ?? []), waiting]);
      }
    }
    for (const [month, waiting] of fresh) await this.#appendMonth(month, waiting);
    // The same key, or the same reversal, twice in one group: the second gets its turn in the next.
    this.#waiting.unshift(...again);
  }

  /** What makes a record unnecessary: its key is there, or what it reverses has been reversed. */
  async #known({ key, reverses }: NewRecord): Promise<AppendResult | null> {
    const records = await this.#recordsUnder(key, (record) => record.key === key);
    if (records.length > 0) return { result: 'exists', records };
    const [by] = reverses === undefined ? [] : await this.#reversalsOf(reverses);
    return by ? { result: 'already-reversed', by } : null;
  }

  async #appendMonth(month: string, group: readonly Waiting[]): Promise<void> {
    const state = this.#months.get(month) ?? { bytes: 0, records: 0, last: null };
    try {
      const recordedAt = this.#clock.now().toISOString();
      // A file only grows at its end, so days are in order within what is written together.
      group = group.toSorted((one, other) => (dayOf(one) < dayOf(other) ? -1 : 1));
      const records = group.map(({ record }, position): LedgerRecord => {
        return { ...record, number: `${month}/${String(state.records + position + 1)}`, recordedAt };
      });
      const lines = records.map((record) => Buffer.from(encodeRecord(record)));
      await appendDurably(this.#path(month), state.bytes, Buffer.concat(lines));
      if (state.records === 0) await syncDirectory(this.#directory);
      const isNews = this.#note(month, records, lines);
      if (isNews) await this.#books.declare(this.#vocabulary, [...this.#months.keys()]);
      await this.#books.append(month, records);
      records.forEach((record, position) => group[position]?.resolve({ result: 'appended', record }));
    } catch (error) {
      // The record may be durable although a book is not; the next writer looks at both again.
      this.#isRepaired = false;
      for (const { reject } of group) reject(error);
    }
  }

  #note(month: string, records: readonly LedgerRecord[], lines: readonly Buffer[]): boolean {
    const before = this.#names();
    for (const [position, record] of records.entries()) {
      const offset = this.#months.get(month)?.bytes ?? 0;
      this.#learn(month, record, offset, offset + (lines[position]?.length ?? 0));
    }
    return this.#names() !== before;
  }

  #names(): number {
    const { accounts, dimensions } = this.#vocabulary;
    return accounts.size + dimensions.size + this.#months.size;
  }

  #learn(month: string, record: LedgerRecord, offset: number, end: number): void {
    const state = this.#months.get(month);
    this.#months.set(month, { bytes: end, records: (state?.records ?? 0) + 1, last: record });
    for (const name of namesOf(record)) this.#index.add(name, { month, offset });
    for (const line of record.journal.lines) {
      this.#vocabulary.accounts.add(line.account);
      for (const dimension of Object.keys(line.dimensions ?? {})) this.#vocabulary.dimensions.add(dimension);
    }
  }

  /** One look serves all who asked before it began. */
  #look(): Promise<unknown> {
    this.#nextLook ??= this.#turns.run('index', () => {
      this.#nextLook = null;
      return this.#catchUp();
    });
    return this.#nextLook;
  }

  /** Reads what other processes appended since. Returns the months that grew, with the size each file really has. */
  async #catchUp(): Promise<Map<string, number>> {
    const grown = new Map<string, number>();
    for (const [month, size] of await monthSizes(this.#directory)) {
      const known = this.#months.get(month)?.bytes ?? 0;
      if (size < known) return this.#startOver();
      if (size === known) continue;
      grown.set(month, size);
      for await (const { record, offset, end } of readRecords(this.#path(month), known))
        this.#learn(month, record, offset, end);
    }
    return grown;
  }

  /** A file that shrank was restored or repaired by somebody else: nothing learnt so far can be trusted. */
  async #startOver(): Promise<Map<string, number>> {
    this.#index.clear();
    this.#months.clear();
    this.#isRepaired = false;
    return this.#catchUp();
  }

  async #catchUpAndRepair(): Promise<void> {
    const grown = await this.#catchUp();
    const sizes = this.#isRepaired ? grown : await monthSizes(this.#directory);
    for (const [month, size] of sizes) {
      const state = this.#months.get(month);
      const whole = state?.bytes ?? 0;
      if (size > whole) {
        this.#log.warn({ month, bytes: size - whole }, 'an unfinished write was removed from the books');
        await truncateDurably(this.#path(month), whole);
      }
      if (state?.last) await this.#books.repair({ name: month, last: state.last });
    }
    if (!this.#isRepaired || grown.size > 0)
      await this.#books.declare(this.#vocabulary, [...this.#months.keys()]);
    if (!this.#isRepaired) await this.#sweepUnfinished();
    this.#isRepaired = true;
  }

  async #sweepUnfinished(): Promise<void> {
    for (const name of await readdir(this.#directory))
      if (UNFINISHED.test(name)) await rm(join(this.#directory, name), { force: true });
  }

  #reversalsOf(key: string): Promise<LedgerRecord[]> {
    return this.#recordsUnder(reversalOf(key), (record) => record.reverses === key);
  }

  async #recordsUnder(name: string, matches: (record: LedgerRecord) => boolean): Promise<LedgerRecord[]> {
    const found: LedgerRecord[] = [];
    for (const { month, offset } of this.#index.places(name)) {
      const record = await readRecordAt(this.#path(month), offset);
      if (record !== null && matches(record)) found.push(record);
    }
    return found;
  }

  #path(month: string): string {
    return monthFile(this.#directory, month);
  }
}

function dayOf({ record }: Waiting): string {
  return record.journal.postingDate;
}

function reversalOf(key: string): string {
  return `reverses:${key}`;
}

/** Under which names a record is found. */
function namesOf({ key, reverses }: NewRecord): string[] {
  return reverses === undefined ? [key] : [key, reversalOf(reverses)];
}

// The record is kept as one file a month; this is where they are, and how large.

const MONTH_FILE = /^(\d{4}-\d{2})\.jsonl$/;

export function monthFile(directory: string, month: string): string {
  return join(directory, `${month}.jsonl`);
}

/** Bytes by month. */
export async function monthSizes(directory: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await filesIn(directory)) {
    const month = MONTH_FILE.exec(name)?.[1];
    if (month !== undefined) sizes.set(month, (await stat(monthFile(directory, month))).size);
  }
  return sizes;
}

/** None before the first entry. Any other trouble is thrown: "none" must never mean "could not look". */
async function filesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
