// Entries that are journals: each document has a journal batch of its own, named after its key, and ledger entries are found by their
// document number, which is the key. A batch code is no lasting mutex, so the look-up decides, not it.
import type * as port from '../erp-adapter.js';
import * as assumed from './settings.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../../domain/journal.js';
import { alreadyThere, draftsAndPosted, lookedUp } from '../keyed-books.js';
import { type Answer, asAnswer, inDoubt, type Ok, ok, ReadFailed, type ReadFailure } from '../answer.js';
import { rejected, saidBy, told } from '../told.js';
import {
  type BusinessCentralConfiguration,
  FINISHED_NAME,
  TIDY_UP_PAUSES_MS,
  UNFINISHED_NAME,
} from './settings.js';
import {
  batchCode,
  differsFromSent,
  isBlank,
  splitBookings,
  taxCodeLost,
  toDraft,
  toEntry,
} from './translate.js';
import {
  anyBody,
  bcEntry,
  type BcEntry,
  bcJournal,
  type BcJournalHeader,
  bcLine,
  type BcLine,
  type BcLineDimension,
} from './wire.js';
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import { readWireJson, wireAmount, wireInteger } from '../../http/wire-json.js';
import type { ErpEntry, Rejected, Unknown } from '../erp-adapter.js';
import { type BcClient, literal, sendBatch } from './client.js';
import { isPostingKey, POSTING_KEY_LETTERS } from '../../domain/posting-key.js';
import { keyUndoneBy, REVERSAL_MARK } from '../reversal.js';

export interface SentJournal {
  readonly body: string;
  readonly dimensions: readonly BcLineDimension[];
}

export class BcJournalBooks {
  readonly #batch: BcJournalBatch;
  readonly #reader: BcLedgerReader;
  readonly #posting: BusinessCentralConfiguration['posting'];
  readonly #capabilities: port.ErpCapabilities;
  readonly #log: port.ErpLog;

  constructor(
    batch: BcJournalBatch,
    reader: BcLedgerReader,
    posting: BusinessCentralConfiguration['posting'],
    capabilities: port.ErpCapabilities,
    log: port.ErpLog,
  ) {
    this.#batch = batch;
    this.#reader = reader;
    this.#posting = posting;
    this.#capabilities = capabilities;
    this.#log = log;
  }

  async post(key: string, { body, dimensions }: SentJournal, journal: Journal): Promise<port.PostOutcome> {
    const made = await this.#batch.make(key, body, dimensions);
    if (made.outcome !== 'ok') return made;
    const isScheduled = this.#posting === 'job-queue';
    const posted = isScheduled ? await this.#batch.schedule(made.value) : await this.#batch.post(made.value);
    if (posted.outcome !== 'ok') return posted;
    return this.#readBack(key, made.value, journal);
  }

  async *listed(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    let open: BcEntry[] = [];
    let last = 0;
    let undone: ReadonlySet<string> | undefined;
    for (let page = 0; page < assumed.ENTRIES_PAGES_MAX; page++) {
      const entries = await this.#reader.period(period.from, period.to, last);
      const [first] = entries;
      if (first) undone ??= await this.#reader.undoneAfter(first.entryNumber);
      for (const entry of entries) {
        // Entries of one document follow each other, so a page break only keeps the last document open.
        if (open.length > 0 && open[0]?.documentNumber !== entry.documentNumber) {
          yield* this.#reader.toEntries(open, undone ?? NONE);
          open = [];
        }
        open.push(entry);
        last = entry.entryNumber;
      }
      if (entries.length < assumed.ENTRIES_PAGE_SIZE) break;
    }
    yield* this.#reader.toEntries(open, undone ?? NONE);
    const drafts = await this.#reader.drafts();
    yield* drafts.filter((draft) => draft.postingDate >= period.from && draft.postingDate <= period.to);
  }

