// What people search documents by. One text box takes a guid, a number (at the source, or in the ledger), a kennitala, an
// amount, a name of a customer or supplier, a posting key or an entry number of the ERP; the rest are filters.
import * as z from 'zod';
import { bookedKind, isoDate, postingState } from './views/common.js';
import { DOCUMENT_ORDERS, type DocumentOrder, PAGE_DEFAULT, PAGE_MAX } from './page-size.js';

export const documentQuery = z.strictObject({
  text: z
    .string()
    .trim()
    .max(100)
    .optional()
    .describe(
      'Beginning of a guid, of a number at the source or in the ledger, or of a name; or a kennitala, an amount, a key, an entry number.',
    ),
  tenant: z.string().max(40).optional(),
  kind: bookedKind.optional(),
  states: z.array(postingState).max(20).optional(),
  reason: z.string().max(60).optional().describe('Code of the reason.'),
  subject: z.string().max(300).optional().describe('What the reason is about; only with reason.'),
  toMend: z
    .enum(['with', 'without'])
    .optional()
    .describe('Of what is held: only what a person has to mend, or all but that.'),
  sourceStatus: z.string().max(20).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters, such as EUR')
    .optional(),
  issuedFrom: isoDate.optional(),
  issuedTo: isoDate.optional(),
  amountMin: z
    .string()
    .regex(/^-?\d{1,15}(\.\d{1,6})?$/)
    .optional(),
  amountMax: z
    .string()
    .regex(/^-?\d{1,15}(\.\d{1,6})?$/)
    .optional(),
  order: z
    .enum(DOCUMENT_ORDERS)
    .optional()
    .describe(
      'By discovery or issue date, newest first, or by amount, largest first; with -up the other way round.',
    ),
  after: z.string().max(100).optional().describe('`next` of the page before.'),
  limit: z.int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
});
export type DocumentQuery = z.input<typeof documentQuery>;
export type CheckedDocumentQuery = z.output<typeof documentQuery> & {
  readonly order: DocumentOrder;
  /** Documents of the source alone: neither what follows one, nor the journal of a day. */
  readonly fromSource?: true;
};

/** What a text may mean. Several at once: 4711 is a number, an amount and an entry number. */
export interface TextMeanings {
  readonly guidPrefix?: string;
  /** Of the number at the source, or of that in the ledger. */
  readonly numberPrefix?: string;
  readonly kennitala?: string;
  readonly amount?: string;
  readonly words?: readonly string[];
  readonly key?: string;
  readonly erpNumber?: string;
}

/** Forms of companies that nearly every name ends in: searched for only when nothing else was written. */
const COMPANY_FORMS = new Set(['ehf', 'hf', 'slf', 'sf', 'ses', 'ohf', 'bs']);
const WORDS_MAX = 8;

export function meaningsOf(text: string): TextMeanings {
  const digits = text.replaceAll(/[-\s]/g, '');
  const plainAmount = text
    .replaceAll(/[.\s]/g, '')
    .replace(',', '.')
    .replace(/kr\.?$/i, '');
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);
  const telling = words.filter((word) => !COMPANY_FORMS.has(word));
  return {
    ...(/^[0-9a-f-]{6,36}$/i.test(text) ? { guidPrefix: text.toLowerCase() } : {}),
    ...(/^\d{10}$/.test(digits) ? { kennitala: digits } : {}),
    ...(/^-?\d{1,15}(\.\d{1,6})?$/.test(plainAmount) ? { amount: plainAmount } : {}),
    ...(/^[A-Z][A-Z2-7]{19}$/.test(text) ? { key: text } : {}),
    ...(text.length <= 40 ? { numberPrefix: text.toLowerCase(), erpNumber: text } : {}),
    ...(/\p{L}/u.test(text) ? { words: telling.length > 0 ? telling : words } : {}),
  };
}
