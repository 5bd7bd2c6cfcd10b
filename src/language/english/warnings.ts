// What a bookkeeper should know of a document that is booked all the same.
import type { NoteTable } from '../table.js';

export const WARNINGS = {
  TAX_EXEMPT_CUSTOMER: { says: 'The customer is tax exempt: the taxed lines were booked without VAT.' },
  LINES_DIFFER_FROM_TOTALS: {
    says: 'The lines differ from the totals: the difference was booked as a fee or a discount.',
  },
  POSTING_DATE_MOVED: {
    says: 'The period is locked: the journal is dated on the first open day.',
    detail: ({ date }: { date: string }) => `It is ${date}.`,
  },
  ORIGINAL_BEFORE_CUT_OVER: {
    says: 'The invoice that it takes back is older than the cut-over: the credit note was booked as if that were in the books.',
    detail: ({ date }: { date: string }) => `It was issued on ${date}.`,
  },
  KENNITALA_FORMAT: {
    says: 'The kennitala is missing or not shaped like one.',
    detail: ({ written }: { written: string }) =>
      written === '' ? 'It is missing.' : `It says "${written}".`,
  },
  KENNITALA_CHECKSUM: {
    says: 'The kennitala has no valid check digit, which new ones since February 2026 may lack.',
    detail: ({ kennitala }: { kennitala: string }) => `It says ${kennitala}.`,
  },
  SIGN_ASSUMED_INVOICE: {
    says: 'There is no e-invoice: the cost was taken for an invoice, not a credit note.',
  },
  CLAIM_AMOUNTS_MISMATCH: {
    says: 'The claim is paid but its amounts do not add up: the payment was not booked.',
    detail: ({ owed, deposited }: { owed?: string; deposited?: string }) =>
      owed === undefined
        ? 'The amounts do not round to a balance.'
        : `It should bring ${owed} ISK, the bank says ${deposited ?? ''}.`,
  },
  DOCUMENT_NUMBER_CUT: {
    says: 'The document number is longer than the rules allow: only its end was kept.',
    detail: ({ number }: { number: string }) => `It is ${number}.`,
  },
  COST_CODE_WATCHED: {
    says: 'The cost code is watched: check that no food or hospitality hides here.',
    detail: ({ costCode }: { costCode: string }) => `The code is ${costCode}.`,
  },
} satisfies NoteTable;