  async #readBack(key: string, journalId: string, journal: Journal): Promise<port.PostOutcome> {
    const isScheduled = this.#posting === 'job-queue';
    for (const pauseMs of isScheduled ? [0] : assumed.READ_BACK_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      const posted = await lookedUp(() => this.#reader.posted(key));
      const after = alreadyThere(posted, journal, this.#capabilities);
      if (
        after.outcome !== 'answer' ||
        after.answer.outcome === 'transient' ||
        after.answer.outcome === 'auth'
      ) {
        continue;
      }
      // What is left is a blank line. It does no harm, so a failure to tidy up is noted and no more.
      const removed = await this.#batch.tidyUp(journalId);
      if (removed.outcome !== 'ok') this.#log.warn({ journal: batchCode(key) }, removed.message);
      return after.answer;
    }
    return this.#notShown(key, journalId, journal);
  }

  /** 204 and no entries: the lines still wait, or they were posted a moment ago, or they went under another number. */
  async #notShown(key: string, journalId: string, journal: Journal): Promise<port.PostOutcome> {
    const unseen = { outcome: 'unknown', ...told('JOURNAL_UNSEEN', { journal: batchCode(key) }) } as const;
    const lines = await asAnswer(() => this.#reader.lines(journalId));
    if (lines.outcome !== 'ok') return unseen;
    if (lines.value.some((line) => line.documentNumber === key && !isBlank(line)))
      return { outcome: 'pending', reference: { id: journalId, number: batchCode(key) } };
    const posted = await lookedUp(() => this.#reader.posted(key));
    if (posted.outcome === 'none') return postedElsewhere(key);
    const now = alreadyThere(posted, journal, this.#capabilities);
    const isSeen = now.outcome === 'answer' && posted.outcome !== 'transient' && posted.outcome !== 'auth';
    return isSeen ? now.answer : unseen;
  }
}

const NONE: ReadonlySet<string> = new Set();

// The steps from a prepared journal to a posted one: deep insert, comparison, dimensions, post. Until the last of them
// nothing is in the books; what the earlier ones leave behind is a journal that can be deleted.

const sentLines = z.object({
  journalLines: z.array(
    z.object({ lineNumber: wireInteger, amount: wireAmount, taxCode: z.string().exactOptional() }),
  ),
});

export class BcJournalBatch {
  readonly #client: BcClient;
  readonly #reader: BcLedgerReader;
  readonly #clock: Clock;

  constructor(client: BcClient, reader: BcLedgerReader, clock: Clock) {
    this.#client = client;
    this.#reader = reader;
    this.#clock = clock;
  }

  /** A journal with all its lines and dimensions, not posted. Its id. */
  async make(key: string, body: string, dimensions: readonly BcLineDimension[]): Promise<Answer<string>> {
    const created = await this.#create(key, body);
    if (created.outcome !== 'ok') return created;
    const id = created.value;
    const completed = await this.#complete(id, body, dimensions);
    return completed.outcome === 'ok' ? created : this.#unfinished(id, completed);
  }

  async post(id: string): Promise<Answer<undefined>> {
    const posted = await this.#client.act(`journals(${id})/Microsoft.NAV.post`);
    return posted.outcome === 'ok' ? posted : this.#unfinished(id, posted);
  }

  /** The mark is written before, so that another process knows that the lines wait for the job queue. */
  async schedule(id: string): Promise<Answer<undefined>> {
    const displayName = `${FINISHED_NAME}, scheduled ${this.#clock.now().toISOString()}`;
    const marked = await this.#client.change(`journals(${id})`, { displayName });
    if (marked.outcome !== 'ok') return this.#unfinished(id, marked);
    const posted = await this.#client.act(`journals(${id})/Microsoft.NAV.post`);
    if (posted.outcome === 'ok') return posted;
    // It was surely not scheduled: without the mark it can be posted again at once, and not only when the mark is old.
    if (posted.outcome === 'transient' || posted.outcome === 'auth')
      await this.#client.change(`journals(${id})`, { displayName: FINISHED_NAME });
    return this.#unfinished(id, posted);
  }

  async #complete(
    id: string,
    body: string,
    dimensions: readonly BcLineDimension[],
  ): Promise<Answer<undefined>> {
    const lines = await asAnswer(() => this.#reader.lines(id));
    if (lines.outcome !== 'ok') return lines;
    const sent = sentLines.parse(readWireJson(Buffer.from(body)));
    if (differsFromSent(sent.journalLines, lines.value)) {
      return rejected('invalid', told('AMOUNTS_CHANGED'));
    }
    const vatCode = taxCodeLost(sent.journalLines, lines.value);
    if (vatCode !== undefined) {
      const words = told('VAT_GROUP_NOT_KEPT', { vatCode });
      return rejected('unknown-vat-code', words, vatCode === '' ? {} : { vatCode });
    }
    if (dimensions.length === 0) return { outcome: 'ok', value: undefined };
    const dimensioned = await this.#addDimensions(lines.value, dimensions);
    if (dimensioned.outcome !== 'ok') return dimensioned;
    return this.#client.change(`journals(${id})`, { displayName: FINISHED_NAME });
  }

  /**
   * The journal is there, so a step that failed is never merely transient: only a look-up can tell what became of it. A
   * refusal stands when the journal could be removed; one that is gone already may have been posted by somebody else.
   */
  async #unfinished(id: string, failure: Exclude<Answer<unknown>, Ok<unknown>>): Promise<Rejected | Unknown> {
    if (failure.outcome !== 'rejected') return inDoubt(failure);
    const removed = await this.discard(id);
    if (removed.outcome === 'ok') return failure;
    return inDoubt(removed, told('JOURNAL_NOT_REMOVED', { failure: saidBy(failure) }));
  }

  discard(id: string): Promise<Answer<undefined>> {
    return this.#client.remove(`journals(${id})`);
  }

  /** Deletes what a post has left; gone already is as good. */
  async tidyUp(id: string): Promise<Answer<undefined>> {
    let removed: Answer<undefined> = { outcome: 'ok', value: undefined };
    for (const pauseMs of TIDY_UP_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      removed = await this.discard(id);
      if (removed.outcome === 'ok' || removed.outcome === 'rejected') break;
    }
    return removed.outcome === 'rejected' ? { outcome: 'ok', value: undefined } : removed;
  }

  async #create(key: string, body: string): Promise<Answer<string>> {
    const created = await this.#client.create('journals', body, bcJournal);
    if (created.outcome === 'ok') return { outcome: 'ok', value: created.value.id };
    if (created.outcome !== 'rejected' || created.code !== 'duplicate') return created;
    const cleared = await this.#clear(key);
    if (cleared.outcome !== 'ok') return cleared;
    const again = await this.#client.create('journals', body, bcJournal);
    return again.outcome === 'ok' ? { outcome: 'ok', value: again.value.id } : again;
  }

  /** The code is taken: removes an empty or unfinished journal, and leaves everything else to whoever it belongs to. */
  async #clear(key: string): Promise<Answer<undefined>> {
    const rubbish = await asAnswer(() => this.#rubbish(key));
    if (rubbish.outcome !== 'ok') return rubbish;
    return rubbish.value === undefined ? ok(undefined) : this.discard(rubbish.value);
  }

  /** The id of the journal that may be removed; undefined when there is none any more. Throws `ReadFailed` where it is in use. */
  async #rubbish(key: string): Promise<string | undefined> {
    const journal = await this.#reader.journal(batchCode(key));
    if (!journal) return undefined;
    const lines = await this.#reader.lines(journal.id);
    const isPosted = lines.length > 0 && lines.every(isBlank);
    if (isPosted && lines.every(({ documentNumber }) => ['', key].includes(documentNumber)))
      throw new ReadFailed(await this.#whoPosted(key));
    if (lines.length > 0 && !isPosted && journal.displayName !== UNFINISHED_NAME)
      throw new ReadFailed({
        outcome: 'transient',
        ...told('JOURNAL_IN_USE', { journal: batchCode(key) }),
      });
    return journal.id;
  }

  /** Another process may have posted it since the look-up; without an entry the lines went under another number. */
  async #whoPosted(key: string): Promise<ReadFailure> {
    const posted = await this.#reader.posted(key);
    if (posted.length === 0) return postedElsewhere(key);
    return { outcome: 'transient', ...told('JOURNAL_JUST_POSTED', { journal: batchCode(key) }) };
  }

