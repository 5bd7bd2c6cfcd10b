// Entries that are journals: each document has a journal batch of its own, named after its key, and ledger entries are found by their
// document number, which is the key. A batch code is no lasting mutex, so the look-up decides, not it.
import type * as port from '../erp-adapter.js';
import * as assumed from './assumptions.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../../domain/journal.js';
import { alreadyThere, foundEntries } from '../keyed-books.js';
import { asLookUp, type ReadAnswer } from '../answer.js';
import { listFailed, told } from '../told.js';
import type { BusinessCentralConfiguration } from './config.js';
import { type BcJournalBatch, postedElsewhere } from './journal-batch.js';
import type { BcLedgerReader } from './ledger-reader.js';
import { batchCode, isBlank } from './translate.js';
import type { BcEntry, BcLineDimension } from './wire.js';

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
      const entries = listed(await this.#reader.period(period.from, period.to, last));
      const [first] = entries;
      if (first) undone ??= listed(await this.#reader.undoneAfter(first.entryNumber));
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
    const drafts = listed(await this.#reader.drafts());
    yield* drafts.filter((draft) => draft.postingDate >= period.from && draft.postingDate <= period.to);
  }

  async #readBack(key: string, journalId: string, journal: Journal): Promise<port.PostOutcome> {
    const isScheduled = this.#posting === 'job-queue';
    for (const pauseMs of isScheduled ? [0] : assumed.READ_BACK_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      const posted = foundEntries(asLookUp(await this.#reader.posted(key)));
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
    const lines = await this.#reader.lines(journalId);
    if (lines.outcome !== 'ok') return unseen;
    if (lines.value.some((line) => line.documentNumber === key && !isBlank(line)))
      return { outcome: 'pending', reference: { id: journalId, number: batchCode(key) } };
    const posted = foundEntries(asLookUp(await this.#reader.posted(key)));
    if (posted.outcome === 'none') return postedElsewhere(key);
    const now = alreadyThere(posted, journal, this.#capabilities);
    const isSeen = now.outcome === 'answer' && posted.outcome !== 'transient' && posted.outcome !== 'auth';
    return isSeen ? now.answer : unseen;
  }
}

const NONE: ReadonlySet<string> = new Set();

function listed<T>(answer: ReadAnswer<T>): T {
  if (answer.outcome !== 'ok') throw listFailed(answer);
  return answer.value;
}
