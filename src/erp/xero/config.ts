import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import {
  books,
  deadlineMs,
  foreignWithDocuments,
  kennitala,
  partners,
  serviceUrl,
  subledger,
} from '../config-schemas.js';

const accountCodes = z.record(z.string().min(1), z.string().min(1)).default({});

export const xeroConfiguration = z
  .strictObject({
    tenantId: z
      .guid('must be a GUID: the id of the connected organisation')
      .describe('Value of xero-tenant-id.'),
    company: kennitala.describe(
      "Kennitala of the company; compared with the organisation's registration number and tax number.",
    ),
    taxNumber: z
      .string()
      .min(1)
      .optional()
      .describe('Tax ID number that Xero shows for the organisation, where that is not the kennitala.'),
    clientId: z.string().min(1).describe('Client id of the custom connection.'),
    clientSecret: secretReference.describe('Client secret of the custom connection.'),
    clearingAccounts: accountCodes
      .refine((accounts) => new Set(Object.values(accounts)).size === Object.keys(accounts).length, {
        error: 'must name a different Xero account for each account, so that entries can be read back',
      })
      .describe(
        'Account in the rules → Xero account that stands in for it, for receivables, payables and banks.',
      ),
    dimensions: z
      .record(z.string(), z.string().min(1))
      .default({})
      .describe('Dimension in the rules → tracking category in Xero.'),
    baseUrl: serviceUrl.default('https://api.xero.com'),
    identityUrl: serviceUrl.default('https://identity.xero.com'),
    books,
    subledger,
    partners,
    foreignDocuments: foreignWithDocuments,
    deadlineMs,
  })
  .refine(
    ({ books: kept, subledger: { customers, suppliers } }) =>
      kept === 'journals' || (customers.length === 1 && suppliers.length === 1),
    {
      path: ['subledger'],
      error: 'must name one account of customers and one of suppliers with `books: documents`',
    },
  )
  .refine(
    ({ books: kept, subledger: { customers, suppliers }, clearingAccounts }) =>
      kept === 'journals' || [...customers, ...suppliers].every((account) => account in clearingAccounts),
    {
      path: ['clearingAccounts'],
      error:
        'must name a clearing account for the accounts of `subledger`: payments and reversals go through it',
    },
  )
  .refine(({ books: kept, foreignDocuments }) => kept === 'documents' || foreignDocuments !== 'in-currency', {
    path: ['foreignDocuments'],
    error: 'can be `in-currency` only with `books: documents`: manual journals have no currency',
  });

export type XeroConfiguration = z.infer<typeof xeroConfiguration>;
