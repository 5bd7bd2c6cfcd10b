// Sales and purchase documents as Business Central holds them, drafts and posted ones alike, in our terms.
import type { Decimal } from '../../domain/money.js';
import { type Answer, asAnswer, inDoubt, type Ok, ok, ReadFailed } from '../answer.js';
import type { ErpCapabilities, ErpEntry, ErpLog, PostOutcome, Rejected, Unknown } from '../erp-adapter.js';
import { rejected, saidBy, told } from '../told.js';
import * as assumed from './settings.js';
import { type BcClient, literal, sendBatch } from './client.js';
import {
  type BcDocumentSettings,
  groupLost,
  guidMark,
  hasNumber,
  isCorrected,
  isLive,
  isPosted,
  keyOfDocument,
  markedNumber,
  toDocumentEntry,
  withoutCorrections,
} from './documents.js';
import type { BcLedgerReader } from './journal-books.js';
import type { BcKennitalas } from './facts.js';
import {
  anyBody,
  bcDocument,
  bcDocumentLine,
  type BcDocumentRead,
  type BcDocumentSent,
  type BcDocumentSet,
  type BcEntry,
  DOCUMENT_SETS,
  SET_FACTS,
} from './wire.js';
import type { Clock } from '../../domain/runtime.js';
import type { Journal } from '../../domain/journal.js';
import { writeWireJson } from '../../http/wire-json.js';
import { confirmed, firstDifferences } from '../keyed-books.js';
import { entryDifferences } from '../compare-entry.js';
import { DRAFT_PAUSE_MS_MAX } from './settings.js';

export interface BcDocumentReference {
  readonly set: BcDocumentSet;
  readonly id: string;
}

/** `salesInvoices/guid`; null for what is no document. */
export function documentReference(reference: string): BcDocumentReference | null {
  const [word = '', id = ''] = reference.split('/');
  const set = DOCUMENT_SETS.find((each) => each === word);
  return set && id !== '' ? { set, id } : null;
}

export class BcDocumentBooks {
  readonly #client: BcClient;
  readonly #reader: BcLedgerReader;
  readonly #kennitalas: BcKennitalas;
  readonly #settings: BcDocumentSettings;

  constructor(
    client: BcClient,
    reader: BcLedgerReader,
    kennitalas: BcKennitalas,
    settings: BcDocumentSettings,
  ) {
    this.#client = client;
    this.#reader = reader;
    this.#kennitalas = kennitalas;
    this.#settings = settings;
  }

  async withKey(key: string): Promise<ErpEntry[]> {
    const found: BcDocumentRead[] = [];
    for (const set of DOCUMENT_SETS) found.push(...(await this.marked(set, key)));
    if (found.length === 0) return [];
    const isReversed = await this.#reader.isReversed(key);
    return this.entries(found, () => isReversed);
  }

  /** All under that key in one set, as they are. */
  async marked(set: BcDocumentSet, key: string): Promise<BcDocumentRead[]> {
    const { mark } = SET_FACTS[set];
    const read = await this.#read(set, { $filter: `endswith(${mark},${literal(key)})` });
    return read.filter((each) => isLive(each) && keyOfDocument(each) === key);
  }

  /** As people see it: by its number in Business Central. */
  async numbered(number: string): Promise<BcDocumentRead[]> {
    const found: BcDocumentRead[] = [];
    for (const set of DOCUMENT_SETS) {
      const read = await this.#read(set, { $filter: `number eq ${literal(number)}` });
      found.push(...read.filter(isLive));
    }
    return found;
  }

  async byId({ set, id }: BcDocumentReference): Promise<BcDocumentRead[]> {
    const read = await this.#read(set, { $filter: `id eq ${id}` });
    return read.filter(isLive);
  }

  /** The sale that is known by this guid at the source, where there is one and something of it is open. */
  async openSale(guid: string): Promise<BcDocumentRead | undefined> {
    const $filter = `customerPurchaseOrderReference eq ${literal(guidMark(guid))}`;
    const read = await this.#read('salesInvoices', { $filter });
    const [sale, another] = read.filter(isOpen);
    return another ? undefined : sale;
  }

