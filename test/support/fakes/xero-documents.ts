// Invoices, credit notes, contacts, payments and allocations of Xero, from its OpenAPI document: numbers of sales are unique and those of
// bills are not, names of active contacts are unique, an approved invoice has a due date, a payment is no more than what is open and
// goes to an account that takes payments. What Xero would silently ignore is refused, so that a slip of ours shows.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Decimal, sum } from '../../../src/domain/money.js';
import { decimal, json, readJson } from './fake-json.js';
import type { FakeReply, FakeRequest } from './fake-server.js';
import { fits } from './xero-where.js';

const item = z.strictObject({
  Description: z.string().min(1),
  Quantity: decimal,
  UnitAmount: decimal,
  AccountCode: z.string(),
  TaxType: z.string().optional(),
  Tracking: z
    .array(z.strictObject({ Name: z.string(), Option: z.string() }))
    .max(2)
    .optional(),
});

const words = z.strictObject({ Description: z.string().min(1) });

const shared = {
  Contact: z.strictObject({ ContactID: z.guid() }),
  Date: z.iso.date(),
  Status: z.enum(['DRAFT', 'SUBMITTED', 'AUTHORISED']).default('DRAFT'),
  LineAmountTypes: z.enum(['NoTax', 'Exclusive', 'Inclusive']).default('Exclusive'),
  CurrencyCode: z.string().length(3).optional(),
  CurrencyRate: decimal.optional(),
  LineItems: z.array(z.union([item, words])).min(1),
};
const number = z.string().min(1).max(255);
const reference = z.string().max(255);

const SENT = {
  Invoices: z.discriminatedUnion('Type', [
    z.strictObject({
      ...shared,
      Type: z.literal('ACCREC'),
      DueDate: z.iso.date().optional(),
      InvoiceNumber: number,
      Reference: reference.optional(),
    }),
    z.strictObject({
      ...shared,
      Type: z.literal('ACCPAY'),
      DueDate: z.iso.date().optional(),
      InvoiceNumber: number,
    }),
  ]),
  CreditNotes: z.discriminatedUnion('Type', [
    z.strictObject({
      ...shared,
      Type: z.literal('ACCRECCREDIT'),
      CreditNoteNumber: number,
      Reference: reference.optional(),
    }),
    z.strictObject({ ...shared, Type: z.literal('ACCPAYCREDIT'), CreditNoteNumber: number }),
  ]),
} as const;
type List = keyof typeof SENT;

const contact = z.strictObject({
  Name: z.string().min(1).max(255),
  ContactNumber: z.string().max(50).optional(),
  TaxNumber: z.string().max(50).optional(),
  EmailAddress: z.string().max(255).optional(),
  Addresses: z
    .array(
      z.strictObject({
        AddressType: z.enum(['POBOX', 'STREET']),
        AddressLine1: z.string().max(500).optional(),
        City: z.string().max(255).optional(),
        PostalCode: z.string().max(50).optional(),
      }),
    )
    .optional(),
});
const claimed = z.strictObject({ ContactID: z.guid(), TaxNumber: z.string().max(50) });

const payment = z.strictObject({
  Invoice: z.strictObject({ InvoiceID: z.guid() }).optional(),
  CreditNote: z.strictObject({ CreditNoteID: z.guid() }).optional(),
  Account: z.strictObject({ Code: z.string() }),
  Date: z.iso.date(),
  Amount: decimal,
  Reference: reference,
  CurrencyRate: decimal.optional(),
});
const allocation = z.strictObject({
  Invoice: z.strictObject({ InvoiceID: z.guid() }),
  Amount: decimal,
  Date: z.iso.date(),
});

export interface XeroDocumentRow {
  readonly id: string;
  readonly list: List;
  readonly Type: string;
  readonly ContactID: string;
  readonly Date: string;
  readonly number: string;
  readonly Reference: string | null;
  readonly LineAmountTypes: string;
  readonly CurrencyCode: string;
  readonly CurrencyRate: Decimal;
  readonly items: readonly (z.infer<typeof item> & { LineAmount: Decimal; TaxAmount: Decimal })[];
  readonly words: readonly string[];
  readonly Total: Decimal;
  Status: string;
  open: Decimal;
  readonly payments: { PaymentID: string; Reference: string; Amount: Decimal; Account: string }[];
}

