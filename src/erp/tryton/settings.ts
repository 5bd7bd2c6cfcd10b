import * as z from 'zod';
import { schemaText } from '../told.js';
import { secretReference } from '../../domain/secret-reference.js';
import { books, deadlineMs, partners, serviceUrl } from '../config-schemas.js';

const axis = z.strictObject({
  root: z
    .string()
    .min(1)
    .describe('Name or code of the analytic root account that stands for the dimension.'),
  match: z
    .enum(['name', 'code'])
    .default('name')
    .describe('Whether the values in the rules are names or codes of the accounts below that root.'),
});

export const trytonConfiguration = z.strictObject({
  baseUrl: serviceUrl.describe('Where trytond is served, without the database.'),
  database: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,63}$/, schemaText('DATABASE_UNFIT'))
    .describe('Name of the database on that server.'),
  user: z.string().min(1).describe('Log-in of the user that the bridge books as.'),
  password: secretReference.describe('Password of that user.'),
  company: z
    .string()
    .min(1)
    .describe(
      'Kennitala or exact name of the company; another company is refused. Never change it for the same books.',
    ),
  salesJournal: z.string().min(1).default('REV').describe('Code of the journal for what customers owe.'),
  purchaseJournal: z.string().min(1).default('EXP').describe('Code of the journal for costs.'),
  books,
  taxes: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe(
      'VAT code in the rules → name of the tax in Tryton, for its tax report. Codes that are not named are booked and not in that report.',
    ),
  dimensions: z
    .record(z.string().min(1), axis)
    .default({})
    .describe('Dimension in the rules → analytic root account in Tryton.'),
  partners,
  deadlineMs,
});

export type TrytonConfiguration = z.infer<typeof trytonConfiguration>;
