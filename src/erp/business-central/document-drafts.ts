// The steps from a prepared document to a posted one: header, lines, dimensions, a look at what Business Central made of them, post. Until
// the last of them nothing is in the books; what the earlier ones leave is a draft under our key that can be deleted.
import type { Clock } from '../../domain/runtime.js';
import type { Journal } from '../../domain/journal.js';
import { writeWireJson } from '../../http/wire-json.js';
import { confirmed, firstDifferences } from '../keyed-books.js';
import { type Answer, inDoubt, type Ok, type ReadAnswer } from '../answer.js';
import { entryDifferences } from '../compare-entry.js';
import type { ErpCapabilities, ErpLog, PostOutcome, Rejected, Unknown } from '../erp-adapter.js';
import { rejected, saidBy, told } from '../told.js';
import { DRAFT_PAUSE_MS_MAX } from './assumptions.js';
import type { BcClient } from './client.js';
import type { BcDocumentBooks, BcDocumentReference } from './document-books.js';
import { groupLost, isPosted } from './documents.js';
import { sendBatch } from './send-batch.js';
import { anyBody } from './wire.js';
import {
  bcDocument,
  bcDocumentLine,
  type BcDocumentRead,
  type BcDocumentSent,
  SET_FACTS,
} from './wire-documents.js';

const system = 'Business Central';

export interface DraftContext {
  readonly client: BcClient;
  readonly books: BcDocumentBooks;
  readonly clock: Clock;
  readonly log: ErpLog;
  readonly capabilities: ErpCapabilities;
}

/** `in-use`: another process makes the same document, and ours was taken back. */
export type Made = Answer<BcDocumentReference> | { readonly outcome: 'in-use'; readonly id: string };

export class BcDocumentDrafts {
  readonly #context: DraftContext;

  constructor(context: DraftContext) {
    this.#context = context;
  }

  /** A draft that is whole, and is the only document under its key. */
  async make(key: string, sent: BcDocumentSent, journal: Journal): Promise<Made> {
    const { client } = this.#context;
    const { set } = sent;
    const created = await client.create(set, writeWireJson(sent.header), bcDocument(set));
    if (created.outcome !== 'ok') return created;
    const draft = { set, id: created.value.id };
    const filled = await this.#fill(draft, sent, created.value.pricesIncludeTax);
    if (filled.outcome !== 'ok') return this.#unfinished(draft, filled);
    const now = await this.#context.books.marked(set, key);
    if (now.outcome !== 'ok') return this.#unfinished(draft, now);
    const mine = now.value.find(({ id }) => id === draft.id);
    if (!mine || now.value.length > 1) {
      const removed = mine ? await this.discard(draft) : null;
      return removed && removed.outcome !== 'ok' ? inDoubt(removed) : { outcome: 'in-use', id: draft.id };
    }
    const wrong = await this.#findProblem(mine, sent, journal);
    if (wrong.outcome !== 'ok') return this.#unfinished(draft, wrong);
    await this.#apply(mine, journal);
    return { outcome: 'ok', value: draft };
  }

  async post(draft: BcDocumentReference): Promise<Answer<undefined>> {
    const posted = await this.#context.client.act(`${draft.set}(${draft.id})/Microsoft.NAV.post`);
    return posted.outcome === 'ok' ? posted : this.#unfinished(draft, posted);
  }

  /** What became of it, once it is seen; null as long as it is not. */
  async readBack(
    key: string,
    { set, id }: BcDocumentReference,
    journal: Journal,
  ): Promise<PostOutcome | null> {
    const { books, capabilities } = this.#context;
    const now = await books.marked(set, key);
    if (now.outcome !== 'ok' || !now.value.some((each) => each.id === id && isPosted(each))) return null;
    const entries = await books.entries(now.value, () => false);
    if (entries.outcome !== 'ok') return null;
    const [entry, another] = entries.value;
    if (!entry) return null;
    if (!another) return confirmed(entry, journal, capabilities);
    return rejected('duplicate', told('SEVERAL_UNDER_KEY', { count: entries.value.length }));
  }

  discard({ set, id }: BcDocumentReference): Promise<Answer<undefined>> {
    return this.#context.client.remove(`${set}(${id})`);
  }

