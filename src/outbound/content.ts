// What a record of an origin says, in the names of the API documents where they have one. Strict: a misspelt field is a problem, not
// something that is left out silently. Numbers are text, digit for digit. Every origin reads its records into these shapes.
import * as z from 'zod';
import { Decimal, sum } from '../domain/decimal.js';
import type { SubmissionKind } from '../domain/submission.js';
import { attachedFile, type CostContent, costContent } from './content-cost.js';
import { type ItemContent, itemContent } from './content-item.js';
import { day, filledText, kennitala, longText, number, oneOf, tax, text, yesOrNo } from './content-fields.js';
import { fieldUnfit, type PlaceOfField } from './field-unfit.js';
import { told, type Words } from '../language/messages.js';
import { type HoursContent, hoursContent, taskFields } from './content-time.js';
import { inWholeUnits } from './whole-units.js';

const customerFields = {
  name: filledText.optional(),
  email: text.optional(),
  address: text.optional(),
  zip: text.optional(),
  city: text.optional(),
  phone_number: text.optional(),
  vat: text.optional(),
  lang: oneOf(['is', 'en']).optional(),
  currency: text.optional(),
  output_select: oneOf(['2', '3', '4']).optional(),
  trading_partner_id: text.optional(),
  due_date: number.optional(),
  settlement_date: number.optional(),
  tax_exempt: yesOrNo.optional(),
  /** Code of the terms of payment. */
  term: text.optional(),
  photo: longText.optional(),
  is_claim: yesOrNo.optional(),
  is_discount: yesOrNo.optional(),
};

export const customerContent = z.strictObject({ kennitala, ...customerFields });

const LINES_MAX = 1_000;
/** More than ever go, so that the service's limit is told in its own words. */
const NAMED_MAX = 100;

/** What a line need not say when it names an item of the service, which has it all; until then it stands for itself. */
function withItem(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('guid' in value)) return value;
  const { guid } = value;
  return { item_number: guid, description: guid, unit_price: '0', tax: 'Z', ...value };
}

const lineFields = z
  .strictObject({
    /** Of an item of the service. */
    guid: filledText.optional(),
    item_number: filledText,
    description: filledText,
    qty: number,
    uom: text.default('C62'),
    unit_price: number,
    tax,
    discount: number.optional(),
    /** true = percent, false = price. */
    discount_type: yesOrNo.optional(),
  })
  .transform((line) => (line.guid === undefined ? inWholeUnits(line) : line));
const line = z.preprocess(withItem, lineFields);

export const invoiceContent = z.strictObject({
  customer: customerContent.optional(),
  /** In its place: the customer's guid at the service. */
  customer_guid: filledText.optional(),
  currency: text.default('ISK'),
  /** Given by the origin, so that the invoice can be found again whatever was forgotten here. */
  issue_date: day,
  due_date: day.optional(),
  settlement_date: day.optional(),
  delivery_date: day.optional(),
  description: text.optional(),
  booking: text.optional(),
  cost_provide: text.optional(),
  terms: text.optional(),
  /** What the origin makes of the lines; left out: it is counted here. */
  amount: number.optional(),
  lines: z.array(line).min(1, 'needs at least one line').max(LINES_MAX),
  /** Off the whole invoice: percent or an amount, as `discount_type` says (true = percent). */
  discount_value: number.optional(),
  discount_type: yesOrNo.optional(),
  /** Left out: there is one when `discount_value` says so. */
  is_discount: yesOrNo.optional(),
  payment_fee: number.optional(),
  is_claim: yesOrNo.optional(),
  is_payment_link: yesOrNo.optional(),
  mark_paid: yesOrNo.optional(),
  method_payment: number.optional(),
  /** A credit note: the reference of the invoice that it credits, or its guid at the service. */
  credit_of: text.optional(),
  ref_invoice_guid: text.optional(),
  /** Uploaded first; the service takes them with invoices only. */
  files: z.array(attachedFile).max(NAMED_MAX).optional(),
});

export type { PlaceOfField } from './field-unfit.js';
export type CustomerContent = z.output<typeof customerContent>;
export type InvoiceContent = z.output<typeof invoiceContent>;

export type Reading<Content> =
  | { readonly outcome: 'read'; readonly content: Content }
  | { readonly outcome: 'problem'; readonly words: Words };

export const taskContent = z.strictObject({ customer: customerContent, ...taskFields });
export type TaskContent = z.output<typeof taskContent>;

export const INTERVALS = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;

/** One template; what is counted in days is counted from the day of each invoice. */
export const subscriptionContent = invoiceContent
  .omit({
    ...{ issue_date: true, due_date: true, settlement_date: true, delivery_date: true, mark_paid: true },
    ...{ method_payment: true, is_payment_link: true, credit_of: true, ref_invoice_guid: true },
    ...{ files: true, customer_guid: true },
  })
  .extend({
    customer: customerContent,
    name: filledText,
    interval: z.enum(INTERVALS),
    start_date: day,
    /** The last day on which it makes an invoice. */
    end_date: day.optional(),
    /** `recurring_link_national` of the service. */
    link_national: yesOrNo.optional(),
    due_days: number.optional(),
    settlement_days: number.optional(),
  });
export type SubscriptionContent = z.output<typeof subscriptionContent>;

export type Content =
  | SubscriptionContent
  | CustomerContent
  | ItemContent
  | InvoiceContent
  | CostContent
  | TaskContent
  | HoursContent;

const SCHEMAS: Readonly<Record<SubmissionKind, z.ZodType<Content>>> = {
  invoice: invoiceContent,
  draft: invoiceContent,
  order: invoiceContent,
  quote: invoiceContent,
  customer: customerContent,
  item: itemContent,
  cost: costContent,
  task: taskContent,
  hours: hoursContent,
  subscription: subscriptionContent,
};

const PROBLEMS_SHOWN = 5;

/** `at`: what a problem is told of, where its place does not say; `placeOf`: where people find a field of it. */
export function readContent(
  kind: SubmissionKind,
  value: unknown,
  at?: string,
  placeOf?: PlaceOfField,
): Reading<Content> {
  const read = SCHEMAS[kind].safeParse(value);
  if (read.success) return { outcome: 'read', content: read.data };
  const fields = read.error.issues.slice(0, PROBLEMS_SHOWN).map((issue) => fieldUnfit(issue, value, placeOf));
  const words = told('FIELDS_UNFIT', { fields });
  return {
    outcome: 'problem',
    words: at === undefined ? words : told('AT_RECORD', { at, what: words.said }),
  };
}

/** The same content is the same text. */
export function contentText(content: object): string {
  return JSON.stringify(sorted(content));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

const VAT_PERCENT = { S: 24, AA: 11, Z: 0 } as const;

/** Write rule 2 of the service: the lines and their VAT, to two decimals. */
export function totalOf({ lines, amount }: Pick<InvoiceContent, 'lines' | 'amount'>): string {
  if (amount !== undefined) return new Decimal(amount).toFixed(2);
  const totals = lines.map(({ qty, unit_price: price, discount = '0', discount_type: isPercent, tax }) => {
    const gross = new Decimal(qty).times(price);
    const net =
      isPercent === true
        ? gross.times(new Decimal(1).minus(new Decimal(discount).div(100)))
        : gross.minus(discount);
    return net.times(new Decimal(100 + VAT_PERCENT[tax]).div(100));
  });
  return sum(totals).toDecimalPlaces(2).toFixed(2);
}