  /** The bill of this vendor with this number, ours or typed in by a person, where there is one and something of it is open. */
  async openBill(partner: string, number: string): Promise<BcDocumentRead | undefined> {
    const begins = `startswith(vendorInvoiceNumber,${literal(markedNumber(number))})`;
    const $filter = `vendorNumber eq ${literal(partner)} and ${begins}`;
    const read = await this.#read('purchaseInvoices', { $filter });
    const [bill, another] = read.filter((each) => isOpen(each) && hasNumber(each, number));
    return another ? undefined : bill;
  }

  /** A bill that somebody has typed in under the number that the vendor gave it. */
  async typedBill(set: BcDocumentSet, partner: string, number: string): Promise<string | undefined> {
    const { mark, partnerNumber } = SET_FACTS[set];
    const $filter = `${partnerNumber} eq ${literal(partner)} and ${mark} eq ${literal(number.toUpperCase())}`;
    const read = await this.#read(set, { $filter });
    return read.find((each) => isLive(each) && each.status !== 'Canceled')?.number;
  }

  /** With what the ledger says of those that are posted. What only corrects another under the same key is left out. */
  async entries(
    found: readonly BcDocumentRead[],
    isReversed: (key: string) => boolean,
    rate?: Decimal,
  ): Promise<ErpEntry[]> {
    const ledger = await this.#readLedger(found.filter(isPosted));
    const entries: ErpEntry[] = [];
    for (const each of withoutCorrections(found)) {
      const kennitala = await this.#kennitalas.read(SET_FACTS[each.set].partner, each.partnerNumber);
      const own = ledger.filter((entry) => isOf(entry, each));
      if (isPosted(each) && own.length === 0) {
        const unread = told('BOOKED_NOT_READ', { system: 'Business Central', id: each.number });
        throw new ReadFailed({ outcome: 'transient', ...unread });
      }
      entries.push(
        toDocumentEntry(each, {
          settings: this.#settings,
          ledger: own,
          kennitala,
          isReversed: isReversed(keyOfDocument(each)) || isCorrected(each, found),
          ...(rate ? { rate } : {}),
        }),
      );
    }
    return entries;
  }

  /** Those under keys of ours with a posting date in the period. */
  async *listed(period: { readonly from: string; readonly to: string }): AsyncIterable<ErpEntry> {
    let undone: ReadonlySet<string> | undefined;
    for (const set of DOCUMENT_SETS)
      for await (const page of this.#pages(set, period)) {
        const ours = page.filter((each) => isLive(each) && keyOfDocument(each) !== '');
        if (ours.length === 0) continue;
        undone ??= await this.#reader.undoneAfter(0);
        const known = undone;
        yield* await this.entries(ours, (key) => known.has(key));
      }
  }

  /** By number, from the last one on: what is added meanwhile pushes nothing off a page. Drafts may have numbers of posted ones. */
  async *#pages(
    set: BcDocumentSet,
    { from, to }: { readonly from: string; readonly to: string },
  ): AsyncIterable<BcDocumentRead[]> {
    const days = `postingDate ge ${from} and postingDate le ${to}`;
    let last: string | undefined;
    let seen = new Set<string>();
    for (let page = 0; page < assumed.DOCUMENTS_PAGES_MAX; page++) {
      const $filter = last === undefined ? days : `${days} and number ge ${literal(last)}`;
      const query = { $filter, $orderby: 'number', $top: String(assumed.DOCUMENTS_PAGE_SIZE) };
      const read = await this.#read(set, query);
      const fresh = read.filter(({ id }) => !seen.has(id));
      yield fresh;
      if (read.length < assumed.DOCUMENTS_PAGE_SIZE || fresh.length === 0) return;
      last = read.at(-1)?.number;
      seen = new Set(read.filter(({ number }) => number === last).map(({ id }) => id));
    }
  }

  async #readLedger(posted: readonly BcDocumentRead[]): Promise<BcEntry[]> {
    const numbers = [...new Set(posted.map(({ number }) => number))];
    const all: BcEntry[] = [];
    for (let start = 0; start < numbers.length; start += assumed.NUMBERS_AT_ONCE) {
      all.push(...(await this.#reader.ofNumbers(numbers.slice(start, start + assumed.NUMBERS_AT_ONCE))));
    }
    return all;
  }

  #read(set: BcDocumentSet, query: Readonly<Record<string, string>>): Promise<BcDocumentRead[]> {
    const { lines } = SET_FACTS[set];
    const hasDimensions = Object.keys(this.#settings.dimensions).length > 0;
    const $expand = hasDimensions ? `${lines}($expand=dimensionSetLines)` : lines;
    return this.#client.list(set, { ...query, $expand }, bcDocument(set));
  }
}

