import { createCustomer, requireCustomer } from './customers.js';
import { day } from './dates.js';
import { CURRENCIES } from './enumerations.js';
import { Fields } from './fields.js';
import { checkAmount, readLines, takeInlineNumbers } from './lines.js';
import type { Customer, InvoiceBody, Terms } from './records.js';
import { Refusal } from './refusal.js';
import { find, type World } from './world.js';

/** Which of the bodies of Document 1: invoice and quote carry a type, the recurring one is "without type". */
export type BodyKind = 'invoice' | 'quote' | 'recurring';

export interface ReadBody {
  readonly body: InvoiceBody;
  readonly ignored: string[];
}

/** Everything is checked before anything is kept: a refused invoice leaves no customer behind. */
export function readInvoiceBody(world: World, data: Fields, kind: BodyKind): ReadBody {
  const { terms, ignored } = readTerms(world, data);
  const dates = readDates(world, data);
  const type = readType(data, kind);
  const refers = type === 'credit' ? readOriginal(world, data) : null;
  const flags = readFlags(world, data);
  const files = readFiles(world, data);
  data.flag('save');
  data.maybeText('trading_partner_id');
  const customer = readCustomer(world, data, refers);
  takeInlineNumbers(world, terms.lines);
  return { body: { ...terms, ...dates, type, refers, ...flags, files, customer }, ignored };
}

/** What invoices, orders and drafts have in common. */
export function readTerms(world: World, data: Fields): { terms: Terms; ignored: string[] } {
  const amount = data.number('amount');
  const currency = data.oneOf('currency', CURRENCIES);
  const { lines, ignored } = readLines(world, data.objects('items'));
  checkAmount(amount, lines);
  data.flag('is_discount');
  data.flag('discount_type');
  data.maybeNumber('discount_value');
  const terms: Terms = {
    amount,
    currency,
    lines,
    description: data.maybeText('description'),
    booking: data.maybeText('booking'),
    costProvide: data.maybeText('cost_provide'),
    terms: data.maybeText('terms'),
    deliveryDate: data.maybeDate('delivery_date'),
  };
  return { terms, ignored };
}

/** Write rule 3. */
function readDates(world: World, data: Fields) {
  const issueDate = data.maybeDate('issue_date') ?? day(world.now());
  const dueDate = data.maybeDate('due_date') ?? issueDate;
  const settlementDate = data.date('settlement_date');
  if (issueDate > dueDate) throw new Refusal('due_date must not be before issue_date');
  if (dueDate > settlementDate) throw new Refusal('settlement_date must not be before due_date');
  return { issueDate, dueDate, settlementDate };
}

function readType(data: Fields, kind: BodyKind): 'invoice' | 'credit' {
  if (kind !== 'recurring')
    return data.oneOf('type', ['invoice', 'credit']) === 'credit' ? 'credit' : 'invoice';
  if (data.has('type')) throw new Refusal('A recurring invoice has no type');
  return 'invoice';
}

/** "must belong to the same user and be of type invoice." */
function readOriginal(world: World, data: Fields): string {
  const original = find(world.invoices, data.text('ref_invoice_guid'));
  if (original === undefined || original.type !== 'invoice')
    throw new Refusal('ref_invoice_guid is not a valid invoice');
  return original.guid;
}

function readFlags(world: World, data: Fields) {
  const [claim, paid, link] = [data.flag('is_claim'), data.flag('mark_paid'), data.flag('is_payment_link')];
  if (claim && (paid || link)) throw new Refusal('is_claim cannot be used with mark_paid or is_payment_link');
  if (paid && link) throw new Refusal('mark_paid cannot be used with is_payment_link');
  if (link && !world.freedoms.paymentLinks) throw new Refusal('No active payment-link subscription');
  const method = data.maybeWhole('method_payment');
  if (method !== null && !paid) throw new Refusal('method_payment can only be used with mark_paid');
  if (method !== null && (method < 1 || method > 9)) throw new Refusal('method_payment must be 1 to 9');
  data.maybeNumber('payment_fee');
  return { claim, paid, paymentLink: link ? `https://pay.example/${world.newKept().guid}` : null };
}

/** "Comma-separated attachment IDs returned by upload-file." */
function readFiles(world: World, data: Fields): string[] {
  const ids = (data.maybeText('files') ?? '').split(',').filter((id) => id.trim() !== '');
  return ids.map((id) => {
    const file = find(world.files, id.trim());
    if (file === undefined) throw new Refusal(`No file found: ${id}`);
    return file.guid;
  });
}

/** Required in every body; a credit note nevertheless inherits the customer of its original (write rule 5). */
function readCustomer(world: World, data: Fields, refers: string | null): Customer {
  const fields = new Fields(data.object('customer'), 'json');
  const original = refers === null ? undefined : find(world.invoices, refers);
  if (original !== undefined) return original.customer;
  return fields.has('guid')
    ? requireCustomer(world, fields.text('guid'))
    : createCustomer(world, fields, 'credential');
}
