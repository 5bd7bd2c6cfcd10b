// The steps from a prepared journal to a posted one: deep insert, comparison, dimensions, post. Until the last of them
// nothing is in the books; what the earlier ones leave behind is a journal that can be deleted.
import { z } from 'zod';
import type { Clock } from '../../domain/runtime.js';
import { readWireJson, wireAmount, wireInteger } from '../../http/wire-json.js';
import type { Answer } from '../answer.js';
import { BATCH_OPERATIONS_MAX } from './assumptions.js';
import type { BcClient } from './client.js';
import { errorIn, judge } from './dispositions.js';
import type { BcLedgerReader } from './ledger-reader.js';
import { rejected } from './setup.js';
import { batchCode, differsFromSent } from './translate.js';
import { bcBatchReply, bcJournal, type BcLine, type BcLineDimension } from './wire.js';

const sentLines = z.object({
  journalLines: z.array(z.object({ lineNumber: wireInteger, amount: wireAmount })),
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
    const lines = await this.#reader.lines(id);
    if (lines.outcome !== 'ok') return lines;
    const sent = sentLines.parse(readWireJson(Buffer.from(body)));
    if (differsFromSent(sent.journalLines, lines.value)) {
      await this.discard(id);
      const message =
        'Business Central changed the amounts on the way in. Check the amount decimals in General Ledger Setup and the currency of the customer.';
      return rejected('invalid', message);
    }
    const dimensioned = await this.#addDimensions(lines.value, dimensions);
    if (dimensioned.outcome === 'ok') return { outcome: 'ok', value: id };
    if (dimensioned.outcome === 'rejected') await this.discard(id);
    return dimensioned;
  }

  async post(id: string): Promise<Answer<undefined>> {
    const posted = await this.#client.act(`journals(${id})/Microsoft.NAV.post`);
    if (posted.outcome !== 'rejected') return posted;
    const removed = await this.discard(id);
    if (removed.outcome !== 'rejected') return posted;
    // It can be neither posted nor deleted: somebody else has taken it away. What became of it, a look-up tells.
    return { outcome: 'transient', message: `The journal has disappeared. ${posted.message}` };
  }

  /** Written down before posting, so that another process knows that the lines wait for the job queue. */
  markScheduled(id: string): Promise<Answer<undefined>> {
    const displayName = `ledgerbridge, scheduled ${this.#clock.now().toISOString()}`;
    return this.#client.change(`journals(${id})`, { displayName });
  }

  discard(id: string): Promise<Answer<undefined>> {
    return this.#client.remove(`journals(${id})`);
  }

  /** A code that is taken is either what an earlier post left (a blank line: removed) or somebody else's: wait. */
  async #create(key: string, body: string): Promise<Answer<string>> {
    const created = await this.#client.create('journals', body, bcJournal);
    if (created.outcome === 'ok') return { outcome: 'ok', value: created.value.id };
    if (created.outcome !== 'rejected' || created.code !== 'duplicate') return created;
    const journal = await this.#reader.journal(batchCode(key));
    if (journal.outcome !== 'ok') return journal;
    if (journal.value) {
      const lines = await this.#reader.lines(journal.value.id);
      if (lines.outcome !== 'ok') return lines;
      if (lines.value.some((line) => line.documentNumber !== '')) {
        return { outcome: 'transient', message: `Journal ${batchCode(key)} is in use by another posting.` };
      }
      const removed = await this.discard(journal.value.id);
      if (removed.outcome !== 'ok') return removed;
    }
    const again = await this.#client.create('journals', body, bcJournal);
    return again.outcome === 'ok' ? { outcome: 'ok', value: again.value.id } : again;
  }

  async #addDimensions(
    lines: readonly BcLine[],
    dimensions: readonly BcLineDimension[],
  ): Promise<Answer<undefined>> {
    const idOf = new Map(lines.map((line) => [line.lineNumber, line.id]));
    const requests = dimensions.map(({ lineNumber, code, valueCode }) => ({
      method: 'POST',
      url: this.#client.below(`journalLines(${idOf.get(lineNumber) ?? ''})/dimensionSetLines`),
      headers: { 'Content-Type': 'application/json' },
      body: { code, valueCode },
    }));
    for (let start = 0; start < requests.length; start += BATCH_OPERATIONS_MAX) {
      const chunk = requests.slice(start, start + BATCH_OPERATIONS_MAX);
      const answer = await this.#client.batch(chunk, bcBatchReply);
      if (answer.outcome !== 'ok') return answer;
      const refused = answer.value.responses.find((response) => errorIn(response.body));
      if (refused) {
        const body = Buffer.from(JSON.stringify(refused.body));
        return judge({ status: refused.status, headers: {}, body }, this.#clock.now());
      }
    }
    return { outcome: 'ok', value: undefined };
  }
}
