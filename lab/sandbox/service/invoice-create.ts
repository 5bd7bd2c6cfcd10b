// create-invoice with all of its write rules. Everything is checked before anything is changed.
import { addDays } from '../clock.js';
import {
  CURRENCIES,
  type Hundredths,
  type Invoice,
  type InvoiceCustomer,
  type InvoiceLine,
  TAX_CODES,
  UNITS_OF_MEASURE,
} from '../model.js';
import { hasTwoDecimals, parseHundredths, totalsOf } from '../money.js';
import type { Account } from './account.js';
import { asInvoiceCustomer, createCustomer, customerOf, createItem, itemOf } from './customers.js';
import type { DataObject } from './data-object.js';
import { iskPerUnit } from './exchange-rates.js';
import { Refusal } from './refusal.js';

export interface InvoiceDates {
  readonly issue_date: string;
  readonly due_date: string;
  readonly settlement_date: string;
}

export function createInvoice(account: Account, data: DataObject): Invoice {
  const invoice = prepareInvoice(account, data);
  account.invoices.add(invoice);
  if (invoice.refer_guid !== null) markCredited(account, invoice.refer_guid, invoice.guid);
  return invoice;
}

/** A quote has an invoice's body and rules but is none: it takes no number and is not handed to bookkeeping. */
export function createQuote(account: Account, data: DataObject): Invoice {
  const quote = prepareInvoice(account, data, 'quote');
  account.storeQuote(quote);
  return quote;
}

function prepareInvoice(
  account: Account,
  data: DataObject,
  systemType: 'invoice' | 'quote' = 'invoice',
): Invoice {
  const type = data.oneOf('type', ['invoice', 'credit'], systemType === 'quote' ? 'invoice' : null);
  const currency = data.oneOf('currency', CURRENCIES, null);
  const dates = readDates(account, data);
  const flags = readFlags(account, data);
  const original = type === 'credit' ? originalOf(account, data) : null;
  const drafts = draftLines(account, data.list('items'));
  const buyer = original === null ? readBuyer(account, data) : buyerOf(account, original);
  const lines = drafts.map(({ line }) => line);
  const amount = checkedAmount(account, data, lines, buyer.exempt);
  const files = readFiles(account, data);
  const invoice = blankInvoice(account, type, original?.guid ?? null);
  Object.assign(invoice, dates, textsOf(data), {
    number: systemType === 'quote' ? '' : account.nextInvoiceNumber(),
    amount,
    currency,
    exchange_rate: iskPerUnit(currency),
    delivery_date: data.date('delivery_date'),
    customer: original?.customer ?? customerFor(account, data),
    items: linesFor(account, drafts, buyer.exempt),
    files,
  });
  if (flags.paid) markPaid(invoice, flags.method);
  if (flags.claim) Object.assign(invoice, { claim_id: `CL-${invoice.id}`, claim_status: 'sent' });
  if (flags.link) invoice.payment_link = `${account.service.baseUrl()}/pay/${invoice.guid}`;
  if (systemType === 'quote') Object.assign(invoice, { status: 'Draft', accounting_status: null });
  return invoice;
}

export function blankInvoice(account: Account, type: Invoice['type'], referGuid: string | null): Invoice {
  const { clock } = account.service;
  return {
    guid: account.guid(),
    id: account.nextId(),
    number: '',
    amount: 0,
    currency: 'ISK',
    status: 'Sent',
    created_date: clock.today(),
    created_at: clock.timestamp(),
    issue_date: clock.today(),
    due_date: clock.today(),
    settlement_date: clock.today(),
    delivery_date: null,
    description: '',
    booking: '',
    cost_provide: '',
    terms: '',
    type,
    refer_guid: referGuid,
    // "How an invoice first receives Created: not shown." Here: when it is issued.
    accounting_status: 'Created',
    accounting_message: '',
    updated_timestamp: clock.timestamp(),
    xml_status: '',
    claim_id: '',
    claim_status: '',
    capital_gains_tax: 0,
    other_default_costs_amount: 0,
    default_charge_amount: 0,
    default_interest_amount: 0,
    bank_transaction_amount: 0,
    exchange_rate: '1',
    items: [],
    customer: { guid: '', name: '', address: '', zip: '', city: '', registration_no: '', email: '' },
    method_payment: null,
    credited_by: [],
    payment_link: null,
    files: [],
    origin: null,
  };
}

