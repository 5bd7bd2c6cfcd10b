// From the content of a record to the exact request: everything that the service wants to be told, and the mark by which it is found
// again. The write rules of the service are checked by the port, on what is made here.
import type { Guid } from '../domain/ids.js';
import { Decimal } from '../domain/money.js';
import { withMark, type SubmissionKind } from '../domain/submission.js';
import type { NamedFile, TargetRequest } from '../service/invoicing-target.js';
import {
  type CostContent,
  type ItemContent,
  type HoursContent,
  type CustomerContent,
  type InvoiceContent,
  type SubscriptionContent,
  type TaskContent,
  totalOf,
} from '../origins/content.js';
import { withHead } from '../domain/source-document.js';
import type { OutboundWish } from './stage.js';

type Body = Record<string, unknown>;

export interface Known {
  readonly key: string;
  /** Of the customer at the service; null: not known here, and inherited from the invoice that is credited. */
  readonly customerGuid: string | null;
  /** Of the invoice that is credited. */
  readonly creditedGuid: string | null;
}

export function invoiceRequest(content: InvoiceContent, wish: OutboundWish, known: Known): TargetRequest {
  const { key, customerGuid, creditedGuid } = known;
  const due = content.due_date ?? content.issue_date;
  const body: Body = {
    ...commonOf(content, wish, key),
    type: creditedGuid === null ? 'invoice' : 'credit',
    issue_date: content.issue_date,
    due_date: due,
    settlement_date: content.settlement_date ?? due,
    ...(creditedGuid === null ? {} : { ref_invoice_guid: creditedGuid }),
    ...(customerGuid === null ? {} : { customer: { guid: customerGuid } }),
    ...given({
      is_payment_link: content.is_payment_link,
      method_payment: content.method_payment,
      payment_fee: content.payment_fee,
    }),
  };
  return { act: 'create', kind: 'invoice', body, ...filesOf(content) };
}

/** A quote has the body of an invoice; drafts and orders name the customer by kennitala and the settlement in days. */
export function preparedRequest(
  kind: SubmissionKind,
  content: InvoiceContent,
  wish: OutboundWish,
  known: Known,
): TargetRequest {
  if (kind === 'quote') return { ...invoiceRequest(content, wish, known), kind };
  const body: Body = {
    ...commonOf(content, wish, known.key),
    settlement_date: settlementDays(content, wish),
    kennitala: content.customer?.kennitala,
  };
  return { act: 'create', kind, body, ...filesOf(content) };
}

/** The same bytes under the same name go once, however often a record names them. */
function filesOf({ files = [] }: InvoiceContent): Pick<TargetRequest, 'files'> {
  const distinct = new Map(
    files.map(({ name, sha256, bytes, ...kept }) => {
      const known = sha256 === undefined ? kept : { sha256 };
      return [uploadKey({ name, ...known }), { name, bytes, ...known }];
    }),
  );
  return distinct.size === 0 ? {} : { files: [...distinct.values()] };
}

/** By which the id of an uploaded file is kept: its bytes, or the version that its origin calls them, and the name that people see. */
export function uploadKey({ name, sha256, at = '', version = '' }: Omit<NamedFile, 'bytes'>): string {
  return `${sha256 ?? `${at}@${version}`} ${name}`;
}

/** An end by rule: as many invoices as fall on or before it. */
export function subscriptionRequest(
  content: SubscriptionContent,
  wish: OutboundWish,
  key: string,
  customerGuid: string,
): TargetRequest {
  const { start_date: start, end_date: end, interval, due_days: due = '0' } = content;
  const settlement = content.settlement_days ?? String(Math.max(wish.settlementDays, Number(due)));
  const body: Body = {
    ...commonOf(content, wish, key),
    ...{ issue_date: start, due_date: dayAfter(start, due), settlement_date: dayAfter(start, settlement) },
    customer: { guid: customerGuid },
    ...{ recurring_name: content.name, recurring_interval: interval, recurring_start_date: start },
    // Of the fields of a template the documents call only the greatest number of invoices optional.
    ...given({ payment_fee: content.payment_fee }),
    recurring_link_national: content.link_national === true ? 1 : 0,
    ...(end === undefined ? {} : { recurring_max_invoice: invoicesUntil(start, end, interval) }),
  };
  return { act: 'create', kind: 'subscription', body };
}

function dayAfter(day: string, days: string): string {
  return new Date(Date.parse(day) + Number(days) * DAY_MS).toISOString().slice(0, 10);
}

const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const;
const INVOICES_MAX = 5_000;

function invoicesUntil(start: string, end: string, interval: SubscriptionContent['interval']): number {
  let count = 0;
  while (count < INVOICES_MAX && dayOf(start, interval, count) <= end) count++;
  return count;
}