  async #fill(
    { set, id }: BcDocumentReference,
    { lines, dimensions }: BcDocumentSent,
    pricesIncludeTax: boolean,
  ): Promise<Answer<undefined>> {
    const { client, clock } = this.#context;
    const { lines: linesName, price } = SET_FACTS[set];
    const bodies = lines.map(({ withVat, withoutVat, ...line }) => ({
      ...line,
      ...(withVat && withoutVat ? { [price]: pricesIncludeTax ? withVat : withoutVat } : {}),
    }));
    const path = `${set}(${id})/${linesName}`;
    const made = await sendBatch(
      { client, clock },
      bodies.map((body) => ({ path, body })),
      bcDocumentLine,
    );
    if (made.outcome !== 'ok') return made;
    const idOf = new Map(made.value.map((line) => [line.sequence, line.id]));
    const dimensioned = await sendBatch(
      { client, clock },
      dimensions.map(({ lineNumber, code, valueCode }) => ({
        path: `${linesName}(${idOf.get(lineNumber) ?? ''})/dimensionSetLines`,
        body: { code, valueCode },
      })),
      anyBody,
    );
    return dimensioned.outcome === 'ok' ? { outcome: 'ok', value: undefined } : dimensioned;
  }

  /** Amounts are rounded, discounts and dimensions slip in, and VAT is reckoned: so the draft is compared before it is posted. */
  async #findProblem(
    draft: BcDocumentRead,
    sent: BcDocumentSent,
    journal: Journal,
  ): Promise<Answer<undefined>> {
    const { books, capabilities } = this.#context;
    const vatCode = groupLost(sent, draft);
    if (vatCode !== undefined) {
      const words = told('VAT_GROUP_NOT_KEPT', { vatCode });
      return rejected('unknown-vat-code', words, vatCode === '' ? {} : { vatCode });
    }
    const entries = await books.entries([draft], () => false, journal.exchangeRate);
    if (entries.outcome !== 'ok') return entries;
    const [entry] = entries.value;
    const differences = entry ? entryDifferences(journal, entry, capabilities) : [];
    if (differences.length === 0) return { outcome: 'ok', value: undefined };
    const words = told('DRAFT_NOT_AS_SENT', { differences: firstDifferences(differences) });
    return rejected('invalid', words);
  }

  /** A credit memo closes the invoice that it corrects when it is posted, as far as that is open. Without that it is booked all the same. */
  async #apply(draft: BcDocumentRead, journal: Journal): Promise<void> {
    const { client, log } = this.#context;
    const found = await this.#findCredited(draft, journal);
    // Of a bill the API does not show how much of it is open, only that something is.
    const fits = (invoice: BcDocumentRead) =>
      invoice.partnerNumber === draft.partnerNumber &&
      invoice.currencyCode === draft.currencyCode &&
      (invoice.remaining ?? invoice.total).greaterThanOrEqualTo(draft.total);
    if (found.outcome === 'ok' && !(found.value && fits(found.value))) return;
    const applied =
      found.outcome === 'ok' && found.value
        ? await client.change(`${draft.set}(${draft.id})`, { invoiceId: found.value.id })
        : found;
    if (applied.outcome !== 'ok')
      log.warn({ document: draft.number }, `not applied in Business Central: ${applied.message}`);
  }

  async #findCredited(
    { set, partnerNumber }: BcDocumentRead,
    { appliesTo, appliesToNo }: Journal,
  ): Promise<ReadAnswer<BcDocumentRead | undefined>> {
    const { books } = this.#context;
    if (set === 'salesCreditMemos' && appliesTo !== undefined) return books.openSale(appliesTo);
    if (set === 'purchaseCreditMemos' && appliesToNo !== undefined)
      return books.openBill(partnerNumber, appliesToNo);
    return { outcome: 'ok', value: undefined };
  }

  /** The draft is there, so a step that failed is never merely transient. A refusal stands when the draft could be removed. */
  async #unfinished(
    draft: BcDocumentReference,
    failure: Exclude<Answer<unknown>, Ok<unknown>>,
  ): Promise<Rejected | Unknown> {
    if (failure.outcome !== 'rejected') return inDoubt(failure);
    const removed = await this.discard(draft);
    if (removed.outcome === 'ok') return failure;
    return inDoubt(removed, told('DRAFT_NOT_REMOVED', { failure: saidBy(failure) }));
  }
}

/** Another for each draft, so that two processes that have taken theirs back do not meet again. */
export function pauseAfter(draftId: string): number {
  return Number.parseInt(draftId.replaceAll('-', '').slice(-6), 16) % DRAFT_PAUSE_MS_MAX;
}

export function draftInUse(): { readonly outcome: 'transient' } & ReturnType<typeof told> {
  return { outcome: 'transient', ...told('DRAFT_IN_USE', { system }) };
}
