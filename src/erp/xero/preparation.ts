// What is sent for a journal: an invoice, a bill or a credit note of Xero's own where it is one and the settings ask for them, a manual
// journal otherwise.
import { type Journal, type JournalLine, partyWith } from '../../domain/journal.js';
import { writeWireJson } from '../../http/wire-json.js';
import type { Ok, ReadAnswer } from '../answer.js';
import type { FindOutcome, PostRequest, VatMode } from '../erp-adapter.js';
import { owedAsDocument } from '../owed-line.js';
import { type PartnerWanted, partyNumber } from '../partner-directory.js';
import type { XeroConfiguration } from './config.js';
import type { XeroContacts } from './contacts.js';
import type { XeroDocumentBooks } from './document-books.js';
import { keyOfDocument, listOf, toXeroDocument } from './documents.js';
import { toXeroJournal } from './translate.js';
import type { XeroDocumentList } from './wire-documents.js';

/** Sales of the same number that were reversed before this one. */
const NUMBERS_TRIED_MAX = 9;

export interface XeroWritten {
  readonly list: 'ManualJournals' | XeroDocumentList;
  readonly body: string;
}

export class XeroPreparation {
  readonly #contacts: XeroContacts;
  readonly #documents: XeroDocumentBooks;
  readonly #configuration: XeroConfiguration;
  readonly #vatMode: VatMode;

  constructor(
    contacts: XeroContacts,
    documents: XeroDocumentBooks,
    configuration: XeroConfiguration,
    vatMode: VatMode,
  ) {
    this.#contacts = contacts;
    this.#documents = documents;
    this.#configuration = configuration;
    this.#vatMode = vatMode;
  }

  async written(
    { journal, key }: PostRequest,
    /** Given where Xero refused it before: its number may be the one of an entry that was reversed. */
    findByKey: ((key: string) => Promise<FindOutcome>) | null,
  ): Promise<ReadAnswer<XeroWritten>> {
    const owed = owedAsDocument(journal, this.#configuration);
    if (!owed) {
      const sent = toXeroJournal(key, journal, this.#configuration, this.#vatMode);
      return ok({ list: 'ManualJournals', body: writeWireJson({ ManualJournals: [sent] }) });
    }
    const contact = await this.#contacts.resolveId(contactWanted(journal, owed));
    if (contact.outcome !== 'ok') return contact;
    const number = findByKey ? await this.#freeNumber(journal.documentNo, findByKey) : ok(journal.documentNo);
    if (number.outcome !== 'ok') return number;
    const facts = { key, journal, owed, contactId: contact.value, number: number.value };
    const sent = toXeroDocument(facts, this.#configuration, this.#vatMode);
    const list = listOf(sent.Type);
    return ok({ list, body: writeWireJson({ [list]: [sent] }) });
  }

  /** A sale that was reversed keeps its number in Xero; the one that takes its place has it with a count. */
  async #freeNumber(
    documentNo: string,
    findByKey: (key: string) => Promise<FindOutcome>,
  ): Promise<ReadAnswer<string>> {
    for (let count = 1; count <= NUMBERS_TRIED_MAX; count++) {
      const number = count === 1 ? documentNo : `${documentNo}-${String(count)}`;
      const taken = await this.#documents.numbered(number);
      if (taken.outcome !== 'ok') return taken;
      const [holder] = taken.value;
      const key = holder ? keyOfDocument(holder) : '';
      if (key === '') return ok(number);
      const found = await findByKey(key);
      if (found.outcome === 'transient' || found.outcome === 'auth') return found;
      if (found.outcome !== 'one' || found.entry.reversed !== true) return ok(number);
    }
    return ok(documentNo);
  }
}

/** Xero keeps one contact for both sides, so the kind must not split the single flight per kennitala. */
function contactWanted(journal: Journal, { counterparty = '' }: JournalLine): PartnerWanted {
  const kennitala = partyNumber(counterparty);
  const party = partyWith(journal, (one) => partyNumber(one.kennitala) === kennitala);
  return { kind: 'customer', kennitala, ...(party ? { party } : {}) };
}

function ok<T>(value: T): Ok<T> {
  return { outcome: 'ok', value };
}
