import * as z from 'zod';
import { schemaText } from '../told.js';
import { secretReference } from '../../domain/secret-reference.js';
import { books, deadlineMs, kennitala, partners, serviceUrl } from '../config-schemas.js';

export const odooConfiguration = z
  .strictObject({
    url: serviceUrl.describe('Where Odoo is served, such as https://company.odoo.com.'),
    database: z.string().min(1).describe('Name of the database.'),
    protocol: z
      .enum(['json-2', 'json-rpc'])
      .default('json-2')
      .describe('json-2 for Odoo 19 and later, json-rpc for 18 and earlier.'),
    user: z.string().min(1).optional().describe('Log-in name; needed with json-rpc only.'),
    apiKey: secretReference.describe('API key of the user that books.'),
    apiKeyExpires: z.iso
      .date('must be a day, YYYY-MM-DD')
      .optional()
      .describe('Day on which the key expires; the bridge warns a fortnight before.'),
    company: kennitala.describe('Kennitala of the company whose books these are (its Company ID in Odoo).'),
    journal: z
      .string()
      .min(1)
      .default('EINV')
      .describe('Short code of the journal that entries are booked in.'),
    books,
    salesJournal: z
      .string()
      .min(1)
      .default('INV')
      .describe('Short code of the journal of customer invoices, with `books: documents`.'),
    purchaseJournal: z
      .string()
      .min(1)
      .default('BILL')
      .describe('Short code of the journal of vendor bills, with `books: documents`.'),
    dimensions: z
      .record(z.string(), z.string().min(1))
      .default({})
      .describe('Dimension in the rules → analytic plan in Odoo.'),
    taxes: z
      .record(z.string(), z.string().min(1))
      .default({})
      .describe(
        'VAT code in the rules → name of the tax in Odoo (`24%`, or `sale/24%` and `purchase/24%`), where the rules leave VAT to Odoo (`vat.mode: erp-splits`).',
      ),
    partners,
    deadlineMs,
  })
  .refine((settings) => settings.protocol !== 'json-rpc' || settings.user !== undefined, {
    path: ['user'],
    error: schemaText('USER_NEEDED'),
  });

export type OdooConfiguration = z.infer<typeof odooConfiguration>;
