import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import {
  books,
  deadlineMs,
  foreignWithDocuments,
  partners,
  serviceUrl,
  subledger,
} from '../config-schemas.js';
import { CODE_LENGTH_MAX } from './assumptions.js';

const guid = z.guid('must be a GUID such as 0f8fad5b-d9cb-469f-a165-70867728950e');

export const businessCentralConfiguration = z
  .strictObject({
    tenantId: guid.describe('Microsoft Entra tenant of the company.'),
    environment: z
      .string()
      .min(1)
      .default('Production')
      .describe('Name of the Business Central environment.'),
    companyId: guid.describe('Id of the company in that environment.'),
    companyName: z.string().min(1).describe('Its name, so that a mistaken id is noticed.'),
    clientId: guid.describe('Application (client) id of the registered app.'),
    clientSecret: secretReference.describe('Client secret of the registered app.'),
    posting: z
      .enum(['immediate', 'job-queue'])
      .default('immediate')
      .describe('job-queue when General Ledger Setup says "Post with Job Queue".'),
    dimensions: z
      .record(z.string(), z.string().min(1).max(CODE_LENGTH_MAX))
      .default({})
      .describe('Dimension in the rules → dimension code in Business Central.'),
    subledger,
    partners,
    partnersBy: z
      .enum(['number', 'taxRegistrationNumber'])
      .default('number')
      .describe('Field of customers and vendors that holds the kennitala.'),
    baseUrl: serviceUrl.default('https://api.businesscentral.dynamics.com'),
    loginUrl: serviceUrl.default('https://login.microsoftonline.com'),
    books,
    noVatGroup: z
      .string()
      .min(1)
      .max(CODE_LENGTH_MAX)
      .optional()
      .describe(
        'VAT product posting group without VAT; with `books: documents` lines without a VAT code have it.',
      ),
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
  .refine(({ books: kept, noVatGroup }) => kept === 'journals' || noVatGroup !== undefined, {
    path: ['noVatGroup'],
    error: 'must be named with `books: documents`: every line of a document has a VAT product posting group',
  })
  .refine(({ books: kept, foreignDocuments }) => kept === 'documents' || foreignDocuments !== 'in-currency', {
    path: ['foreignDocuments'],
    error: 'can be `in-currency` only with `books: documents`: journal lines of the API have no currency',
  });

export type BusinessCentralConfiguration = z.infer<typeof businessCentralConfiguration>;
