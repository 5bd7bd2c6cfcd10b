// Invoices and taxes in Tryton's JSON. Fields of modules that may not be activated are asked for only where they are needed.
import * as z from 'zod';
import { madeOf } from '../../domain/made-of.js';
import { wireInteger } from '../../http/wire-json.js';
import { PARTY_FIELDS, wireDate, wireDecimal, wireParty } from './wire.js';

const text = z.string().nullable();
const id = wireInteger;

export const wireTaxes = z.array(
  z.object({
    id,
    name: z.string(),
    type: z.string(),
    parent: id.nullable(),
    invoice_account: id.nullable(),
    credit_note_account: id.nullable(),
  }),
);
export type WireTax = z.infer<typeof wireTaxes>[number];
export const TAX_FIELDS = ['name', 'type', 'parent', 'invoice_account', 'credit_note_account'];

const wireItem = z.object({
  id,
  type: z.string(),
  account: id.nullable(),
  'account.': z.object({ code: text }).nullable().optional(),
  amount: wireDecimal.nullable(),
  unit_price: wireDecimal.nullable(),
  quantity: z.coerce.number().nullable(),
  description: text,
  taxes: z.array(id),
  /** `model,id` of what it was made from: the line of another invoice, where this one credits it. */
  origin: text,
  'analytic_accounts.': z
    .array(
      z.object({
        root: id.nullable(),
        account: id.nullable(),
        'account.': z.object({ code: text, name: text, root: id.nullable() }).nullable().optional(),
      }),
    )
    .optional(),
});
export type WireItem = z.infer<typeof wireItem>;

const wireInvoiceTax = z.object({
  account: id,
  'account.': z.object({ code: text }),
  base: wireDecimal,
  amount: wireDecimal,
  manual: madeOf(z.union([z.boolean(), wireInteger]), Boolean),
  tax: id.nullable(),
  description: z.string(),
});

const wireInvoice = z.object({
  id,
  type: z.enum(['out', 'in']),
  state: z.enum(['draft', 'validated', 'posted', 'paid', 'cancelled']),
  number: text,
  description: text,
  comment: text,
  accounting_date: wireDate.nullable(),
  invoice_date: wireDate.nullable(),
  party: id,
  'party.': wireParty,
  invoice_address: id,
  account: id,
  'account.': z.object({ code: text }),
  journal: id,
  currency: id,
  total_amount: wireDecimal,
  move: id.nullable(),
  cancel_move: id.nullable(),
  'lines.': z.array(wireItem),
  'taxes.': z.array(wireInvoiceTax),
});
export type WireInvoice = z.infer<typeof wireInvoice>;
export const wireInvoices = z.array(wireInvoice);

const ITEM_FIELDS = [
  ...[
    'type',
    'account',
    'account.code',
    'amount',
    'unit_price',
    'quantity',
    'description',
    'taxes',
    'origin',
  ],
];
const ANALYTIC_ITEM_FIELDS = ['root', 'account', 'account.code', 'account.name', 'account.root'].map(
  (field) => `analytic_accounts.${field}`,
);
const TAX_LINE_FIELDS = ['account', 'account.code', 'base', 'amount', 'manual', 'tax', 'description'];

export function invoiceFields(withAnalytic: boolean): string[] {
  const items = withAnalytic ? [...ITEM_FIELDS, ...ANALYTIC_ITEM_FIELDS] : ITEM_FIELDS;
  return [
    ...['type', 'state', 'number', 'description', 'comment', 'accounting_date', 'invoice_date', 'party'],
    ...['invoice_address', 'account', 'account.code', 'journal', 'currency', 'total_amount'],
    ...['move', 'cancel_move'],
    ...PARTY_FIELDS.map((field) => `party.${field}`),
    ...items.map((field) => `lines.${field}`),
    ...TAX_LINE_FIELDS.map((field) => `taxes.${field}`),
  ];
}

/** What is to be paid of a posted invoice, and what was set against it. */
const wireOpenInvoice = z.object({
  id,
  state: z.string(),
  account: id,
  party: id,
  lines_to_pay: z.array(id),
  payment_lines: z.array(id),
});
export type WireOpenInvoice = z.infer<typeof wireOpenInvoice>;
export const wireOpenInvoices = z.array(wireOpenInvoice);
export const OPEN_INVOICE_FIELDS = ['state', 'account', 'party', 'lines_to_pay', 'payment_lines'];

const wireOpenLine = z.object({
  id,
  debit: wireDecimal,
  credit: wireDecimal,
  date: wireDate,
  reconciliation: id.nullable(),
});
export type WireOpenLine = z.infer<typeof wireOpenLine>;
export const wireOpenLines = z.array(wireOpenLine);
export const OPEN_LINE_FIELDS = ['debit', 'credit', 'date', 'reconciliation'];

export const wireFieldNames = z.array(z.object({ id, name: z.string() }));