export interface XeroContactRow {
  readonly ContactID: string;
  Name: string;
  ContactNumber?: string;
  TaxNumber?: string;
  CompanyNumber?: string;
  ContactStatus: 'ACTIVE' | 'ARCHIVED';
}

/** What the rest of the organisation has to do with it. */
export interface XeroSurroundings {
  readonly accounts: ReadonlyMap<string, XeroAccountRow>;
  readonly tracking: ReadonlyMap<string, ReadonlySet<string>>;
  readonly taxRates: ReadonlyMap<string, string>;
  readonly lockedUntil: string;
}

export interface XeroAccountRow {
  readonly Type: string;
  Status: string;
  readonly SystemAccount: string | null;
  readonly EnablePaymentsToAccount?: boolean;
}

export class XeroDocumentsFake {
  readonly rows: XeroDocumentRow[] = [];
  readonly contacts: XeroContactRow[] = [];
  readonly currencies = new Set(['ISK']);
  readonly #around: () => XeroSurroundings;

  constructor(around: () => XeroSurroundings) {
    this.#around = around;
  }

  /** Undefined: none of these paths. */
  get(path: string, query: URLSearchParams): FakeReply | undefined {
    if (path === 'Currencies')
      return json(200, { Currencies: [...this.currencies].map((Code) => ({ Code, Description: Code })) });
    if (path === 'Contacts') return this.#getContacts(query);
    const [, list, id] = /^(Invoices|CreditNotes)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (list === undefined) return undefined;
    const rows = this.rows.filter((row) => row.list === list);
    if (id !== undefined) {
      const row = rows.find((each) => each.id === id);
      return row ? json(200, { [list]: [shown(row)] }) : json(404, { Message: 'Not found' });
    }
    const where = query.get('where') ?? '';
    const size = Number(query.get('pageSize') ?? 100);
    const start = (Number(query.get('page')) - 1) * size;
    const found = rows.filter((row) => fits(where, filtered(row)));
    return json(200, { [list]: found.slice(start, start + size).map(shown) });
  }

  write(path: string, request: FakeRequest): FakeReply | undefined {
    const { method } = request;
    if (path === 'Contacts') return method === 'PUT' ? this.#makeContact(request) : this.#claim(request);
    if (path === 'Payments') return this.#pay(request);
    const paid = /^Payments\/([^/]+)$/.exec(path)?.[1];
    if (paid !== undefined) return this.#deletePayment(paid, request);
    const note = /^CreditNotes\/([^/]+)\/Allocations$/.exec(path)?.[1];
    if (note !== undefined) return this.#allocate(note, request);
    const [, list, id] = /^(Invoices|CreditNotes)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (list === undefined) return undefined;
    return id === undefined ? this.#create(list as List, request) : this.#approve(list as List, id, request);
  }

