// What many rules are made of.
import * as z from 'zod';
import { schemaText } from '../../language/schema-texts.js';

export const comment = { _comment: z.string().optional() };

export const account = z
  .string({ error: schemaText('ACCOUNT_UNQUOTED') })
  .min(1, schemaText('ACCOUNT_EMPTY'));
export const vatCode = z.string({ error: schemaText('VAT_CODE_UNQUOTED') }).min(1);
export const accountTable = z.record(z.string(), account);
export const percent = z.number().min(0).max(100);
