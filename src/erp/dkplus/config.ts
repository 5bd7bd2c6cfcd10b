import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import { deadlineMs, kennitala, partners, serviceUrl, subledger } from '../config-schemas.js';
import { JOURNAL_CODE_LENGTH_MAX } from './assumptions.js';

export const dkPlusConfiguration = z
  .strictObject({
    baseUrl: serviceUrl.default('https://api.dkplus.is/api/v1').describe('Where dkPlus is served.'),
    token: secretReference.describe('The API token that dkPlus shows under its settings (a GUID).'),
    company: kennitala.describe(
      'Kennitala of the company whose books these are; another company is refused.',
    ),
    journalCode: z
      .string()
      .min(1)
      .max(JOURNAL_CODE_LENGTH_MAX, `must have at most ${JOURNAL_CODE_LENGTH_MAX} characters`)
      .default('EINV')
      .describe('Code of the journal that entries are booked through.'),
    dim1: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim1.'),
    dim2: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim2.'),
    dim3: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim3.'),
    subledger,
    partners,
    customerGroup: z.string().min(1).optional().describe('dk customer group of customers that are created.'),
    foreignDocuments: z
      .enum(['in-isk', 'in-currency', 'refuse'])
      .default('in-isk')
      .describe(
        "Documents in another currency: in-isk books them in ISK with the foreign amount in the texts; in-currency books their lines in their currency where dk's own rate is the document's, within one part in a hundred, and otherwise as in-isk; refuse parks them.",
      ),
    supplierInvoices: z
      .enum(['journals', 'approval'])
      .default('journals')
      .describe(
        'approval: costs on account become supplier invoices in dk, with their file, which people there approve and book. journals: they are booked at once.',
      ),
    deadlineMs,
  })
  .refine(
    ({ supplierInvoices, subledger: { suppliers } }) =>
      supplierInvoices === 'journals' || suppliers.length > 0,
    {
      path: ['subledger', 'suppliers'],
      error: 'must name the account of the suppliers with `supplierInvoices: approval`',
    },
  );

export type DkPlusConfiguration = z.infer<typeof dkPlusConfiguration>;
