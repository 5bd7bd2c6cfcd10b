// The section `outgoing` of a tenant file: what is made at the invoicing service, and from where.
import * as z from 'zod';
import { MARK_FIELDS } from '../service/invoicing-target.js';
import { message } from '../language/messages.js';
import { soldTwice, originSettings } from '../origins/origin-settings.js';
import { kindsOf } from '../origins/origin-kinds.js';
import { saidIssue } from './problem-words.js';

/** As the API documents name them; the kennitala is what a customer is found by. */
const CUSTOMER_FIELDS = [
  ...['name', 'email', 'address', 'zip', 'city', 'phone_number', 'vat', 'lang', 'currency'],
  ...['output_select', 'trading_partner_id', 'due_date', 'settlement_date', 'tax_exempt'],
] as const;

/** Those of an item; its number is what it is found by. */
const ITEM_FIELDS = ['description', 'uom', 'tax', 'unit_price', 'category', 'active'] as const;
const KEPT_FIELDS = [...CUSTOMER_FIELDS, ...ITEM_FIELDS] as const;

export const tenantOutgoing = z
  .strictObject({
    origins: z.array(originSettings).min(1).max(20).describe('Where records come from.'),
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
    items: z
      .enum(['create-only', 'update'])
      .default('update')
      .describe('Whether items that an origin lists change those at the service; update unless given.'),
    serviceWins: z
      .array(z.enum(KEPT_FIELDS))
      .max(KEPT_FIELDS.length)
      .default([])
      .describe(
        'Fields of a customer or item in which the service wins: what stands there stays, what is empty there is filled in.',
      ),
    originWins: z
      .array(z.enum(KEPT_FIELDS))
      .max(KEPT_FIELDS.length)
      .default([])
      .describe(
        'Fields of a customer or item in which the origin wins where both sides have changed. Of a field in neither list a person decides then.',
      ),
    deactivatedCustomers: z
      .enum(['park', 'create'])
      .default('park')
      .describe(
        'A customer whose profile was deactivated at the service: park waits for a person, create makes a new profile; park unless given.',
      ),
    customersEveryMinutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(60)
      .describe(
        'How often the customers and items of the service are listed to see what was changed there; 60 unless given.',
      ),
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
  .superRefine(({ serviceWins, originWins }, context) => {
    for (const [index, field] of originWins.entries())
      if (serviceWins.includes(field)) {
        const path = ['originWins', index];
        context.addIssue(
          saidIssue(message('FIELD_WINS_TWICE', { field }), message('NAME_IN_ONE_LIST'), path),
        );
      }
  })
  .superRefine(({ origins }, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of origins.entries()) {
      if (seen.has(name)) {
        const path = ['origins', index, 'name'];
        context.addIssue(saidIssue(message('ORIGIN_TWICE', { name }), message('NAME_ORIGINS_APART'), path));
      }
      seen.add(name);
    }
  })
  .superRefine(({ origins }, context) => {
    for (const { index, twice } of soldTwice(origins)) {
      const path = ['origins', index, 'hands'];
      context.addIssue(
        saidIssue(message('SALE_GOES_TWICE', { hands: twice.join(', ') }), message('HAND_OVER_ONE'), path),
      );
    }
  })
  .superRefine(({ origins }, context) => {
    for (const [index, origin] of origins.entries()) {
      if (origin.type === 'erp' && origin.files.length > 0 && !kindsOf(origin).surely.includes('invoice'))
        context.addIssue(
          saidIssue(message('FILES_WITH_NOTHING'), message('HAND_OVER_INVOICES'), [
            'origins',
            index,
            'files',
          ]),
        );
      if (origin.type === 'folder' && origin.embedded.length > 0 && origin.orders !== 'invoice')
        context.addIssue(
          saidIssue(message('FILES_WITH_NOTHING'), message('ORDERS_AS_INVOICES'), [
            ...['origins', index, 'embedded'],
          ]),
        );
    }
  })
  .nullable()
  .default(null)
  .describe('Outbound: what is created at the invoicing service. Left out, nothing is.');
