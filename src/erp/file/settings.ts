import * as z from 'zod';
import { schemaText } from '../told.js';
import { ACCOUNT_CLASSES, type AccountClass } from '../../domain/account-class.js';
import { BOOK_FORMAT_NAMES } from './formats/book-format.js';

/** Beancount is the narrowest of the formats: letters, digits and hyphens. */
export const ACCOUNT_PATTERN = /^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/;

export const ACCOUNT_ROOTS = ACCOUNT_CLASSES;
export type AccountRoot = AccountClass;

/** Iceland has no statutory chart; this reads the numbers of the rules that come with the bridge. */
export const DEFAULT_ROOTS: Readonly<Record<string, AccountRoot>> = {
  '1': 'Assets',
  '2': 'Liabilities',
  '3': 'Income',
  '4': 'Expenses',
  '5': 'Expenses',
  '6': 'Expenses',
  '7': 'Expenses',
  '8': 'Income',
  '81': 'Expenses',
  '9': 'Expenses',
};

export const fileConfiguration = z.strictObject({
  directory: z
    .string()
    .min(1)
    .optional()
    .describe('Where the books are kept. Relative to the tenant file. Default: in the data directory.'),
  formats: z
    .array(z.enum(BOOK_FORMAT_NAMES))
    .default(['journal'])
    .describe(
      'What is written beside the JSON Lines record: journal (hledger and ledger), beancount, csv. Any number of them.',
    ),
  ledger: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,60}$/, schemaText('LEDGER_NAME_UNFIT'))
    .optional()
    .describe(
      'Name of the ledger, a part of every posting key. Default: the name of the tenant. Never change it.',
    ),
  company: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe('Kennitala or name. Written into the books once; books of another company are then refused.'),
  accounts: z
    .array(z.string().regex(ACCOUNT_PATTERN, schemaText('ACCOUNT_NAME_UNFIT')))
    .min(1)
    .optional()
    .describe('The chart of accounts. When given, an account that is not in it is refused.'),
  closedUntil: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, schemaText('DAY_UNFIT'))
    .optional()
    .describe('Nothing is booked on or before this day.'),
  accountRoots: z
    .record(z.string().regex(/^[A-Za-z0-9-]{1,40}$/), z.enum(ACCOUNT_ROOTS))
    .optional()
    .describe(
      'First characters of an account → its class in hledger, ledger and beancount; the longest match wins. Default: what the rules use the account for, else by its first digits.',
    ),
});

export type FileConfiguration = z.infer<typeof fileConfiguration>;
