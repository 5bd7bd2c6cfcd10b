// What every origin is given in a tenant file, whatever it is made of.
import * as z from 'zod';
import { SUBMISSION_KINDS } from '../domain/submission.js';
import { schemaText } from './told.js';

export const named = {
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
export const kindsTaken = z
  .array(z.enum(SUBMISSION_KINDS))
  .min(1)
  .max(SUBMISSION_KINDS.length)
  .optional()
  .describe(
    'Kinds of records that are taken; any other is a problem, and no scope is asked for it. Unless given all are taken, and the scopes of invoices and customers asked for.',
  );
