// The section `outgoing` of a tenant file: what is made at the invoicing service, and from where.
import * as z from 'zod';
import { isCalendarDay } from '../domain/calendar-day.js';
import { MARK_FIELDS } from '../invoicing/invoicing-target.js';

const named = {
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'This is not a name of an origin.')
    .describe('Short name of the origin: 1 to 40 of a–z, 0–9 and "-", a letter first.'),
  series: z
    .string()
    .regex(/^[A-Za-z0-9-]{0,20}$/, 'A series is up to 20 letters, digits and hyphens.')
    .default('')
    .describe('Tells apart what two origins call the same. Never change it: it is part of every mark.'),
};

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

const folder = z.strictObject({
  type: z.literal('folder').describe('A folder of CSV, JSON lines and UBL orders.'),
  ...watched,
  orders: z
    .enum(['order', 'draft', 'invoice'])
    .default('order')
    .describe('What a UBL order becomes at the service; an order unless given.'),
});

const receipts = z.strictObject({
  type: z.literal('receipts').describe('A folder of receipts: pictures and PDF, each one cost.'),
  ...watched,
  details: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('required: a receipt waits until a file of its name with .json after it says what it is.'),
});

const hours = z.strictObject({
  type: z.literal('hours').describe('Hours that stand at the service: billed by customer and period.'),
  ...named,
  bill: z
    .enum(['draft', 'invoice'])
    .default('draft')
    .describe('What the hours of a customer in a period become; a draft unless given.'),
  period: z.enum(['month', 'week']).default('month').describe('month unless given; weeks begin on Monday.'),
  since: z
    .string()
    .refine(isCalendarDay, 'This is not a day like 2026-01-31.')
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

const origin = z.discriminatedUnion('type', [folder, receipts, hours]);

export const tenantOutgoing = z
  .strictObject({
    origins: z.array(origin).min(1).max(20).describe('Where records come from.'),
    mark: z
      .enum(MARK_FIELDS)
      .default('booking')
      .describe('The field of an invoice that carries our mark; booking unless given.'),
    booked: z
      .enum(['bridge', 'origin'])
      .default('bridge')
      .describe(
        'origin: what it hands over is in its books already, and the bridge skips it; bridge unless given.',
      ),
    customers: z
      .enum(['create-only', 'update'])
      .default('update')
      .describe('Whether customers that an origin lists change those at the service; update unless given.'),
    settlementDays: z
      .int()
      .min(0)
      .max(365)
      .default(7)
      .describe('Days until settlement of drafts and orders; 7 unless given.'),
    costAi: z
      .boolean()
      .default(true)
      .describe(
        'false: nothing reads receipts at this account, so one that is in no list is not there; true unless given.',
      ),
    perDay: z
      .int()
      .min(1)
      .max(100_000)
      .default(200)
      .describe('How many may be sent in 24 hours; 200 unless given. What is beyond it waits.'),
  })
  .superRefine(({ origins }, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of origins.entries()) {
      if (seen.has(name)) {
        const params = { remedy: 'Give each origin a name of its own.' };
        const message = `Another origin is called "${name}" too.`;
        context.addIssue({ code: 'custom', path: ['origins', index, 'name'], message, params });
      }
      seen.add(name);
    }
  })
  .nullable()
  .default(null)
  .describe('The other direction: what is made at the invoicing service. Left out, nothing is.');
