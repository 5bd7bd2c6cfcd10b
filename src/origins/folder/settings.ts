// What a tenant file says of a watched folder.
import * as z from 'zod';
import { filePatterns } from '../file-patterns.js';
import { kindsTaken, named } from '../named-settings.js';

export const watched = {
  ...named,
  directory: z
    .string()
    .min(1)
    .max(500)
    .describe('The folder, relative to this file. Results are written into its folder `results`.'),
  stableSeconds: z
    .int()
    .min(1)
    .max(3_600)
    .default(10)
    .describe('How long a file must have stood unchanged before it is read; 10 unless given.'),
};

export const folderSettings = z.strictObject({
  type: z.literal('folder').describe('A folder of CSV, JSON lines and UBL orders.'),
  ...watched,
  kinds: kindsTaken,
  orders: z
    .enum(['order', 'draft', 'invoice'])
    .default('order')
    .describe('What a UBL order becomes at the service; an order unless given.'),
  embedded: filePatterns.describe(
    'Which files inside a UBL order go with the invoice that it becomes, by patterns of their names, such as `"*.pdf"`; `"!…"` leaves out. None go unless given.',
  ),
});
