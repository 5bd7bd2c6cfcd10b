// Entries as Xero keeps them, in our terms: found by key, listed by day, read by their own number. Manual journals open their narration with
// the key, and that of a reversal names the key that it undoes as well; below them invoices, bills and credit notes.
import { isPostingKey } from '../../domain/posting-key.js';
import { type Answer, asAnswer, ReadFailed } from '../answer.js';
import type { ErpEntry } from '../erp-adapter.js';
import { REVERSAL_MARK } from '../reversal.js';
import { told } from '../told.js';
import type { XeroClient } from './client.js';
import type { XeroContacts } from './facts.js';
import * as settings from './settings.js';
import {
  type DocumentSettings,
  isLive,
  keyOf,
  keyOfDocument,
  listOf,
  toDocumentEntry,
  toEntry,
  type TranslateSettings,
  undoneBy,
} from './translate.js';
import {
  DOCUMENT_LISTS,
  DOCUMENT_TYPES,
  type XeroDocumentList,
  type XeroDocumentRead,
  xeroDocuments,
  type XeroDocumentType,
  type XeroJournalRead,
  xeroJournals,
} from './wire.js';

const LIVE = new Set(['POSTED', 'DRAFT']);

export class XeroJournalBooks {
  readonly #client: XeroClient;
  readonly #settings: TranslateSettings;

