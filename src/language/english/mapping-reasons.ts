// Why a document is not booked: what happened, and what to do, for a bookkeeper. docs/reference/mapping.md shows the same tables, kept
// equal by a test.
import type { ReasonTable } from '../table.js';

// Why a cost is not booked: what is wrong between it, its VAT and its e-invoice.

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

const COST_REASONS = {
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

// Why what follows a document that is in the books is not booked: the payment of an invoice, or a release.

export const PAYMENT_REASONS = {
  NOTHING_TO_SETTLE: {
    says: 'The invoice shows no payment that is not in the books.',
    cure: 'Nothing: it was taken back, or booked otherwise, before the bridge came to it.',
  },
  NOTHING_TO_RELEASE: {
    says: 'Nothing of the document waits for this day.',
    cure: 'Nothing: its entry was reversed, or booked anew, before the bridge came to it.',
  },
  PAYMENT_AMOUNTS_MISMATCH: {
    says: 'The amounts of the claim do not add up, so the payment is not booked.',
    detail: ({ owed, deposited }: { owed: string; deposited: string }) =>
      `It should bring ${owed} ISK, bank_transaction_amount is ${deposited}.`,
    cure: 'Correct the claim in the invoicing service; it is looked at again daily. Or book the payment by hand and skip this one.',
  },
} satisfies ReasonTable;

/** The customer is not known to be exempt. */
export interface NoVat {
  amount: string;
  line: number;
}

export interface ExemptUnclear {
  amount: string;
  withVat: string;
  withoutVat: string;
  totals: string;
}

export const MAPPING_REASONS = {
  NOT_CREATED: {
    says: 'The document is not handed over for bookkeeping: its accounting status is not Created.',
    detail: ({ status, decided }: { status: string; decided?: string }) =>
      decided === undefined
        ? `accounting_status is "${status}".`
        : `It stands as ${status}, as the bridge wrote it. ${decided}`,
    cure: 'Nothing: it is looked at again when its status is Created.',
  },
  DRAFT: {
    says: 'The invoice is still a draft.',
    cure: 'Issue the invoice, or delete the draft.',
  },
  NO_NUMBER: {
    says: 'The invoice has no number yet.',
    cure: 'Nothing: it is looked at again when the service has numbered it.',
  },
  WAIT_FOR_ORIGINAL: {
    says: 'The invoice that this credit note refers to is not in the books yet.',
    detail: ({ status, original }: { status: string; original: string }) =>
      `refer_guid is ${original}, whose accounting_status is "${status}".`,
    about: ({ original }: { original: string }) => `original ${original}`,
    cure: 'Nothing, if the original is on its way; otherwise cure the original first.',
  },
  WAIT_FOR_CREDIT_NOTE: {
    says: 'The invoice was cancelled, and it is not known yet whether a credit note refers to it.',
    cure: 'Nothing: it is booked with its credit note, or decided when all invoices have been listed and read.',
  },
  XML_PENDING: {
    says: 'The e-invoice behind the cost is not there yet, so it could be an invoice or a credit note.',
    detail: () => 'xml is empty.',
    cure: 'Nothing: it is looked at again. For costs that never get one, set cost.whenXmlMissing.',
  },
  FX_RATE_PENDING: {
    says: 'The exchange rate could not be fetched.',
    detail: ({ currency, date, problem }: { currency: string; date: string; problem: string }) =>
      `currency is ${currency}, issue_date ${date}. ${problem}.`,
    about: ({ currency }: { currency: string }) => `currency ${currency}`,
    cure: 'Nothing: it is looked at again when the source of the rates answers.',
  },
  CANCELLED: {
    says: 'The invoice was cancelled and no credit note refers to it.',
    detail: ({ amount, currency = '' }: { amount?: string; currency?: string }) =>
      amount === undefined ? '' : `amount is ${amount} ${currency}.`,
    cure: 'Issue the credit note, and both are booked; or skip the invoice. invoice.cancelled: skip skips all of these.',
  },
  ZERO_AMOUNT: {
    says: 'The document is about zero krónur.',
    cure: 'Nothing to book.',
  },
  SKIPPED_CUSTOMER: {
    says: 'The rules leave out invoices to this customer.',
    about: ({ customer }: { customer: string }) => `customer ${customer}`,
    cure: 'Take the customer out of skip.customers if its invoices belong in the books.',
  },
  SKIPPED_SUPPLIER: {
    says: 'The rules leave out costs from this supplier.',
    about: ({ supplier }: { supplier: string }) => `supplier ${supplier}`,
    cure: 'Take the supplier out of skip.suppliers if its costs belong in the books.',
  },
  SKIPPED_SERIES: {
    says: 'The rules leave out invoices of this number series.',
    about: ({ series }: { series: string }) => `series ${series}`,
    cure: 'Take the series out of skip.series if its invoices belong in the books.',
  },
  SKIPPED_COST_CODE: {
    says: 'The rules leave out costs with this code.',
    about: ({ costCode }: { costCode: string }) => `cost code ${costCode}`,
    cure: 'Take the code out of skip.costCodes if its costs belong in the books.',
  },
  BEFORE_CUT_OVER: {
    says: 'The document is older than the day on which the bridge took over.',
    detail: ({ date }: { date: string }) => `issue_date is ${date}.`,
    about: ({ before }: { before: string }) => `before ${before}`,
    cure: 'Move skip.before back if older documents are missing in the books.',
  },
  UNMAPPED_DIMENSION: {
    says: 'A text on the document has no value in the dimension table.',
    detail: ({ field, dimension, value }: { field: string; dimension: string; value: string }) =>
      `${field} says "${value}", which dimension ${dimension} does not know.`,
    about: ({ dimension, value }: { dimension: string; value: string }) =>
      `dimension ${dimension}, value "${value}"`,
    cure: 'Add the text to dimensions.values, or correct it in the invoicing service.',
  },
  UNMAPPED_COST_CODE: {
    says: 'The cost code has no rule.',
    detail: ({ written }: { written: string }) => `cost_code is "${written}".`,
    about: ({ costCode }: { costCode: string }) => `cost code ${costCode}`,
    cure: 'Add the code to cost.codes, or to cost.codeAliases if it is another name of a known one.',
  },
  UNMAPPED_HOW_PAID: {
    says: 'The rules do not say which account this way of paying credits.',
    detail: ({ howPaid }: { howPaid: string }) => `how_paid is "${howPaid}".`,
    about: ({ howPaid }: { howPaid: string }) => `how_paid "${howPaid}"`,
    cure: 'Add it to cost.howPaid, or correct it in the invoicing service.',
  },
  COST_CODE_NEEDS_REVIEW: {
    says: 'The rules ask a person to look at every cost with this code.',
    detail: ({ costCode }: { costCode: string }) => `cost_code is ${costCode}.`,
    about: ({ costCode }: { costCode: string }) => `cost code ${costCode}`,
    cure: 'Book it by hand and mark it as posted, or take `mode` off the code.',
  },
  PERIOD_LOCKED: {
    says: 'The document falls into a locked period.',
    detail: ({ date, lockedUntil }: { date: string; lockedUntil: string }) =>
      `issue_date is ${date}, and the books are locked until ${lockedUntil}.`,
    about: ({ lockedUntil }: { lockedUntil: string }) => `period locked until ${lockedUntil}`,
    cure: 'Open the period, or set period.whenLocked to firstOpenDay to book it on the first open day.',
  },
  FX_RATE_MISSING: {
    says: 'There is no exchange rate for the document.',
    detail: ({ currency, date }: { currency: string; date: string }) =>
      `currency is ${currency}, issue_date ${date}.`,
    about: ({ currency }: { currency: string }) => `currency ${currency}`,
    cure: 'Add a rate of that day, or of a few days before, to fx.table, or let fx.source fetch them.',
  },
  ORIGINAL_NOT_POSTED: {
    says: 'The invoice that this credit note refers to was skipped, so the credit note alone would leave negative revenue.',
    detail: ({ original }: { original: string }) => `refer_guid is ${original}.`,
    about: ({ original }: { original: string }) => `original ${original}`,
    cure: 'Decide on the pair: book both by hand, or skip this one too.',
  },
  AMBIGUOUS_VAT: {
    says: 'It is not clear whether VAT was charged on taxed lines.',
    detail: (given: NoVat | ExemptUnclear) =>
      'line' in given
        ? `amount is ${given.amount}, which is the items without VAT; items, line ${String(given.line)} is taxed, and the customer is not marked as tax exempt.`
        : `The customer is tax exempt. amount is ${given.amount}, the items give ${given.withoutVat} without VAT and ${given.withVat} with VAT, total_24vat, total_11vat and total_0vat say ${given.totals || 'nothing'}.`,
    cure: 'Mark the customer as tax exempt in the invoicing service if it is, correct the invoice, or book it by hand.',
  },
  RESIDUAL_EXCEEDED: {
    says: 'The totals differ from the lines by more than a fee or a discount.',
    detail: ({
      totals,
      differing,
      percent,
      amount,
      line,
      qty,
      unitPrice,
    }: {
      totals: string;
      differing: string;
      percent: string;
      amount: string;
      line: number;
      qty: string;
      unitPrice: string;
    }) =>
      `total_24vat, total_11vat and total_0vat say ${totals}: ${differing} beside the lines, more than ${percent} % of the amount ${amount}. The largest is items, line ${String(line)}: qty ${qty}, unit_price ${unitPrice}.`,
    cure: 'Correct the lines in the invoicing service, book it by hand, or raise invoice.residualMaxPercent.',
  },
  MALFORMED_DOCUMENT: {
    says: 'The document cannot be read.',
    detail: ({ problem }: { problem: string }) => `${problem}.`,
    cure: 'Correct the document in the invoicing service, or book it by hand.',
  },
  RULES_INVALID: {
    says: 'The rules for this document are not valid.',
    detail: ({ problem }: { problem: string }) => problem,
    cure: 'Correct the rules that the message names.',
  },
  JOURNAL_REFUSED: {
    says: 'The journal that came out breaks a rule that every journal must keep, so it was not let through.',
    detail: ({ problem }: { problem: string }) => problem,
    about: ({ invariant }: { invariant: string }) => invariant,
    cure: 'Book the document by hand and report it: this is a fault of the bridge or of unusual rules.',
  },
  MAPPING_FAILED: {
    says: 'The bridge failed while it mapped the document.',
    detail: ({ problem }: { problem: string }) => `Problem: ${problem}.`,
    cure: 'Book the document by hand and report it: this is a fault of the bridge.',
  },
  UNKNOWN_STATUS: {
    says: 'The invoice has a status that the service does not document.',
    detail: ({ status }: { status: string }) => `status is "${status}".`,
    about: ({ status }: { status: string }) => `status "${status}"`,
    cure: 'Correct the document in the invoicing service, or book it by hand.',
  },
  UNKNOWN_CURRENCY: {
    says: 'The document has a currency that the service does not document.',
    detail: ({ currency }: { currency: string }) => `currency is "${currency}".`,
    about: ({ currency }: { currency: string }) => `currency "${currency}"`,
    cure: 'Correct the document in the invoicing service, or book it by hand.',
  },
  UNKNOWN_TYPE: {
    says: 'The document is neither an invoice nor a credit note.',
    detail: ({ type }: { type: string }) => `type is "${type}".`,
    about: ({ type }: { type: string }) => `type "${type}"`,
    cure: 'Correct the document in the invoicing service, or book it by hand.',
  },
  UNKNOWN_VAT_CODE: {
    says: 'A line has a VAT code other than S, AA and Z.',
    detail: ({ vatCode, line }: { vatCode: string; line: number }) =>
      `items, line ${String(line)}: tax is "${vatCode}".`,
    about: ({ vatCode }: { vatCode: string }) => `VAT code "${vatCode}"`,
    cure: 'Correct the document in the invoicing service, or book it by hand.',
  },
  NEGATIVE_INVOICE: {
    says: 'The invoice has a negative amount but is no credit note.',
    detail: ({ amount, type }: { amount: string; type: string }) => `amount is ${amount}, type is "${type}".`,
    cure: 'Cancel it in the invoicing service and issue a credit note.',
  },
  NEGATIVE_COST: {
    says: 'The cost has a negative amount; the service keeps amounts positive even on credit notes.',
    detail: ({ amount }: { amount: string }) => `amount is ${amount}.`,
    cure: 'Correct the document in the invoicing service, or book it by hand.',
  },
  CREDIT_WITHOUT_REFERENCE: {
    says: 'The credit note does not say which invoice it credits.',
    detail: () => 'refer_guid is empty.',
    cure: 'Issue the credit note again from its invoice, or book it by hand.',
  },
  VAT_TOTALS_MISMATCH: {
    says: 'The lines add up to the amount, but the totals per VAT rate belong to something else.',
    detail: ({ lines, totals }: { lines: string; totals: string }) =>
      `The items give ${lines} without VAT; total_24vat, total_11vat and total_0vat say ${totals || 'nothing'}.`,
    cure: 'Correct the document in the invoicing service, or book it by hand.',
  },
  TOTALS_MISMATCH: {
    says: 'The amount fits neither the lines nor the totals per VAT rate.',
    detail: ({ amount, lines, totals }: { amount: string; lines: string; totals: string }) =>
      `amount is ${amount}, the items with VAT give ${lines}, total_24vat, total_11vat and total_0vat say ${totals || 'nothing'}.`,
    cure: 'If it is a fee or a discount on the whole invoice, book it by hand and mark it as posted; otherwise correct the document in the invoicing service.',
  },
  FX_RATE_IMPLAUSIBLE: {
    says: 'The exchange rate is far from what the currency is worth; it may be upside down.',
    detail: ({
      rate,
      currency,
      expected,
      origin,
    }: {
      rate: string;
      currency: string;
      expected: string;
      origin: string;
    }) => `${origin} says ${rate} ISK for 1 ${currency}; about ${expected} is expected.`,
    about: ({ currency }: { currency: string }) => `currency ${currency}`,
    cure: 'Correct the rate on the document, or fx.reference if the currency has moved that far.',
  },
  ROUNDING_EXCEEDED: {
    says: 'The lines miss the amount by more than rounding can explain.',
    detail: ({ left, currency, step }: { left: string; currency: string; step: 'lines' | 'krónur' }) =>
      step === 'lines'
        ? `The lines miss the amount by ${left} ${currency}.`
        : `Rounding to krónur would leave ${left} ${currency}.`,
    cure: 'Correct the document in the invoicing service, or book it by hand. The limits are rounding.maxIsk and rounding.maxMinorUnits.',
  },
  TOO_FEW_LINES: {
    says: 'Fewer than two journal lines are left once everything is rounded and netted.',
    detail: ({ rate }: { rate?: string }) =>
      rate === undefined ? '' : `Some lines are worth 0 kr. at the rate ${rate}.`,
    cure: 'Correct the document in the invoicing service, or book it by hand.',
  },
  ...COST_REASONS,
  ...PAYMENT_REASONS,
} satisfies ReasonTable;