/** Write rule 3. */
export function readDates(account: Account, data: DataObject): InvoiceDates {
  const issue = data.date('issue_date') ?? account.service.clock.today();
  const due = data.date('due_date') ?? issue;
  const settlement = data.date('settlement_date');
  if (settlement === null) throw new Refusal('dates-in-order', 'Field settlement_date is required');
  if (due < issue) throw new Refusal('dates-in-order', 'due_date must not be before issue_date');
  if (settlement < due) throw new Refusal('dates-in-order', 'settlement_date must not be before due_date');
  return { issue_date: issue, due_date: due, settlement_date: settlement };
}

function readFlags(account: Account, data: DataObject) {
  const claim = data.flag('is_claim');
  const paid = data.flag('mark_paid');
  const link = data.flag('is_payment_link');
  if ([claim, paid, link].filter(Boolean).length > 1)
    throw new Refusal('flags-conflict', 'Only one of is_claim, mark_paid and is_payment_link can be true');
  if (link && !account.profile.payment_link_subscription)
    throw new Refusal('subscription', 'is_payment_link needs an active payment-link subscription');
  const method = data.has('method_payment') ? data.integer('method_payment', 0) : null;
  if (method !== null && !paid)
    throw new Refusal('flags-conflict', 'method_payment is only allowed when mark_paid is true');
  if (method !== null && (method < 1 || method > 9))
    throw new Refusal('field-format', 'Field method_payment must be between 1 and 9');
  return { claim, paid, link, method };
}

export function markPaid(invoice: Invoice, method: number | null): void {
  invoice.status = 'Paid';
  invoice.method_payment = method;
}

/** Write rule 2. Credit notes may state their figures with either sign; magnitudes are what is kept. */
export function checkedAmount(
  account: Account,
  data: DataObject,
  lines: readonly InvoiceLine[],
  exempt: boolean,
): Hundredths {
  data.required('amount');
  const stated = data.decimal('amount');
  const counted = totalsOf(lines, exempt).amount;
  const expected =
    account.service.choices.invoiceAmount === 'lines' ? counted : withDiscountAndFee(data, counted);
  if (!hasTwoDecimals(stated) || Math.abs(parseHundredths(stated)) !== Math.abs(expected))
    throw new Refusal(
      'amount',
      `Amount ${stated} does not equal the sum of lines and VAT, ${expected / 100}`,
    );
  return Math.abs(expected);
}

function withDiscountAndFee(data: DataObject, amount: Hundredths): Hundredths {
  const value = data.flag('is_discount') ? parseHundredths(data.decimal('discount_value')) : 0;
  const discount = data.flag('discount_type') ? Math.round((amount * value) / 10_000) : value;
  return amount - discount + parseHundredths(data.decimal('payment_fee'));
}

/** Write rule 5: "must belong to the same user and be of type invoice". */
function originalOf(account: Account, data: DataObject): Invoice {
  const original = account.invoices.get(data.text('ref_invoice_guid'));
  if (original?.type !== 'invoice')
    throw new Refusal('credit-reference', 'Field ref_invoice_guid must name an invoice of this account');
  return original;
}

function buyerOf(account: Account, { customer }: Invoice): { exempt: boolean } {
  return { exempt: account.customers.get(customer.guid)?.tax_exempt ?? false };
}

export function readBuyer(account: Account, data: DataObject): { exempt: boolean } {
  const customer = data.object('customer');
  if (customer === null) throw new Refusal('required-field', 'Field customer is required');
  return {
    exempt: customer.has('guid')
      ? customerOf(account, customer.text('guid')).tax_exempt
      : customer.flag('tax_exempt'),
  };
}

function customerFor(account: Account, data: DataObject): InvoiceCustomer {
  const customer = data.object('customer');
  if (customer === null) throw new Refusal('required-field', 'Field customer is required');
  return asInvoiceCustomer(
    customer.has('guid') ? customerOf(account, customer.text('guid')) : createCustomer(account, customer),
  );
}

function linesFor(account: Account, drafts: readonly DraftLine[], exempt: boolean): InvoiceLine[] {
  return withoutVat(commitLines(account, drafts), exempt).map((line) => ({
    ...line,
    qty: Math.abs(line.qty),
  }));
}