  constructor(client: XeroClient, settings: TranslateSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  async create(key: string, body: string): Promise<Answer<ErpEntry>> {
    return this.#shown(await this.#client.createJournal(key, body));
  }

  /** A draft is posted. */
  async book(id: string, key: string): Promise<Answer<ErpEntry>> {
    const body = JSON.stringify({ ManualJournals: [{ ManualJournalID: id, Status: 'POSTED' }] });
    return this.#shown(await this.#client.changeJournal(id, `${key}-POSTED`, body));
  }

  /** One request finds an entry and what became of it, also where the entry itself is a document. */
  async withKey(key: string): Promise<{ entries: ErpEntry[]; wasReversed: boolean }> {
    const journals = await this.#client.journals(settings.narrationContains(key), 1);
    const live = journals.filter(({ Status }) => LIVE.has(Status));
    const wasReversed = live.some(
      ({ Status, Narration }) => Status === 'POSTED' && undoneBy(Narration) === key,
    );
    const ours = live.filter(({ Narration }) => keyOf(Narration) === key);
    const entries = ours.map((journal) => toEntry(journal, this.#settings, wasReversed));
    return { entries, wasReversed };
  }

  async byId(id: string): Promise<ErpEntry[]> {
    const { ManualJournals } = await this.#client.get(`ManualJournals/${id}`, xeroJournals);
    const live = ManualJournals.filter(({ Status }) => LIVE.has(Status));
    return live.map((journal) => toEntry(journal, this.#settings));
  }

  async *ofPeriod(days: string, isUndone: (key: string) => Promise<boolean>): AsyncIterable<ErpEntry> {
    for await (const journal of this.#pages(days)) {
      const key = keyOf(journal.Narration);
      if (!LIVE.has(journal.Status) || !isPostingKey(key)) continue;
      yield toEntry(journal, this.#settings, await isUndone(key));
    }
  }

  /** Keys that a reversal of ours names. It may lie in another period than what it undoes, so none is left out. */
  async undone(): Promise<ReadonlySet<string>> {
    const undone = new Set<string>();
    for await (const { Narration, Status } of this.#pages(settings.narrationContains(`${REVERSAL_MARK} `))) {
      const key = undoneBy(Narration);
      if (Status === 'POSTED' && key !== undefined) undone.add(key);
    }
    return undone;
  }

  async *#pages(where: string): AsyncIterable<XeroJournalRead> {
    for (let page = 1; page <= settings.LIST_PAGES_MAX; page++) {
      const journals = await this.#client.journals(where, page);
      yield* journals;
      if (journals.length < settings.PAGE_SIZE) return;
    }
  }

  #shown(answer: Answer<XeroJournalRead>): Answer<ErpEntry> {
    return answer.outcome === 'ok' ? { outcome: 'ok', value: toEntry(answer.value, this.#settings) } : answer;
  }
}

export interface XeroDocumentReference {
  readonly type: XeroDocumentType;
  readonly list: XeroDocumentList;
  readonly id: string;
}

/** `ACCREC/<guid>`: a journal is known by the guid alone, as it always was. */
export function documentReference(reference: string): XeroDocumentReference | null {
  const [word = '', id = ''] = reference.split('/');
  const type = DOCUMENT_TYPES.find((each) => each === word);
  return type && id !== '' ? { type, list: listOf(type), id } : null;
}

export class XeroDocumentBooks {
  readonly #client: XeroClient;
  readonly #contacts: XeroContacts;
  readonly #settings: DocumentSettings;

  constructor(client: XeroClient, contacts: XeroContacts, settings: DocumentSettings) {
    this.#client = client;
    this.#contacts = contacts;
    this.#settings = settings;
  }

  /** Created and approved in one request, under the idempotency key. */
  async create(list: XeroDocumentList, key: string, body: string): Promise<Answer<ErpEntry>> {
    return this.#written({ method: 'PUT', path: list, key, body }, list);
  }

  /** One that waits for approval is approved. */
  async approve({ list, id }: XeroDocumentReference, key: string): Promise<Answer<ErpEntry>> {
    const name = list === 'Invoices' ? 'InvoiceID' : 'CreditNoteID';
    const body = JSON.stringify({ [list]: [{ [name]: id, Status: 'AUTHORISED' }] });
    return this.#written({ method: 'POST', path: `${list}/${id}`, key: `${key}-AUTHORISED`, body }, list);
  }

  async withKey(key: string, wasReversed: boolean): Promise<ErpEntry[]> {
    const entries: ErpEntry[] = [];
    for (const list of DOCUMENT_LISTS) {
      const read = await this.#read(list, settings.documentMarked(list, key), 1);
      const ours = read.filter((each) => isLive(each) && keyOfDocument(each) === key);
      entries.push(...(await this.#entries(ours, () => wasReversed)));
    }
    return entries;
  }

  /** What a sale is known by at the source stands in its reference. */
  async findSales(guid: string): Promise<XeroDocumentRead[]> {
    const read = await this.#read('Invoices', settings.documentMarked('Invoices', guid), 1);
    return read.filter((each) => isLive(each) && each.Type === 'ACCREC');
  }

  /** Of this supplier under this number: ours have the key behind it, those that people type in have nothing. */
  async findBills(contact: string, number: string): Promise<XeroDocumentRead[]> {
    const read = await this.#read('Invoices', settings.billsNumbered(number), 1);
    const isMeant = (each: XeroDocumentRead) => {
      const key = keyOfDocument(each);
      return each.number === (key === '' ? number : `${number} ${key}`);
    };
    return read.filter((each) => isLive(each) && each.Contact.ContactID === contact && isMeant(each));
  }

  /** As people see it: by its own number. */
  async numbered(number: string): Promise<XeroDocumentRead[]> {
    const found: XeroDocumentRead[] = [];
    for (const list of DOCUMENT_LISTS) {
      const read = await this.#read(list, settings.documentNumbered(list, number), 1);
      found.push(...read.filter(isLive));
    }
    return found;
  }

  async byId({ list, id }: Pick<XeroDocumentReference, 'list' | 'id'>): Promise<XeroDocumentRead> {
    const [document] = await this.#client.get(`${list}/${id}`, xeroDocuments[list]);
    if (document) return document;
    throw new ReadFailed({ outcome: 'transient', ...told('ANSWERED_WITHOUT_RESULT', { system: 'Xero' }) });
  }

  entry(read: XeroDocumentRead, wasReversed: boolean): Promise<ErpEntry[]> {
    return this.#entries([read], () => wasReversed);
  }

  /** Those under keys of ours on these days, with lines. */
  async *ofPeriod(days: string, isUndone: (key: string) => Promise<boolean>): AsyncIterable<ErpEntry> {
    for (const list of DOCUMENT_LISTS) {
      for (let page = 1; page <= settings.LIST_PAGES_MAX; page++) {
        const read = await this.#read(list, days, page);
        const ours = read.filter((each) => isLive(each) && keyOfDocument(each) !== '');
        const undone = new Set<string>();
        for (const key of ours.map(keyOfDocument)) if (await isUndone(key)) undone.add(key);
        yield* await this.#entries(ours, (key) => undone.has(key));
        if (read.length < settings.PAGE_SIZE) break;
      }
    }
  }

  async #entries(
    read: readonly XeroDocumentRead[],
    isReversed: (key: string) => boolean,
  ): Promise<ErpEntry[]> {
    if (read.length === 0) return [];
    const numbers = await this.#contacts.readNumbers(read.map(({ Contact }) => Contact.ContactID));
    return read.map((each) => {
      const number = numbers.get(each.Contact.ContactID);
      return toDocumentEntry(each, this.#settings, number, isReversed(keyOfDocument(each)));
    });
  }

  #read(list: XeroDocumentList, where: string, page: number): Promise<XeroDocumentRead[]> {
    return this.#client.list(list, where, page, xeroDocuments[list]);
  }

  async #written(
    request: Parameters<XeroClient['write']>[0],
    list: XeroDocumentList,
  ): Promise<Answer<ErpEntry>> {
    const answer = await this.#client.write(request, xeroDocuments[list]);
    if (answer.outcome !== 'ok') return answer;
    const [document] = answer.value;
    if (!document) return { outcome: 'unknown', ...told('ANSWERED_WITHOUT_RESULT', { system: 'Xero' }) };
    const entries = await asAnswer(() => this.entry(document, false));
    const [entry] = entries.outcome === 'ok' ? entries.value : [];
    if (entry) return { outcome: 'ok', value: entry };
    // It is in the books; only who it is with could not be read.
    return { outcome: 'unknown', ...told('CONTACT_NOT_READ') };
  }
}