/** The 31st of a shorter month is its last day. */
function dayOf(start: string, interval: SubscriptionContent['interval'], index: number): string {
  if (interval === 'weekly') return dayAfter(start, String(7 * index));
  const [year = 0, month = 1, day = 1] = start.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + MONTHS[interval] * index, 0));
  last.setUTCDate(Math.min(day, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

type Common = Omit<SubscriptionContent, 'name' | 'interval' | 'start_date' | 'customer' | 'payment_fee'> &
  Partial<Pick<InvoiceContent, 'delivery_date' | 'mark_paid'>>;

function commonOf(content: Common, { mark }: OutboundWish, key: string): Body {
  const { description, booking, cost_provide, terms, delivery_date, is_claim, mark_paid } = content;
  const texts = { description, booking, cost_provide, terms };
  return {
    amount: totalOf(content),
    currency: content.currency,
    ...given({ ...texts, delivery_date, is_claim, mark_paid }),
    ...discountOf(content),
    [mark]: withMark(texts[mark] ?? '', key),
    items: content.lines.map(asSent),
  };
}

function discountOf({ discount_value: value, discount_type, is_discount }: Common): Body {
  const isThere = is_discount ?? (value === undefined ? undefined : !new Decimal(value).isZero());
  return given({ is_discount: isThere, discount_type, discount_value: value });
}

/** Write rule 4: an item of the service with its quantity, or everything of a new one. */
function asSent({ guid, ...line }: InvoiceContent['lines'][number]): Body {
  if (guid === undefined) return { ...given(line), add_new: 1 };
  const { qty, discount, discount_type } = line;
  return { guid, qty, ...given({ discount, discount_type }) };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

function settlementDays(
  { issue_date: issue, settlement_date: settlement }: InvoiceContent,
  wish: OutboundWish,
): number {
  if (settlement === undefined) return wish.settlementDays;
  return Math.max(0, Math.round((Date.parse(settlement) - Date.parse(issue)) / DAY_MS));
}

/** The day on which its file was last changed stands for the day of a receipt that nobody has read yet. */
export function costRequest(content: CostContent, key: string): TargetRequest {
  const {
    file,
    seen,
    date = seen,
    description = file?.name ?? '',
    credit_note: isCredit,
    ...fields
  } = content;
  const body: Body = {
    ...given({ date, ...fields }),
    description: withMark(description, key),
    ...(isCredit === true ? { credit_note: 1 } : {}),
    ...(file ? { file: file.name, sha256: file.sha256, bytes: file.bytes } : {}),
  };
  return { act: 'create', kind: 'cost', body };
}

export function taskRequest(content: TaskContent, key: string, customerGuid: string): TargetRequest {
  const { name, customer: _customer, description = name, category = '', ...item } = content;
  const body: Body = {
    customer_guid: customerGuid,
    name: withMark(name, key),
    // A new item: all that the documents name of one.
    item: { guid: '', description, ...given(item), category },
  };
  return { act: 'create', kind: 'task', body };
}

/** On a task, or in place of what stands there. */
export function hoursRequest(
  content: HoursContent,
  key: string,
  where: { readonly task: string } | { readonly log: string },
): TargetRequest {
  const { date, from: h, to: p, description = '' } = content;
  const body: Body = { description: withMark(description, key), date, end_date: date, h, p };
  return 'log' in where
    ? { act: 'update', kind: 'hours', guid: where.log, body }
    : { act: 'create', kind: 'hours', guid: where.task, body };
}

export function customerRequest(content: CustomerContent): TargetRequest {
  return { act: 'create', kind: 'customer', body: customerBody(content) };
}

/** What the origin names of a customer, as the service would show it. */
export function customerFields(content: CustomerContent): Readonly<Record<string, string>> {
  return shownFields(customerBody(content));
}

/** What a request says of a customer, likewise. */
export function shownFields(body: Readonly<Body>): Readonly<Record<string, string>> {
  const { registration_no: _same, ...wanted } = body;
  return Object.fromEntries(Object.entries(wanted).map(([field, value]) => [field, asShown(value)]));
}

export function customerUpdate(
  content: CustomerContent,
  guid: Guid,
  fields: readonly string[],
): TargetRequest {
  const changed = Object.entries(customerBody(content)).filter(([field]) => fields.includes(field));
  return { act: 'update', kind: 'customer', guid, body: Object.fromEntries(changed) };
}

/** `number`: what its origin knows it by, at the head of its description. */
export function itemRequest(content: ItemContent, number: string): TargetRequest {
  const { active = true } = content;
  return { act: 'create', kind: 'item', body: { ...itemBody(content, number), active } };
}

/** What the origin names of an item, as the service would show it. */
export function itemFields(content: ItemContent, number: string): Readonly<Record<string, string>> {
  return shownFields(itemBody(content, number));
}

export function itemUpdate(
  content: ItemContent,
  number: string,
  guid: Guid,
  fields: readonly string[],
): TargetRequest {
  const changed = Object.entries(itemBody(content, number)).filter(([field]) => fields.includes(field));
  return { act: 'update', kind: 'item', guid, body: Object.fromEntries(changed) };
}

function itemBody({ description, ...fields }: ItemContent, number: string): Body {
  return { description: withHead(number, description), ...given(fields) };
}

function customerBody({ kennitala, ...fields }: CustomerContent): Body {
  return { registration_no: kennitala, ...given(fields) };
}

function asShown(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function given(fields: Body): Body {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
