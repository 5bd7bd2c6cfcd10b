// Parties, products and invoices in Tryton's JSON, as an origin reads them. A dotted field name gives the related records under a name
// that ends with a dot.
import * as z from 'zod';
import { madeOf } from '../../../domain/made-of.js';
import { asAnswer } from '../../answer.js';
import { wireDate, wireDecimal } from '../wire.js';
import { wireAmount, wireInteger } from '../../../http/wire-json.js';
import type { TrytonModels } from '../client.js';
import type { TrytonCompany } from '../facts.js';
import { type ErpPage } from '../../../origins/erp-records.js';
import { answered } from '../../answer.js';

const id = wireInteger;
const text = z.string().nullable();
const flag = madeOf(z.union([z.boolean(), wireInteger]), Boolean);
const two = (value: number, digits = 2) => String(value).padStart(digits, '0');

/** ISO without a zone, to the microsecond: text that sorts as time. */
export const wireStamp = madeOf(
  z.object({
    __class__: z.literal('datetime'),
    ...{ year: id, month: id, day: id, hour: id, minute: id, second: id, microsecond: id },
  }),
  ({ year, month, day, hour, minute, second, microsecond }) => {
    const date = [two(year, 4), two(month), two(day)].join('-');
    return `${date}T${[two(hour), two(minute), two(second)].join(':')}.${two(microsecond, 6)}`;
  },
);

export function stamp(at: string): Readonly<Record<string, unknown>> {
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(?:\.(\d*))?$/.exec(at)?.map((part) => part) ?? [];
  const parts = { year, month, day, hour, minute, second, microsecond: fraction.padEnd(6, '0') };
  return {
    __class__: 'datetime',
    ...Object.fromEntries(Object.entries(parts).map(([name, digits]) => [name, Number(digits)])),
  };
}

/** When a record was made and last written; one that was never written has no second date. */
const stamped = { create_date: wireStamp, write_date: wireStamp.nullable() };
export const STAMPS = ['create_date', 'write_date'];

export const wireStamped = z.array(z.looseObject({ id, ...stamped }));

const wireAddress = z.object({ street: text, postal_code: text, city: text, invoice: flag.optional() });
const wireContact = z.object({ type: z.string(), value: text });

export const wireCustomer = z.object({
  id,
  name: text,
  code: text,
  active: flag,
  'lang.': z.object({ code: z.string() }).nullable().optional(),
  'identifiers.': z.array(z.object({ code: z.string() })),
  'addresses.': z.array(wireAddress),
  'contact_mechanisms.': z.array(wireContact),
});
export type WireCustomer = z.infer<typeof wireCustomer>;
export const wireCustomers = z.array(wireCustomer);
export const CUSTOMER_FIELDS = [
  ...['name', 'code', 'active', 'lang.code', 'identifiers.code'],
  ...['street', 'postal_code', 'city', 'invoice'].map((field) => `addresses.${field}`),
  ...['contact_mechanisms.type', 'contact_mechanisms.value'],
];

const wireTax = z.object({ type: z.string(), rate: wireDecimal.nullable() });

const wireSold = z.object({
  type: z.string(),
  description: text,
  quantity: wireAmount.nullable(),
  'unit.': z.object({ symbol: z.string() }).nullable().optional(),
  unit_price: wireDecimal.nullable(),
  amount: wireDecimal.nullable(),
  'product.': z.object({ code: text, name: text.optional() }).nullable().optional(),
  'taxes.': z.array(wireTax),
});
/** A line of an invoice or order. */
export type WireSoldLine = z.infer<typeof wireSold>;

const wireLine = wireSold.extend({
  'account.': z.object({ code: text }).nullable().optional(),
  /** `model,id` of what it was made from: the line of another invoice, where this one credits it. */
  origin: text,
});
export type WireInvoiceLine = z.infer<typeof wireLine>;

const wireTerm = z.object({
  'lines.': z.array(
    z.object({
      'relativedeltas.': z.array(
        z.object({
          ...{ months: wireInteger, weeks: wireInteger, days: wireInteger },
          ...{ day: id.nullable(), month: id.nullable(), weekday: id.nullable() },
        }),
      ),
    }),
  ),
});

export const wireSale = z.object({
  id,
  state: z.enum(['draft', 'validated', 'posted', 'paid', 'cancelled']),
  number: text,
  reference: text,
  description: text,
  invoice_date: wireDate.nullable(),
  payment_term: id.nullable(),
  'payment_term.': wireTerm.nullable().optional(),
  payment_term_date: wireDate.nullable(),
  party: id,
  'currency.': z.object({ code: z.string() }),
  total_amount: wireDecimal,
  'lines.': z.array(wireLine),
  'lines_to_pay.': z.array(z.object({ maturity_date: wireDate.nullable() })),
});
export type WireSale = z.infer<typeof wireSale>;
export const wireSales = z.array(wireSale);
export const SALE_FIELDS = [
  ...['state', 'number', 'reference', 'description', 'invoice_date', 'payment_term_date', 'party'],
  'payment_term',
  ...['months', 'weeks', 'days', 'day', 'month', 'weekday'].map(
    (f) => `payment_term.lines.relativedeltas.${f}`,
  ),
  ...['currency.code', 'total_amount', 'lines_to_pay.maturity_date'],
  ...['type', 'description', 'quantity', 'unit.symbol', 'unit_price', 'amount', 'origin'].map(
    (f) => `lines.${f}`,
  ),
  ...['product.code', 'account.code', 'taxes.type', 'taxes.rate'].map((f) => `lines.${f}`),
];