  #getContacts(query: URLSearchParams): FakeReply {
    const [ids, term, where] = ['IDs', 'searchTerm', 'where'].map((name) => query.get(name));
    const found = this.contacts.filter((row) => {
      if (row.ContactStatus !== 'ACTIVE' && query.get('includeArchived') !== 'true') return false;
      if (ids) return ids.split(',').includes(row.ContactID);
      if (term) return row.Name.toLowerCase().includes(term.toLowerCase());
      return fits(where ?? '', { ...row });
    });
    return json(200, { Contacts: found });
  }

  #makeContact(request: FakeRequest): FakeReply {
    const sent = one('Contacts', contact, request);
    if (!sent) return json(400, { Message: 'The contact is not valid' });
    const isTaken = this.contacts.some(
      (row) => row.ContactStatus === 'ACTIVE' && row.Name.toLowerCase() === sent.Name.toLowerCase(),
    );
    if (isTaken) {
      const why = `The contact name ${sent.Name} is already assigned to another contact. The contact name must be unique across all active contacts.`;
      return refused('Contacts', sent, [why], request);
    }
    const { Name, ContactNumber, TaxNumber } = sent;
    const row: XeroContactRow = { ContactID: randomUUID(), Name, ContactStatus: 'ACTIVE' };
    if (ContactNumber !== undefined) row.ContactNumber = ContactNumber;
    if (TaxNumber !== undefined) row.TaxNumber = TaxNumber;
    this.contacts.push(row);
    return json(200, { Contacts: [row] });
  }

  #claim(request: FakeRequest): FakeReply {
    const sent = one('Contacts', claimed, request);
    const row = this.contacts.find((each) => each.ContactID === sent?.ContactID);
    if (!sent || !row) return json(400, { Message: 'The contact is not valid' });
    row.TaxNumber = sent.TaxNumber;
    return json(200, { Contacts: [row] });
  }

  #create(list: List, request: FakeRequest): FakeReply {
    const sent = one(list, SENT[list] as z.ZodType<z.infer<(typeof SENT)[List]>>, request);
    if (!sent) return json(400, { Message: `The body of ${list} is not valid` });
    const complaints = this.#complaints(sent);
    if (complaints.length > 0) return refused(list, sent, complaints, request);
    const items = itemsOf(sent).map((each) => this.#reckoned(each, sent.LineAmountTypes));
    const said = sent.LineItems.filter((each) => !('AccountCode' in each)).map((each) => each.Description);
    const exclusive = sent.LineAmountTypes === 'Exclusive' ? sum(items.map(({ TaxAmount }) => TaxAmount)) : 0;
    const Total = sum(items.map(({ LineAmount }) => LineAmount)).plus(exclusive);
    const row: XeroDocumentRow = {
      ...{ id: randomUUID(), list, Type: sent.Type, ContactID: sent.Contact.ContactID, Date: sent.Date },
      number: 'InvoiceNumber' in sent ? sent.InvoiceNumber : sent.CreditNoteNumber,
      Reference: ('Reference' in sent ? sent.Reference : undefined) ?? null,
      ...{ Status: sent.Status, LineAmountTypes: sent.LineAmountTypes, items, Total, open: Total },
      CurrencyCode: sent.CurrencyCode ?? 'ISK',
      CurrencyRate: sent.CurrencyRate?.toDecimalPlaces(6) ?? new Decimal(1),
      payments: [],
      words: said,
    };
    this.rows.push(row);
    return json(200, { [list]: [shown(row)] });
  }

  #reckoned(each: z.infer<typeof item>, types: string) {
    const LineAmount = each.Quantity.times(each.UnitAmount).toDecimalPlaces(2);
    const rate = new Decimal(
      types === 'NoTax' ? 0 : (this.#around().taxRates.get(each.TaxType ?? 'NONE') ?? 0),
    );
    const part = types === 'Inclusive' ? rate.div(rate.plus(1)) : rate;
    return { ...each, LineAmount, TaxAmount: LineAmount.times(part).toDecimalPlaces(2) };
  }

  #complaints(sent: z.infer<(typeof SENT)[List]>): string[] {
    const { lockedUntil } = this.#around();
    const complaints = itemsOf(sent).flatMap((each) => this.#itemComplaints(each));
    if (sent.Date <= lockedUntil) complaints.push('The document date cannot be before the lock date');
    if (sum(itemsOf(sent).map(({ UnitAmount }) => UnitAmount)).isNegative())
      complaints.push('The document total cannot be negative');
    const { CurrencyCode = 'ISK', CurrencyRate } = sent;
    if (!this.currencies.has(CurrencyCode))
      complaints.push(`Organisation is not subscribed to currency ${CurrencyCode}`);
    if (CurrencyRate && CurrencyRate.decimalPlaces() > 6)
      complaints.push('CurrencyRate has too many decimals');
    const who = this.contacts.find((row) => row.ContactID === sent.Contact.ContactID);
    if (!who) complaints.push('The Contact ID was not found');
    if (who?.ContactStatus === 'ARCHIVED') complaints.push('The contact is archived');
    if (sent.Status === 'AUTHORISED' && 'InvoiceNumber' in sent && sent.DueDate === undefined)
      complaints.push('The DueDate field is mandatory for approved invoices');
    if (sent.Type === 'ACCREC' && this.#isTaken('ACCREC', sent.InvoiceNumber))
      complaints.push('Invoice # must be unique.');
    if (sent.Type === 'ACCRECCREDIT' && this.#isTaken('ACCRECCREDIT', sent.CreditNoteNumber))
      complaints.push('Credit note # must be unique.');
    return complaints;
  }

  #isTaken(type: string, wanted: string): boolean {
    return this.rows.some((row) => row.Type === type && row.number === wanted && row.Status !== 'DELETED');
  }

  #itemComplaints({ AccountCode: code, TaxType = 'NONE', Tracking = [] }: z.infer<typeof item>): string[] {
    const { accounts, tracking, taxRates } = this.#around();
    const complaints: string[] = [];
    const account = accounts.get(code);
    const isOwn = account?.Type === 'BANK' || ['DEBTORS', 'CREDITORS'].includes(account?.SystemAccount ?? '');
    if (!account) complaints.push(`Account code '${code}' is not a recognised account`);
    else if (account.Status !== 'ACTIVE')
      complaints.push(`Account code '${code}' has been archived, or removed`);
    else if (isOwn) complaints.push(`Account code '${code}' is not a valid code for this document.`);
    if (!taxRates.has(TaxType)) complaints.push(`The TaxType code '${TaxType}' does not exist`);
    for (const { Name, Option } of Tracking)
      if (!tracking.get(Name)?.has(Option)) complaints.push(`Tracking option ${Option} does not exist`);
    return complaints;
  }

  #approve(list: List, id: string, request: FakeRequest): FakeReply {
    const name = list === 'Invoices' ? 'InvoiceID' : 'CreditNoteID';
    const sent = one(list, z.strictObject({ [name]: z.guid(), Status: z.literal('AUTHORISED') }), request);
    const row = this.rows.find((each) => each.list === list && each.id === id);
    if (!sent || !row) return json(400, { Message: 'The document is not valid' });
    if (row.Status !== 'DRAFT' && row.Status !== 'SUBMITTED')
      return json(400, { Message: 'Only drafts can be approved' });
    row.Status = 'AUTHORISED';
    return json(200, { [list]: [shown(row)] });
  }

  #pay(request: FakeRequest): FakeReply {
    const sent = one('Payments', payment, request);
    const id = sent?.Invoice?.InvoiceID ?? sent?.CreditNote?.CreditNoteID;
    const row = this.rows.find((each) => each.id === id);
    if (!sent || !row) return json(400, { Message: 'The payment is not valid' });
    const account = this.#around().accounts.get(sent.Account.Code);
    const takesPayments = account?.Type === 'BANK' || account?.EnablePaymentsToAccount === true;
    const complaints: string[] = [];
    if (!takesPayments) complaints.push('The account code is not valid for payments');
    if (row.Status !== 'AUTHORISED') complaints.push('The document is not open for payments');
    if (sent.Amount.greaterThan(row.open))
      complaints.push('Payment amount exceeds the amount outstanding on this document');
    if (sent.CurrencyRate && row.CurrencyCode === 'ISK') complaints.push('CurrencyRate is not valid here');
    if (complaints.length > 0) return refused('Payments', sent, complaints, request);
    const PaymentID = randomUUID();
    const { Reference, Amount } = sent;
    row.payments.push({ PaymentID, Reference, Amount, Account: sent.Account.Code });
    settle(row, Amount);
    return json(200, { Payments: [{ PaymentID, Amount }] });
  }

  /** The only change that a payment allows. */
  #deletePayment(id: string, request: FakeRequest): FakeReply {
    const sent = z.strictObject({ Status: z.literal('DELETED') }).safeParse(readJson(request.body));
    const row = this.rows.find(({ payments }) => payments.some(({ PaymentID }) => PaymentID === id));
    const at = row?.payments.findIndex(({ PaymentID }) => PaymentID === id) ?? -1;
    const [gone] = sent.success && row ? row.payments.splice(at, 1) : [];
    if (!row || !gone) return json(400, { Message: 'The payment is not valid' });
    row.open = row.open.plus(gone.Amount);
    row.Status = 'AUTHORISED';
    return json(200, { Payments: [{ PaymentID: id, Status: 'DELETED' }] });
  }

  #allocate(id: string, request: FakeRequest): FakeReply {
    const sent = one('Allocations', allocation, request);
    const note = this.rows.find((each) => each.id === id && each.list === 'CreditNotes');
    const invoice = this.rows.find((each) => each.id === sent?.Invoice.InvoiceID);
    if (!sent || !note || !invoice) return json(400, { Message: 'The allocation is not valid' });
    const isFit =
      note.ContactID === invoice.ContactID &&
      note.CurrencyCode === invoice.CurrencyCode &&
      sent.Amount.lessThanOrEqualTo(Decimal.min(note.open, invoice.open));
    if (!isFit) return refused('Allocations', sent, ['The allocation exceeds what is outstanding'], request);
    settle(note, sent.Amount);
    settle(invoice, sent.Amount);
    return json(200, { Allocations: [{ Amount: sent.Amount }] });
  }
}

