// Pieces of configuration that mean the same in every adapter, so that a tenant file reads the same whatever the ERP.
import { trimEndOf } from '../domain/text.js';
import * as z from 'zod';
import { schemaText } from '../language/schema-texts.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Credentials travel to it, so plain http is for this machine only. */
export const serviceUrl = z
  .url({ error: schemaText('ERP_ADDRESS_UNFIT'), abort: true })
  .refine((text) => {
    const url = new URL(text);
    return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  }, schemaText('ERP_ADDRESS_NOT_HTTPS'))
  .transform((text) => trimEndOf(text, '/'));

export const kennitala = z
  .string()
  .regex(/^\d{6}-?\d{4}$/, schemaText('KENNITALA_UNFIT'))
  .transform((text) => text.replace('-', ''));

export const partners = z
  .strictObject({
    create: z
      .boolean()
      .default(false)
      .describe('Create customers and suppliers that the ERP lacks. Otherwise their documents are parked.'),
  })
  .default({ create: false });

const accountList = z.array(z.string().min(1)).max(50).default([]);

export const subledger = z
  .strictObject({
    customers: accountList.describe('Accounts whose lines belong to a customer, such as receivables.'),
    suppliers: accountList.describe('Accounts whose lines belong to a supplier, such as payables.'),
  })
  .default({ customers: [], suppliers: [] })
  .describe(
    'Accounts that the ERP keeps per customer or supplier. Lines on other accounts go to the ledger alone.',
  );

export const foreignDocuments = z
  .enum(['in-isk', 'refuse'])
  .default('in-isk')
  .describe(
    'Documents in another currency: in-isk books them in ISK with the foreign amount in the texts; refuse parks them.',
  );

/** For ERPs whose own documents have a currency, and whose plain entries have none. */
export const foreignWithDocuments = z
  .enum(['in-isk', 'in-currency', 'refuse'])
  .default('in-isk')
  .describe(
    'Documents in another currency: in-isk books them in ISK with the foreign amount in the texts; in-currency, with `books: documents`, keeps them in their currency; refuse parks them.',
  );

export const books = z
  .enum(['journals', 'documents'])
  .default('journals')
  .describe(
    "documents: invoices, bills and credit notes are the ERP's own documents, with due dates and what is paid. journals: plain entries.",
  );

export const deadlineMs = z
  .int()
  .min(1_000)
  .max(300_000)
  .default(60_000)
  .describe('How long one call may take, all its requests together, before its outcome counts as unknown.');
