// A payment closes its invoice in Xero only as a payment on it, and a credit note by an allocation. Both come after the posting: what was
// booked stands on the clearing account that the payment takes it from, so nothing here changes what an account of the rules comes to.
// What fails is told, and a bookkeeper can still do it.
import { Decimal, sum } from '../../domain/decimal.js';
import type { Journal } from '../../domain/journal.js';
import { writeWireJson } from '../../http/wire-json.js';
import type { Told } from '../../domain/message.js';
import type { Answer } from '../answer.js';
import type { ErpLog, ErpReference, ReverseRequest } from '../erp-adapter.js';
import type { Matching, PostedEntry } from '../keyed-books.js';
import { controlAccount, owedOn } from '../owed-line.js';
import { REVERSAL_MARK } from '../reversal.js';
import { setAgainst } from '../set-against.js';
import type { XeroClient } from './client.js';
import { documentReference, type XeroDocumentBooks } from './entries.js';
import { type DocumentSettings, isBooked, listOf, xeroCode } from './translate.js';
import { anything, type XeroDocumentRead } from './wire.js';

export class XeroMatching implements Matching {
  readonly #client: XeroClient;
  readonly #documents: XeroDocumentBooks;
  readonly #settings: DocumentSettings;
  readonly #log: ErpLog;

  constructor(client: XeroClient, documents: XeroDocumentBooks, settings: DocumentSettings, log: ErpLog) {
    this.#client = client;
    this.#documents = documents;
    this.#settings = settings;
    this.#log = log;
  }

  async withInvoice({ key, reference }: PostedEntry, journal: Journal): Promise<Told | undefined> {
    if (journal.description.startsWith(REVERSAL_MARK)) return undefined;
    if (documentReference(reference.id)) return this.#credit(key, reference, journal);
    return owedOn(journal) ? undefined : this.#payment(key, journal);
  }

  /** The entry that undoes a document, with that document: nothing of it is open any more. */
  async withOriginal({ key }: PostedEntry, { original, date }: ReverseRequest): Promise<Told | undefined> {
    const reference = documentReference(original.reference.id);
    if (!reference) return undefined;
    return this.#tried(key, async () => {
      const document = await this.#documents.byId(reference);
      return this.#pay(key, document, document.open, date);
    });
  }

  /** A credit note with the invoice, or the bill, that it corrects. */
  async #credit(key: string, reference: ErpReference, journal: Journal): Promise<Told | undefined> {
    const note = documentReference(reference.id);
    const { appliesTo, appliesToNo } = journal;
    const isSale = note?.type === 'ACCRECCREDIT';
    if (!note || (isSale ? appliesTo : note.type === 'ACCPAYCREDIT' && appliesToNo) === undefined)
      return undefined;
    return this.#tried(key, async () => {
      const credit = await this.#documents.byId(note);
      const invoice = isSale
        ? await this.#openSale(appliesTo ?? '')
        : await this.#openBill(credit.Contact.ContactID, appliesToNo ?? '');
      if (!invoice || credit.CurrencyCode !== invoice.CurrencyCode) return done;
      const Amount = Decimal.min(credit.open, invoice.open);
      if (Amount.isZero()) return done;
      const allocation = { Invoice: { InvoiceID: invoice.id }, Amount, Date: journal.postingDate };
      const path = `CreditNotes/${note.id}/Allocations`;
      const body = writeWireJson({ Allocations: [allocation] });
      return this.#client.write({ method: 'PUT', path, key: `${key}-ALLOCATION`, body }, anything);
    });
  }

  /** A journal that settles a sale, with that sale. */
  async #payment(key: string, journal: Journal): Promise<Told | undefined> {
    const account = controlAccount(true, this.#settings);
    const settling = journal.lines.filter((line) => line.account === account && !line.credit.isZero());
    if (settling.length === 0) return this.#takenBack(key, journal, account);
    return this.#tried(key, async () => {
      const invoice = await this.#openSale(journal.externalReference);
      if (!invoice) return done;
      const isForeign = invoice.CurrencyCode !== 'ISK';
      const paid = sum(
        settling.map((line) => (isForeign ? (line.currencyAmount?.abs() ?? line.credit) : line.credit)),
      );
      return this.#pay(key, invoice, paid, journal.postingDate);
    });
  }

  /** What was paid is owed again: the payment of that amount is taken off its sale. */
  async #takenBack(
    key: string,
    { lines, externalReference }: Journal,
    account: string,
  ): Promise<Told | undefined> {
    const taking = lines.filter((line) => line.account === account && !line.debit.isZero());
    if (taking.length === 0) return undefined;
    return this.#tried(key, async () => {
      const invoice = await this.#openSale(externalReference);
      if (!invoice) return done;
      const isForeign = invoice.CurrencyCode !== 'ISK';
      const taken = sum(
        taking.map((line) => (isForeign ? (line.currencyAmount?.abs() ?? line.debit) : line.debit)),
      );
      const payment = invoice.Payments.filter(({ Amount }) => Amount.equals(taken)).at(-1);
      if (!payment) return done;
      const body = JSON.stringify({ Status: 'DELETED' });
      const path = `Payments/${payment.PaymentID}`;
      return this.#client.write({ method: 'POST', path, key: `${key}-TAKEN-BACK`, body }, anything);
    });
  }

  async #openBill(contact: string, number: string): Promise<XeroDocumentRead | undefined> {
    const [bill, another] = (await this.#documents.findBills(contact, number)).filter(isBooked);
    return another ? undefined : bill;
  }

  async #openSale(guid: string): Promise<XeroDocumentRead | undefined> {
    const [invoice, another] = (await this.#documents.findSales(guid)).filter(isBooked);
    return another ? undefined : invoice;
  }

  async #pay(key: string, document: XeroDocumentRead, paid: Decimal, Date: string): Promise<Answer<unknown>> {
    const Amount = Decimal.min(paid, document.open);
    if (Amount.isZero() || document.Payments.some(({ Reference }) => Reference === key)) return done;
    const isSale = document.Type === 'ACCREC' || document.Type === 'ACCRECCREDIT';
    const account = controlAccount(isSale, this.#settings);
    const paidDocument =
      listOf(document.Type) === 'Invoices'
        ? { Invoice: { InvoiceID: document.id } }
        : { CreditNote: { CreditNoteID: document.id } };
    const payment = {
      ...paidDocument,
      Account: { Code: xeroCode(account, this.#settings) },
      ...{ Date, Amount, Reference: key },
      // At the rate of the document, so that the payment takes from the clearing account what the document put on its own.
      ...(document.CurrencyCode === 'ISK' ? {} : { CurrencyRate: document.CurrencyRate }),
    };
    const body = writeWireJson({ Payments: [payment] });
    return this.#client.write({ method: 'PUT', path: 'Payments', key: `${key}-PAYMENT`, body }, anything);
  }

  #tried(key: string, match: () => Promise<Answer<unknown>>): Promise<Told | undefined> {
    return setAgainst({ system: 'Xero', entry: key, log: this.#log }, match);
  }
}

const done = { outcome: 'ok', value: undefined } as const;