function itemsOf({ LineItems }: Pick<z.infer<(typeof SENT)[List]>, 'LineItems'>): z.infer<typeof item>[] {
  return LineItems.filter((each) => 'AccountCode' in each);
}

function settle(row: XeroDocumentRow, amount: Decimal): void {
  row.open = row.open.minus(amount);
  if (row.open.isZero()) row.Status = 'PAID';
}

function one<T>(list: string, schema: z.ZodType<T>, request: FakeRequest): T | undefined {
  const parsed = z.strictObject({ [list]: z.array(schema).length(1) }).safeParse(readJson(request.body));
  return parsed.success ? (parsed.data as Record<string, T[]>)[list]?.[0] : undefined;
}

/** With `summarizeErrors=false` a refusal is a 200 with the reasons beside what was sent. */
function refused(list: string, sent: object, complaints: readonly string[], request: FakeRequest): FakeReply {
  const failed = {
    ...sent,
    StatusAttributeString: 'ERROR',
    ValidationErrors: complaints.map((Message) => ({ Message })),
  };
  return request.url.searchParams.get('summarizeErrors') === 'false'
    ? json(200, { Status: 'OK', [list]: [failed] })
    : json(400, { ErrorNumber: 10, Message: 'A validation exception occurred', Elements: [failed] });
}

function filtered(row: XeroDocumentRow): Record<string, unknown> {
  const name = row.list === 'Invoices' ? 'InvoiceNumber' : 'CreditNoteNumber';
  return { Type: row.Type, Date: row.Date, Reference: row.Reference, [name]: row.number };
}

function shown(row: XeroDocumentRow): Record<string, unknown> {
  const { id, list, number: no, open, items, words: said, ContactID, payments, Reference, ...rest } = row;
  const own =
    list === 'Invoices'
      ? { InvoiceID: id, InvoiceNumber: no, AmountDue: open }
      : { CreditNoteID: id, CreditNoteNumber: no, RemainingCredit: open };
  return {
    ...rest,
    ...own,
    ...(Reference === null ? {} : { Reference }),
    Date: `/Date(${Date.parse(row.Date)}+0000)/`,
    Contact: { ContactID, Name: 'as it is', Addresses: [] },
    LineItems: [
      ...said.map((Description) => ({ Description, Tracking: [] })),
      ...items.map((each) => ({ LineItemID: randomUUID(), TaxType: 'NONE', Tracking: [], ...each })),
    ],
    Payments: payments.map(({ Account: _account, ...paid }) => paid),
    HasAttachments: false,
  };
}
