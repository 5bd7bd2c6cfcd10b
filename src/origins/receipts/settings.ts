// What a tenant file says of a drop directory of receipts.
import * as z from 'zod';
import { watched } from '../folder/settings.js';

export const receiptsSettings = z.strictObject({
  type: z.literal('receipts').describe('A folder of receipts: pictures and PDF, each one cost.'),
  ...watched,
  details: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('required: a receipt waits until a file of its name with .json after it says what it is.'),
});