  async #addDimensions(
    lines: readonly BcLine[],
    dimensions: readonly BcLineDimension[],
  ): Promise<Answer<undefined>> {
    const idOf = new Map(lines.map((line) => [line.lineNumber, line.id]));
    const requests = dimensions.map(({ lineNumber, code, valueCode }) => ({
      path: `journalLines(${idOf.get(lineNumber) ?? ''})/dimensionSetLines`,
      body: { code, valueCode },
    }));
    const added = await sendBatch({ client: this.#client, clock: this.#clock }, requests, anyBody);
    return added.outcome === 'ok' ? { outcome: 'ok', value: undefined } : added;
  }
}

/** A blank line is what posting leaves, and yet the ledger does not have the key: the entries got another number. */
export function postedElsewhere(key: string): Rejected {
  return rejected('collision', told('POSTED_ELSEWHERE', { journal: batchCode(key), key }));
}

// Entries as Business Central holds them: ledger entries by document number, and journals of ours that are not posted yet.

const SCHEDULED = /scheduled (\S+)$/;
const WITH_DIMENSIONS = { $expand: 'dimensionSetLines' };

export class BcLedgerReader {
  readonly #client: BcClient;
  readonly #configuration: BusinessCentralConfiguration;
  readonly #clock: Clock;

  constructor(client: BcClient, configuration: BusinessCentralConfiguration, clock: Clock) {
    this.#client = client;
    this.#configuration = configuration;
    this.#clock = clock;
  }

  /**
   * Posted entries and drafts under that key. Drafts first: what is posted between the two looks is then seen twice rather
   * than not at all, and a second look at the draft tells. Posting moves the lines, so both at once is an alarm.
   */
  byKey(key: string): Promise<readonly ErpEntry[]> {
    return draftsAndPosted(
      () => this.draft(key),
      () => this.posted(key),
    );
  }

  async posted(key: string): Promise<ErpEntry[]> {
    const rows = await this.#entries(`documentNumber eq ${literal(key)}`);
    if (rows.length === 0) return [];
    const isReversed = await this.isReversed(key);
    return splitBookings(rows).map((entries) => toEntry(entries, this.#configuration, isReversed));
  }

  async draft(key: string): Promise<ErpEntry[]> {
    const journal = await this.journal(batchCode(key));
    if (!journal) return [];
    return [this.#draftOf(journal, await this.lines(journal.id), key)].filter((draft) => draft !== undefined);
  }

  async journal(code: string): Promise<BcJournalHeader | undefined> {
    const query = { $filter: `code eq ${literal(code)}` };
    const [journal] = await this.#client.list('journals', query, bcJournal);
    return journal;
  }

  lines(journalId: string): Promise<BcLine[]> {
    return this.#client.list(`journals(${journalId})/journalLines`, WITH_DIMENSIONS, bcLine);
  }

  async byEntryNumber(number: number): Promise<string | undefined> {
    const [entry] = await this.#entries(`entryNumber eq ${number}`);
    return entry?.documentNumber;
  }

  /** All ledger entries under these document numbers. */
  async ofNumbers(numbers: readonly string[]): Promise<BcEntry[]> {
    const all: BcEntry[] = [];
    const ours = numbers.map((number) => `documentNumber eq ${literal(number)}`).join(' or ');
    for (let page = 0; page < assumed.ENTRIES_PAGES_MAX; page++) {
      const rows = await this.#entries(`(${ours}) and entryNumber gt ${all.at(-1)?.entryNumber ?? 0}`);
      all.push(...rows);
      if (rows.length < assumed.ENTRIES_PAGE_SIZE) break;
    }
    return all;
  }

  /** One page of ledger entries of a period, oldest first. */
  period(from: string, to: string, afterEntry: number): Promise<BcEntry[]> {
    const ours = POSTING_KEY_LETTERS.map((letter) => `startswith(documentNumber,${literal(letter)})`);
    const days = `postingDate ge ${from} and postingDate le ${to}`;
    return this.#entries(`${days} and entryNumber gt ${afterEntry} and (${ours.join(' or ')})`);
  }

  /**
   * Keys whose entries have been undone since. A reversal may lie in another period than what it undoes, but it is always
   * the later one, so no entry before the first of the list can matter.
   */
  async undoneAfter(firstEntry: number): Promise<ReadonlySet<string>> {
    const undone = new Set<string>();
    let last = firstEntry;
    for (let page = 0; page < assumed.ENTRIES_PAGES_MAX; page++) {
      const marked = `startswith(description,${literal(`${REVERSAL_MARK} `)})`;
      const rows = await this.#entries(`entryNumber gt ${last} and ${marked}`);
      for (const entry of rows) {
        const key = keyUndoneBy(entry.description);
        if (key !== undefined) undone.add(key);
        last = entry.entryNumber;
      }
      if (rows.length < assumed.ENTRIES_PAGE_SIZE) return undone;
    }
    const words = told('SYSTEM_SHOWS_TOO_MUCH', { system: 'Business Central', what: 'reversals' });
    throw new ReadFailed({ outcome: 'transient', ...words });
  }

  /** Our journals that are not posted. */
  async drafts(): Promise<ErpEntry[]> {
    const $filter = `startswith(code,${literal(assumed.BATCH_CODE_START)})`;
    const query = { $filter, $top: String(assumed.JOURNALS_MAX) };
    const journals = await this.#client.list('journals', query, bcJournal);
    const drafts: ErpEntry[] = [];
    for (const journal of journals) {
      const lines = await this.lines(journal.id);
      const key = lines.find((line) => isPostingKey(line.documentNumber))?.documentNumber;
      const draft = key === undefined ? undefined : this.#draftOf(journal, lines, key);
      if (draft) drafts.push(draft);
    }
    return drafts;
  }

  /** Ledger entries of one document, when it is one of ours. */
  toEntries(entries: readonly BcEntry[], undone: ReadonlySet<string>): ErpEntry[] {
    const ours = entries.filter((entry) => isPostingKey(entry.documentNumber));
    return splitBookings(ours).map((booking) =>
      toEntry(booking, this.#configuration, undone.has(booking[0]?.documentNumber ?? '')),
    );
  }

  #entries($filter: string): Promise<BcEntry[]> {
    const query = {
      $filter,
      $orderby: 'entryNumber',
      $top: String(assumed.ENTRIES_PAGE_SIZE),
      ...WITH_DIMENSIONS,
    };
    return this.#client.list('generalLedgerEntries', query, bcEntry);
  }

  async isReversed(key: string): Promise<boolean> {
    const $filter = `startswith(description,${literal(`${REVERSAL_MARK} ${key}`)})`;
    const marked = await this.#client.list('generalLedgerEntries', { $filter, $top: '1' }, bcEntry);
    return marked.length > 0;
  }

  /** After a post a journal keeps a blank line; lines of another key mean that two documents share a batch code. */
  #draftOf(journal: BcJournalHeader, lines: readonly BcLine[], key: string): ErpEntry | undefined {
    const ours = lines.filter((line) => line.documentNumber === key && !isBlank(line));
    if (ours.length === 0 || journal.displayName === assumed.UNFINISHED_NAME) return undefined;
    const state = this.#isScheduled(journal) ? 'pending' : 'draft';
    return toDraft(journal, ours, this.#configuration, state);
  }

  #isScheduled(journal: BcJournalHeader): boolean {
    const since = SCHEDULED.exec(journal.displayName)?.[1];
    if (since === undefined) return false;
    const minutes = (this.#clock.now().getTime() - Date.parse(since)) / 60_000;
    return minutes < assumed.SCHEDULED_MINUTES_MAX;
  }
}
