// The parts of Odoo's models that are read here. An empty field is `false` in Odoo, whatever its type.
import * as z from 'zod';
import { madeOf } from '../../domain/made-of.js';
import { wireAmount, wireInteger } from '../../http/wire-json.js';

const text = madeOf(z.union([z.string(), z.literal(false)]), (value) => (value === false ? '' : value));

/** A many2one: `[id, name]`, a bare id, or false. */
const link = madeOf(
  z.union([z.tuple([wireInteger, z.unknown()]).rest(z.unknown()), wireInteger, z.literal(false)]),
  (value) => (value === false ? undefined : typeof value === 'number' ? value : value[0]),
);

/** One that is never empty. */
const linked = madeOf(
  z.union([z.tuple([wireInteger, z.unknown()]).rest(z.unknown()), wireInteger]),
  (value) => (typeof value === 'number' ? value : value[0]),
);

export const odooMove = z.object({
  id: wireInteger,
  name: text,
  ref: text,
  state: z.enum(['draft', 'posted', 'cancel']),
  date: z.string(),
  move_type: z.string(),
  reversed_entry_id: link,
});
export type OdooMove = z.infer<typeof odooMove>;

export const odooLine = z.object({
  id: wireInteger,
  move_id: link,
  account_id: link,
  partner_id: link,
  currency_id: link,
  debit: wireAmount,
  credit: wireAmount,
  amount_currency: wireAmount,
  /** Read only where there may be invoices: older versions have other words for it. */
  display_type: z.union([z.string(), z.literal(false)]).optional(),
  analytic_distribution: z.union([z.record(z.string(), z.unknown()), z.literal(false), z.null()]),
});
export type OdooLine = z.infer<typeof odooLine>;

export const odooMoveId = z.object({ id: wireInteger });
export const odooMovePartner = z.object({ partner_id: link });
export const odooMoveRef = z.object({ id: wireInteger, ref: text });
export const odooOwedLine = z.object({
  id: wireInteger,
  move_id: link,
  account_id: link,
  partner_id: link,
  name: text,
  reconciled: z.boolean(),
  debit: wireAmount,
  credit: wireAmount,
});
export type OdooOwedLine = z.infer<typeof odooOwedLine>;

/** So much of one line stands against so much of another. */
export const odooPartial = z.object({
  id: wireInteger,
  debit_move_id: linked,
  credit_move_id: linked,
  amount: wireAmount,
});

export const odooAccount = z.object({
  id: wireInteger,
  code: text,
  name: text.default(''),
  deprecated: z.boolean().default(false),
});
export const odooPartner = z.object({ id: wireInteger, vat: text, company_registry: text });
export const odooCurrency = z.object({ id: wireInteger, name: z.string(), decimal_places: wireInteger });
export type OdooCurrency = z.infer<typeof odooCurrency>;
export const odooTax = z.object({ id: wireInteger, name: z.string(), type_tax_use: z.string() });
export const odooJournal = z.object({ id: wireInteger, code: z.string() });
export const odooCompany = z.object({ id: wireInteger, name: z.string(), currency_id: link });
export const odooPlanAccount = z.object({
  id: wireInteger,
  name: z.string(),
  code: text,
  plan_id: z.tuple([wireInteger, z.string()]).rest(z.unknown()),
});
export type OdooPlanAccount = z.infer<typeof odooPlanAccount>;

export const odooAttachment = z.object({ id: wireInteger, checksum: text });

/** The answer of `load`: the ids, or false and the reasons. */
export const loadReply = z.object({
  ids: z.union([z.array(wireInteger), z.literal(false)]),
  messages: z.array(z.object({ message: z.string() })).default([]),
});

export const createdIds = z.array(wireInteger);
export const ignored = z.unknown();
