// What people search documents by. One text box takes a guid, a number (at the source, or in the ledger), a kennitala, an
// amount, a name of a customer or supplier, a posting key or an entry number of the ERP; the rest are filters.
import { DOCUMENTS } from './document-list.js';
import type { InputOf } from './fields.js';
import type { DocumentOrder } from './page-size.js';

export const DOCUMENT_FIELDS = { ...DOCUMENTS.filters, ...DOCUMENTS.paging };
export type DocumentQuery = InputOf<typeof DOCUMENT_FIELDS>;

export type CheckedDocumentQuery = DocumentQuery & {
  readonly limit: number;
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