function readFiles(account: Account, data: DataObject): string[] {
  const ids = data
    .text('files')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  for (const id of ids)
    if (!account.files.has(id)) throw new Refusal('unknown-record', `No uploaded file has the id ${id}`);
  return ids;
}

export function textsOf(data: DataObject) {
  return {
    description: data.text('description'),
    booking: data.text('booking'),
    cost_provide: data.text('cost_provide'),
    terms: data.text('terms'),
  };
}

function markCredited(account: Account, originalGuid: string, creditGuid: string): void {
  const original = account.invoices.get(originalGuid);
  if (original === undefined) return;
  original.credited_by = [...original.credited_by, creditGuid];
  if (account.service.choices.creditedOriginal === 'cancelled') original.status = 'Cancelled';
  original.updated_timestamp = account.service.clock.timestamp();
}

/** For invoices that the service itself issues: from a template, an order or hours. */
export function datesFrom(issue: string, dueDays: number, settlementDays: number): InvoiceDates {
  return {
    issue_date: issue,
    due_date: addDays(issue, dueDays),
    settlement_date: addDays(issue, Math.max(dueDays, settlementDays)),
  };
}

// Write rule 4: a line is either an existing item (guid + qty) or a new inline item, which then joins the catalogue.

const LINES_MAX = 1_000;
const INLINE_FIELDS = ['item_number', 'description', 'unit_price', 'tax', 'uom'] as const;

interface DraftLine {
  readonly line: InvoiceLine;
  /** Set on inline lines: what the catalogue item will be made of. */
  readonly inline: DataObject | null;
}

/** Checks without an effect, so that a refused invoice leaves nothing behind. */
export function draftLines(account: Account, lines: readonly DataObject[]): DraftLine[] {
  if (lines.length === 0) throw new Refusal('required-field', 'Field items is required');
  if (lines.length > LINES_MAX)
    throw new Refusal('line-shape', `An invoice has at most ${LINES_MAX} lines here`);
  return lines.map((line) => {
    checkLine(account, line);
    return line.has('guid')
      ? { line: existingLine(account, line), inline: null }
      : { line: inlineLine(line), inline: line };
  });
}

/** A tax-exempt customer's lines bear no VAT, and say so. */
export function withoutVat(lines: readonly InvoiceLine[], exempt: boolean): InvoiceLine[] {
  return lines.map((line) => (exempt ? { ...line, tax: 'Z' } : line));
}

/** Adds the inline lines to the catalogue. */
export function commitLines(account: Account, drafts: readonly DraftLine[]): InvoiceLine[] {
  return drafts.map(({ line, inline }) =>
    inline === null ? line : { ...line, guid: createItem(account, inline, line.item_number).guid },
  );
}

function checkLine(account: Account, line: DataObject): void {
  if (!line.has('qty')) throw new Refusal('line-shape', 'Field qty is required on every line');
  line.integer('qty', 0);
  line.decimal('discount');
  line.flag('discount_type');
  if (line.has('guid')) {
    itemOf(account, line.text('guid'));
    return;
  }
  for (const name of INLINE_FIELDS)
    if (!line.has(name)) throw new Refusal('line-shape', `Field ${name} is required on an inline line`);
  if (!line.flag('add_new'))
    throw new Refusal('line-shape', 'An inline line needs add_new: 1, any other line the guid of an item');
  line.oneOf('tax', TAX_CODES, null);
  line.oneOf('uom', UNITS_OF_MEASURE, null);
  line.decimal('unit_price');
}

function existingLine(account: Account, line: DataObject): InvoiceLine {
  const item = itemOf(account, line.text('guid'));
  return {
    guid: item.guid,
    item_number: item.item_number,
    description: line.text('description', item.description),
    qty: line.integer('qty', 0),
    uom: item.uom,
    tax: line.oneOf('tax', TAX_CODES, item.tax),
    unit_price: line.decimal('unit_price', item.unit_price),
    discount: line.decimal('discount'),
    discount_type: line.flag('discount_type'),
  };
}

function inlineLine(line: DataObject): InvoiceLine {
  return {
    guid: '',
    item_number: line.text('item_number'),
    description: line.text('description'),
    qty: line.integer('qty', 0),
    uom: line.oneOf('uom', UNITS_OF_MEASURE, null),
    tax: line.oneOf('tax', TAX_CODES, null),
    unit_price: line.decimal('unit_price'),
    discount: line.decimal('discount'),
    discount_type: line.flag('discount_type'),
  };
}