/** A quotation has no date unless somebody gave it one, and may be paid by another party than the one it is for. */
export const wireOrder = z.object({
  ...{ id, number: text, reference: text, description: text, create_date: wireStamp },
  ...{ sale_date: wireDate.nullable(), shipping_date: wireDate.nullable() },
  ...{ party: id, invoice_party: id.nullable(), total_amount: wireDecimal },
  'currency.': z.object({ code: z.string() }),
  'lines.': z.array(wireSold.extend({ product: id.nullable() })),
});
export type WireOrder = z.infer<typeof wireOrder>;
export const wireOrders = z.array(wireOrder);
export const ORDER_FIELDS = [
  ...['number', 'reference', 'description', 'create_date', 'sale_date', 'shipping_date'],
  ...['party', 'invoice_party', 'total_amount', 'currency.code'],
  ...[
    'type',
    'description',
    'quantity',
    'unit.symbol',
    'unit_price',
    'amount',
    'product',
    'product.code',
  ].map((f) => `lines.${f}`),
  ...['taxes.type', 'taxes.rate'].map((f) => `lines.${f}`),
];

export const wireModels = z.array(z.object({ id }));

export const wireProduct = z.object({
  ...{ id, active: flag, code: text, name: text, template: id, list_price: wireDecimal.nullable() },
  'default_uom.': z.object({ symbol: z.string() }).nullable().optional(),
  'template.': z.object({
    'account_category.': z
      .object({ 'customer_taxes_used.': z.array(wireTax) })
      .nullable()
      .optional(),
  }),
});
export type WireProduct = z.infer<typeof wireProduct>;
export const wireProducts = z.array(wireProduct);
export const PRODUCT_FIELDS = [
  ...['active', 'code', 'name', 'template', 'list_price', 'default_uom.symbol'],
  ...['type', 'rate'].map((field) => `template.account_category.customer_taxes_used.${field}`),
];

export const wireNotes = z.array(z.object({ id, message: text }));
export const wireLineInvoices = z.array(z.object({ id, invoice: id.nullable() }));

// Searching Tryton for what an origin reads. Records are listed by id, with the newest stamp of them and of what belongs to them.

const PAGE = 1_000;
const stamps = { create_date: wireStamp, write_date: wireStamp.nullable() };
/** Of what belongs to a record, only when it was last changed. */
const wireChildren = z.array(
  madeOf(z.object(stamps), ({ create_date: made, write_date: written }) => written ?? made),
);

export class TrytonReader {
  readonly models: TrytonModels;
  readonly #company: () => Promise<TrytonCompany>;

  constructor(models: TrytonModels, company: () => Promise<TrytonCompany>) {
    this.models = models;
    this.#company = company;
  }

  company(): Promise<TrytonCompany> {
    return this.#company();
  }

  /** `children`: what belongs to a record and has dates of its own, such as the addresses of a party. */
  async list(
    model: string,
    domain: readonly unknown[],
    children: readonly string[],
    since: string | null,
    after: string | null,
  ): Promise<ErpPage> {
    const dates = [...STAMPS, ...children.flatMap((child) => STAMPS.map((date) => `${child}.${date}`))];
    const changed = since === null ? [] : [['OR', ...dates.map((date) => [date, '>=', stamp(since)])]];
    const behind = after === null ? [] : [['id', '>', Number(after)]];
    const schema = z.array(z.object({ id: wireInteger, ...stamps }).catchall(wireChildren));
    const found = await this.find(model, [...domain, ...changed, ...behind], dates, schema, PAGE);
    const entries = found.map(({ id, create_date: made, write_date: written, ...theirs }) => {
      const at = [made, written ?? made, ...Object.values(theirs).flat()].sort().at(-1) ?? made;
      return { id: String(id), at, position: String(id) };
    });
    return { entries, isFull: entries.length >= PAGE };
  }

  async find<T>(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    schema: z.ZodType<T>,
    limit = PAGE,
  ): Promise<T> {
    const context = await this.context();
    return answered(await asAnswer(() => this.models.find(model, domain, fields, schema, context, limit)));
  }

  /** What is not active any more is seen too. */
  async context(): Promise<{ readonly company: number; readonly active_test: false }> {
    return { company: (await this.#company()).id, active_test: false };
  }
}
