// Why a cost is not booked: what is wrong between it, its VAT and its e-invoice.
import type { ReasonTable } from '../table.js';

export interface NegativeVat {
  field: string;
  vat: string;
}

/** With the rate, on a foreign cost. */
export interface TooMuchVat {
  vatS: string;
  vatAA: string;
  needed: string;
  gross: string;
  currency?: string;
  rate?: string;
}

export const COST_REASONS = {
  VAT_CURRENCY_UNCLEAR: {
    says: 'The VAT of a foreign cost may be in ISK or in its own currency.',
    detail: ({ currency, vatS, vatAA }: { currency: string; vatS: string; vatAA: string }) =>
      `vat_S is ${vatS}, vat_AA is ${vatAA}: in ${currency} that is the VAT on all of the amount, in ISK on next to nothing.`,
    about: ({ currency }: { currency: string }) => `VAT in ${currency}`,
    cure: 'Correct the VAT in the invoicing service, where it belongs in ISK, or book it by hand.',
  },
  SUPPLIER_MISMATCH: {
    says: 'The e-invoice behind the cost is from another supplier than the cost says.',
    detail: ({ ours, theirs, name }: { ours: string; theirs: string; name: string }) =>
      `supplier_id is ${ours}, the e-invoice is from ${theirs}${name === '' ? '' : ` (${name})`}.`,
    cure: 'Move the cost to New in the invoicing service, correct the supplier or the e-invoice and approve it again, or book it by hand.',
  },
  PREPAID_WITHOUT_ACCOUNT: {
    says: 'A part of the bill was paid beforehand, and the rules do not say which account has that money.',
    detail: ({ amount, left, currency }: { amount: string; left: string; currency: string }) =>
      `The e-invoice is about ${amount} ${currency}, of which ${left} ${currency} are left to pay, and that is the amount of the cost.`,
    cure: 'Set accounts.supplierPrepayments, or book it by hand.',
  },
  XML_UNREADABLE: {
    says: 'The e-invoice behind the cost cannot be read as a UBL invoice or credit note.',
    detail: ({ problem }: { problem: string }) => `xml: ${problem}.`,
    cure: 'Move the cost to New in the invoicing service and approve it again: that makes the e-invoice anew.',
  },
  XML_MISSING: {
    says: 'The cost has no e-invoice, and the rules demand one.',
    detail: () => 'xml is empty.',
    cure: 'Move the cost to New and approve it again, or change cost.whenXmlMissing.',
  },
  XML_MISMATCH: {
    says: 'The cost and the e-invoice behind it disagree.',
    detail: ({ field, ours, theirs }: { field: string; ours: string; theirs: string }) =>
      `${field}: the cost says ${ours}, the e-invoice ${theirs}.`,
    cure: 'Move the cost to New in the invoicing service, correct it and approve it again, or book it by hand.',
  },
  VAT_IMPLAUSIBLE: {
    says: 'The VAT cannot belong to this amount.',
    detail: (given: NegativeVat | TooMuchVat) =>
      'field' in given
        ? `${given.field} is ${given.vat}, and no e-invoice states negative VAT at this rate.`
        : `vat_S is ${given.vatS}, vat_AA is ${given.vatAA}. Such VAT belongs to ${given.needed} ISK; amount is ${given.gross} ISK${given.rate === undefined ? '' : ` at ${given.rate}`}.`,
    cure: 'Move the cost to New in the invoicing service, correct the VAT and approve it again, or book it by hand. VAT on imported goods: set importVat for its code or supplier.',
  },
  VAT_NOT_ALLOWED: {
    says: 'The cost carries VAT, but its code is for costs without VAT.',
    detail: ({ costCode, field, vat }: { costCode: string; field: string; vat: string }) =>
      `cost_code is ${costCode}, ${field} is ${vat}.`,
    about: ({ costCode }: { costCode: string }) => `cost code ${costCode}`,
    cure: 'Move the cost to New in the invoicing service, correct the code or the VAT and approve it again.',
  },
} satisfies ReasonTable;
