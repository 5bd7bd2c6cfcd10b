// What a tenant file says of the company's own ERP as an origin. Which ERP it is, and how it is reached, stands in the section `erp`.
import * as z from 'zod';
import { isCalendarDay } from '../../domain/local-time.js';
import { filePatterns } from '../file-patterns.js';
import { named } from '../named-settings.js';
import { schemaText } from '../told.js';

export const ERP_HANDS = ['customers', 'items', 'invoices', 'orders', 'quotes'] as const;
export type ErpHand = (typeof ERP_HANDS)[number];

export const erpSettings = z.strictObject({
  type: z
    .literal('erp')
    .describe('The ERP of the section `erp`: its customers, items, invoices, orders or quotes.'),
  ...named,
  hands: z
    .array(z.enum(ERP_HANDS))
    .min(1)
    .max(ERP_HANDS.length)
    .describe(
      'What it hands over: `customers`, `items`, `invoices`, `orders`, `quotes`. The customer of each sale comes with it.',
    ),
  since: z
    .string()
    .refine(isCalendarDay, schemaText('NO_DAY'))
    .describe('Invoices, orders and quotes dated before this day are not handed over.'),
  quoted: z
    .enum(['leave', 'bridge', 'origin'])
    .default('leave')
    .describe(
      'Invoices that are validated and not posted: left there; or handed over and booked by the bridge, which cancels them in the ERP; or handed over and posted there by people. leave unless given.',
    ),
  orders: z
    .enum(['order', 'draft', 'invoice'])
    .default('order')
    .describe('What a sales order becomes at the service; an order unless given.'),
  quotes: z
    .enum(['quote', 'order', 'draft'])
    .default('quote')
    .describe('What a quote becomes at the service; a quote unless given.'),
  vatGroups: z
    .record(z.string().min(1), z.enum(['S', 'AA', 'Z']))
    .default({})
    .describe(
      'Items of Business Central: VAT product posting group → VAT of the service, `S` (24 %), `AA` (11 %) or `Z` (0 %). An item of another group is a problem.',
    ),
  files: filePatterns.describe(
    'Which files that stand beside an invoice go with it, by patterns of their names, such as `"*.pdf"`; `"!…"` leaves out. None go unless given.',
  ),
  everySeconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(30)
    .describe('How often the ERP is asked what has changed; every 30 seconds unless given.'),
});

export type ErpOriginSettings = z.output<typeof erpSettings>;

// Which ERP can hand over what. A tenant file that asks for more is a problem of that file.

export type OriginErp = 'business-central' | 'odoo' | 'tryton';

const OFFERS: Readonly<Record<OriginErp, readonly ErpHand[]>> = {
  'business-central': ['customers', 'items', 'invoices', 'orders', 'quotes'],
  odoo: ['customers', 'items', 'invoices', 'orders', 'quotes'],
  tryton: ['customers', 'items', 'invoices', 'orders', 'quotes'],
};

/** What of it this ERP does not have. */
export function lacking(adapter: string, hands: readonly ErpHand[]): readonly ErpHand[] {
  const offered = (OFFERS as Readonly<Partial<Record<string, readonly ErpHand[]>>>)[adapter] ?? [];
  return hands.filter((hand) => !offered.includes(hand));
}

/** Its items name a posting group, and which VAT that is no field of its API says. */
export function needsVatGroups(adapter: string, hands: readonly ErpHand[]): boolean {
  return adapter === 'business-central' && hands.includes('items');
}
