import * as z from 'zod';
import { schemaText } from '../told.js';
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
        error: schemaText('CLEARING_ACCOUNTS_SHARED'),
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
      error: schemaText('SUBLEDGER_INCOMPLETE'),
    },
  )
  .refine(
    ({ books: kept, subledger: { customers, suppliers }, clearingAccounts }) =>
      kept === 'journals' || [...customers, ...suppliers].every((account) => account in clearingAccounts),
    {
      path: ['clearingAccounts'],
      error: schemaText('CLEARING_ACCOUNT_NEEDED'),
    },
  )
  .refine(({ books: kept, foreignDocuments }) => kept === 'documents' || foreignDocuments !== 'in-currency', {
    path: ['foreignDocuments'],
    error: schemaText('CURRENCY_NEEDS_DOCUMENTS'),
  });

export type XeroConfiguration = z.infer<typeof xeroConfiguration>;