function isOpen({ status }: BcDocumentRead): boolean {
  return status === 'Open';
}

function isOf({ documentNumber, documentType = '', postingDate }: BcEntry, read: BcDocumentRead): boolean {
  const { documentType: wanted } = SET_FACTS[read.set];
  return (
    documentNumber === read.number &&
    postingDate === read.postingDate &&
    assumed.plainName(documentType) === wanted
  );
}

// The steps from a prepared document to a posted one: header, lines, dimensions, a look at what Business Central made of them, post. Until
// the last of them nothing is in the books; what the earlier ones leave is a draft under our key that can be deleted.

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
    const now = await asAnswer(() => this.#context.books.marked(set, key));
    if (now.outcome !== 'ok') return this.#unfinished(draft, now);
    const mine = now.value.find(({ id }) => id === draft.id);
    if (!mine || now.value.length > 1) {
      const removed = mine ? await this.discard(draft) : null;
      return removed && removed.outcome !== 'ok' ? inDoubt(removed) : { outcome: 'in-use', id: draft.id };
    }
    const wrong = await this.#findProblem(mine, sent, journal);
    if (wrong.outcome !== 'ok') return this.#unfinished(draft, wrong);
    await this.#apply(mine, journal);
    return ok(draft);
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
    const read = await asAnswer(async () => {
      const now = await books.marked(set, key);
      const isBooked = now.some((each) => each.id === id && isPosted(each));
      return isBooked ? books.entries(now, () => false) : [];
    });
    const entries = read.outcome === 'ok' ? read.value : [];
    const [entry, another] = entries;
    if (!entry) return null;
    if (!another) return confirmed(entry, journal, capabilities);
    return rejected('duplicate', told('SEVERAL_UNDER_KEY', { count: entries.length }));
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
    return dimensioned.outcome === 'ok' ? ok(undefined) : dimensioned;
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
    const entries = await asAnswer(() => books.entries([draft], () => false, journal.exchangeRate));
    if (entries.outcome !== 'ok') return entries;
    const [entry] = entries.value;
    const differences = entry ? entryDifferences(journal, entry, capabilities) : [];
    if (differences.length === 0) return ok(undefined);
    const words = told('DRAFT_NOT_AS_SENT', { differences: firstDifferences(differences) });
    return rejected('invalid', words);
  }

  /** A credit memo closes the invoice that it corrects when it is posted, as far as that is open. Without that it is booked all the same. */
  async #apply(draft: BcDocumentRead, journal: Journal): Promise<void> {
    const { client, log } = this.#context;
    const found = await asAnswer(() => this.#findCredited(draft, journal));
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
  ): Promise<BcDocumentRead | undefined> {
    const { books } = this.#context;
    if (set === 'salesCreditMemos' && appliesTo !== undefined) return books.openSale(appliesTo);
    if (set === 'purchaseCreditMemos' && appliesToNo !== undefined)
      return books.openBill(partnerNumber, appliesToNo);
    return undefined;
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
