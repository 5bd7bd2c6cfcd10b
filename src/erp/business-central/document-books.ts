// Sales and purchase documents as Business Central holds them, drafts and posted ones alike, in our terms.
import type { Decimal } from '../../domain/decimal.js';
import type { ReadAnswer } from '../answer.js';
import type { ErpEntry } from '../erp-adapter.js';
import { listFailed, told } from '../told.js';
import * as assumed from './assumptions.js';
import { type BcClient, literal } from './client.js';
import { toDocumentEntry } from './document-entry.js';
import {
  type BcDocumentSettings,
  guidMark,
  hasNumber,
  isCorrected,
  isLive,
  isPosted,
  keyOfDocument,
  markedNumber,
  withoutCorrections,
} from './documents.js';
import type { BcLedgerReader } from './ledger-reader.js';
import type { BcKennitalas } from './partners.js';
import type { BcEntry } from './wire.js';
import {
  bcDocument,
  type BcDocumentRead,
  type BcDocumentSet,
  DOCUMENT_SETS,
  SET_FACTS,
} from './wire-documents.js';

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

  async withKey(key: string): Promise<ReadAnswer<ErpEntry[]>> {
    const found: BcDocumentRead[] = [];
    for (const set of DOCUMENT_SETS) {
      const read = await this.marked(set, key);
      if (read.outcome !== 'ok') return read;
      found.push(...read.value);
    }
    if (found.length === 0) return { outcome: 'ok', value: [] };
    const reversed = await this.#reader.isReversed(key);
    return reversed.outcome === 'ok' ? this.entries(found, () => reversed.value) : reversed;
  }

  /** All under that key in one set, as they are. */
  async marked(set: BcDocumentSet, key: string): Promise<ReadAnswer<BcDocumentRead[]>> {
    const { mark } = SET_FACTS[set];
    const read = await this.#read(set, { $filter: `endswith(${mark},${literal(key)})` });
    if (read.outcome !== 'ok') return read;
    return { outcome: 'ok', value: read.value.filter((each) => isLive(each) && keyOfDocument(each) === key) };
  }

  /** As people see it: by its number in Business Central. */
  async numbered(number: string): Promise<ReadAnswer<BcDocumentRead[]>> {
    const found: BcDocumentRead[] = [];
    for (const set of DOCUMENT_SETS) {
      const read = await this.#read(set, { $filter: `number eq ${literal(number)}` });
      if (read.outcome !== 'ok') return read;
      found.push(...read.value.filter(isLive));
    }
    return { outcome: 'ok', value: found };
  }

  async byId({ set, id }: BcDocumentReference): Promise<ReadAnswer<BcDocumentRead[]>> {
    const read = await this.#read(set, { $filter: `id eq ${id}` });
    return read.outcome === 'ok' ? { outcome: 'ok', value: read.value.filter(isLive) } : read;
  }

  /** The sale that is known by this guid at the source, where there is one and something of it is open. */
  async openSale(guid: string): Promise<ReadAnswer<BcDocumentRead | undefined>> {
    const $filter = `customerPurchaseOrderReference eq ${literal(guidMark(guid))}`;
    const read = await this.#read('salesInvoices', { $filter });
    if (read.outcome !== 'ok') return read;
    const [sale, another] = read.value.filter(isOpen);
    return { outcome: 'ok', value: another ? undefined : sale };
  }

  /** The bill of this vendor with this number, ours or typed in by a person, where there is one and something of it is open. */
  async openBill(partner: string, number: string): Promise<ReadAnswer<BcDocumentRead | undefined>> {
    const begins = `startswith(vendorInvoiceNumber,${literal(markedNumber(number))})`;
    const $filter = `vendorNumber eq ${literal(partner)} and ${begins}`;
    const read = await this.#read('purchaseInvoices', { $filter });
    if (read.outcome !== 'ok') return read;
    const [bill, another] = read.value.filter((each) => isOpen(each) && hasNumber(each, number));
    return { outcome: 'ok', value: another ? undefined : bill };
  }

  /** A bill that somebody has typed in under the number that the vendor gave it. */
  async typedBill(
    set: BcDocumentSet,
    partner: string,
    number: string,
  ): Promise<ReadAnswer<string | undefined>> {
    const { mark, partnerNumber } = SET_FACTS[set];
    const $filter = `${partnerNumber} eq ${literal(partner)} and ${mark} eq ${literal(number.toUpperCase())}`;
    const read = await this.#read(set, { $filter });
    if (read.outcome !== 'ok') return read;
    const typed = read.value.find((each) => isLive(each) && each.status !== 'Canceled');
    return { outcome: 'ok', value: typed?.number };
  }

  /** With what the ledger says of those that are posted. What only corrects another under the same key is left out. */
  async entries(
    found: readonly BcDocumentRead[],
    isReversed: (key: string) => boolean,
    rate?: Decimal,
  ): Promise<ReadAnswer<ErpEntry[]>> {
    const ledger = await this.#readLedger(found.filter(isPosted));
    if (ledger.outcome !== 'ok') return ledger;
    const entries: ErpEntry[] = [];
    for (const each of withoutCorrections(found)) {
      const kennitala = await this.#kennitalas.read(SET_FACTS[each.set].partner, each.partnerNumber);
      if (kennitala.outcome !== 'ok') return kennitala;
      const own = ledger.value.filter((entry) => isOf(entry, each));
      if (isPosted(each) && own.length === 0) {
        const unread = told('BOOKED_NOT_READ', { system: 'Business Central', id: each.number });
        return { outcome: 'transient', ...unread };
      }
      entries.push(
        toDocumentEntry(each, {
          settings: this.#settings,
          ledger: own,
          kennitala: kennitala.value,
          isReversed: isReversed(keyOfDocument(each)) || isCorrected(each, found),
          ...(rate ? { rate } : {}),
        }),
      );
    }
    return { outcome: 'ok', value: entries };
  }

  /** Those under keys of ours with a posting date in the period. */
  async *listed(period: { readonly from: string; readonly to: string }): AsyncIterable<ErpEntry> {
    let undone: ReadonlySet<string> | undefined;
    for (const set of DOCUMENT_SETS)
      for await (const page of this.#pages(set, period)) {
        const ours = page.filter((each) => isLive(each) && keyOfDocument(each) !== '');
        if (ours.length === 0) continue;
        undone ??= orThrow(await this.#reader.undoneAfter(0));
        const known = undone;
        yield* orThrow(await this.entries(ours, (key) => known.has(key)));
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
      const read = orThrow(await this.#read(set, query));
      const fresh = read.filter(({ id }) => !seen.has(id));
      yield fresh;
      if (read.length < assumed.DOCUMENTS_PAGE_SIZE || fresh.length === 0) return;
      last = read.at(-1)?.number;
      seen = new Set(read.filter(({ number }) => number === last).map(({ id }) => id));
    }
  }

  async #readLedger(posted: readonly BcDocumentRead[]): Promise<ReadAnswer<BcEntry[]>> {
    const numbers = [...new Set(posted.map(({ number }) => number))];
    const all: BcEntry[] = [];
    for (let start = 0; start < numbers.length; start += assumed.NUMBERS_AT_ONCE) {
      const read = await this.#reader.ofNumbers(numbers.slice(start, start + assumed.NUMBERS_AT_ONCE));
      if (read.outcome !== 'ok') return read;
      all.push(...read.value);
    }
    return { outcome: 'ok', value: all };
  }

  #read(set: BcDocumentSet, query: Readonly<Record<string, string>>): Promise<ReadAnswer<BcDocumentRead[]>> {
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

function orThrow<T>(answer: ReadAnswer<T>): T {
  if (answer.outcome !== 'ok') throw listFailed(answer);
  return answer.value;
}
