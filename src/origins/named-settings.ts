// What every origin is given in a tenant file, whatever it is made of.
import * as z from 'zod';
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
