// The steps from a prepared journal to a posted one: deep insert, comparison, dimensions, post. Until the last of them
// nothing is in the books; what the earlier ones leave behind is a journal that can be deleted.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import { readWireJson, wireAmount, wireInteger } from '../../http/wire-json.js';
import { type Answer, inDoubt, type Ok } from '../answer.js';
import type { Rejected, Unknown } from '../erp-adapter.js';
import { rejected, saidBy, told } from '../told.js';
import { FINISHED_NAME, TIDY_UP_PAUSES_MS, UNFINISHED_NAME } from './assumptions.js';
import type { BcClient } from './client.js';
import type { BcLedgerReader } from './ledger-reader.js';
import { sendBatch } from './send-batch.js';
import { batchCode, differsFromSent, isBlank, taxCodeLost } from './translate.js';
import { anyBody, bcJournal, type BcLine, type BcLineDimension } from './wire.js';

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
    const lines = await this.#reader.lines(id);
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
    const journal = await this.#reader.journal(batchCode(key));
    if (journal.outcome !== 'ok') return journal;
    if (!journal.value) return { outcome: 'ok', value: undefined };
    const lines = await this.#reader.lines(journal.value.id);
    if (lines.outcome !== 'ok') return lines;
    if (lines.value.length > 0 && lines.value.every(isBlank)) {
      const isOthers = lines.value.some(({ documentNumber }) => !['', key].includes(documentNumber));
      return isOthers ? this.discard(journal.value.id) : this.#whoPosted(key);
    }
    if (lines.value.length > 0 && journal.value.displayName !== UNFINISHED_NAME) {
      return { outcome: 'transient', ...told('JOURNAL_IN_USE', { journal: batchCode(key) }) };
    }
    return this.discard(journal.value.id);
  }

  /** Another process may have posted it since the look-up; without an entry the lines went under another number. */
  async #whoPosted(key: string): Promise<Answer<undefined>> {
    const posted = await this.#reader.posted(key);
    if (posted.outcome !== 'ok') return posted;
    return posted.value.length === 0
      ? postedElsewhere(key)
      : {
          outcome: 'transient',
          ...told('JOURNAL_JUST_POSTED', { journal: batchCode(key) }),
        };
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
