// One entry of `outgoing.origins` in a tenant file: its type says which origin it is. A new origin adds its settings here and itself to
// the registry; nothing else lists them.
import * as z from 'zod';
import { SUBMISSION_KINDS } from '../domain/submission.js';
import { schemaText } from './told.js';
import { secretReference } from '../domain/secret-reference.js';
import { isCalendarDay } from '../domain/local-time.js';
import { filePatterns } from './file-patterns.js';

// What every origin is given in a tenant file, whatever it is made of.

const named = {
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, schemaText('NO_ORIGIN_NAME'))
    .describe('Short name of the origin: 1 to 40 of a–z, 0–9 and "-", a letter first.'),
  series: z
    .string()
    .regex(/^[A-Za-z0-9-]{0,20}$/, schemaText('SERIES_UNFIT'))
    .default('')
    .describe('Tells apart what two origins call the same. Never change it: it is part of every mark.'),
};

/** Of an origin that may have records of any kind. */
const kindsTaken = z
  .array(z.enum(SUBMISSION_KINDS))
  .min(1)
  .max(SUBMISSION_KINDS.length)
  .optional()
  .describe(
    'Kinds of records that are taken; any other is a problem, and no scope is asked for it. Unless given all are taken, and the scopes of invoices and customers asked for.',
  );

// What a tenant file says of records that come over HTTP.

const httpSettings = z.strictObject({
  type: z.literal('http').describe('Records that are sent here, each as a signed webhook.'),
  ...named,
  kinds: kindsTaken,
  secrets: z
    .array(secretReference)
    .min(1)
    .max(3)
    .describe(
      'Secrets that requests are signed with. Any of them is accepted: a new one first, then the old one goes.',
    ),
  requestsPerSecond: z
    .number()
    .positive()
    .max(1_000)
    .default(10)
    .describe(
      'Requests a second that are taken on average; 10 unless given. What is beyond it is told to wait.',
    ),
  waitingMax: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe(
      'Records that may wait to be taken up; 10000 unless given. What is beyond it is refused for a while.',
    ),
});

// What a tenant file says of hours that are to be billed.

const hoursSettings = z.strictObject({
  type: z.literal('hours').describe('Hours that stand at the service: billed by customer and period.'),
  ...named,
  bill: z
    .enum(['draft', 'invoice'])
    .default('draft')
    .describe('What the hours of a customer in a period become; a draft unless given.'),
  period: z.enum(['month', 'week']).default('month').describe('month unless given; weeks begin on Monday.'),
  since: z
    .string()
    .refine(isCalendarDay, schemaText('NO_DAY'))
    .describe('Hours before this day are not billed by the bridge.'),
  afterDays: z
    .int()
    .min(0)
    .max(60)
    .default(3)
    .describe('Days after the end of a period before it is billed; 3 unless given.'),
  endTasks: z
    .boolean()
    .default(false)
    .describe('Whether tasks are ended when their hours were billed; false unless given.'),
});

// What a tenant file says of a watched folder.

const watched = {
  ...named,
  directory: z
    .string()
    .min(1)
    .max(500)
    .describe('The folder, relative to this file. Results are written into its folder `results`.'),
  stableSeconds: z
    .int()
    .min(1)
    .max(3_600)
    .default(10)
    .describe('How long a file must have stood unchanged before it is read; 10 unless given.'),
};

const folderSettings = z.strictObject({
  type: z.literal('folder').describe('A folder of CSV, JSON lines and UBL orders.'),
  ...watched,
  kinds: kindsTaken,
  orders: z
    .enum(['order', 'draft', 'invoice'])
    .default('order')
    .describe('What a UBL order becomes at the service; an order unless given.'),
  embedded: filePatterns.describe(
    'Which files inside a UBL order go with the invoice that it becomes, by patterns of their names, such as `"*.pdf"`; `"!…"` leaves out. None go unless given.',
  ),
});

// What a tenant file says of a drop directory of receipts.

const receiptsSettings = z.strictObject({
  type: z.literal('receipts').describe('A folder of receipts: pictures and PDF, each one cost.'),
  ...watched,
  details: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('required: a receipt waits until a file of its name with .json after it says what it is.'),
});

// What a tenant file says of the company's own ERP as an origin. Which ERP it is, and how it is reached, stands in the section `erp`.

const ERP_HANDS = ['customers', 'items', 'invoices', 'orders', 'quotes'] as const;
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

export const originSettings = z.discriminatedUnion('type', [
  folderSettings,
  receiptsSettings,
  hoursSettings,
  httpSettings,
  erpSettings,
]);

export type OriginSettings = z.output<typeof originSettings>;
export type OriginType = OriginSettings['type'];
export type SettingsOf<Type extends OriginType> = Extract<OriginSettings, { readonly type: Type }>;

// An ERP makes invoices of its own orders, and orders of its own quotes: whoever hands over two stages of one sale sends it twice. A quote
// that stays a quote binds nobody, so it may go beside either.

interface SoldTwice {
  /** Of the origin that says it too. */
  readonly index: number;
  readonly twice: readonly ErpHand[];
}

/** All origins of type `erp` are the one ERP of the tenant. */
export function soldTwice(origins: readonly OriginSettings[]): readonly SoldTwice[] {
  const handed = new Set<ErpHand>();
  return origins.flatMap((origin, index) => {
    if (origin.type !== 'erp') return [];
    const sales = origin.hands.filter((hand) => isSale(hand, origin.quotes));
    for (const hand of sales) handed.add(hand);
    return sales.length > 0 && handed.size > 1 ? [{ index, twice: [...handed] }] : [];
  });
}

function isSale(hand: ErpHand, quotes: 'quote' | 'order' | 'draft'): boolean {
  return hand === 'invoices' || hand === 'orders' || (hand === 'quotes' && quotes !== 'quote');
}
