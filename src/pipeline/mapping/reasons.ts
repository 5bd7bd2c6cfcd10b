// Every reason for not booking a document, and every warning on one that is booked. The code is stable; the sentence says
// what happened and the cure what to do, both for a bookkeeper. docs/mapping.md shows the same tables, kept equal by a test.
export type NotPostedKind = 'skip' | 'defer' | 'park' | 'reject';

export interface ReasonDefinition {
  readonly outcome: NotPostedKind;
  readonly sentence: string;
  readonly cure: string;
}

const SOURCE_FIX = 'Correct the document in the invoicing service, or book it by hand.';

export const REASONS = {
  NOT_CREATED: {
    outcome: 'defer',
    sentence: 'The document is not handed over for bookkeeping: its accounting status is not Created.',
    cure: 'Nothing: it is looked at again when its status is Created.',
  },
  DRAFT: {
    outcome: 'defer',
    sentence: 'The invoice is still a draft.',
    cure: 'Issue the invoice, or delete the draft.',
  },
  NO_NUMBER: {
    outcome: 'defer',
    sentence: 'The invoice has no number yet.',
    cure: 'Nothing: it is looked at again when the service has numbered it.',
  },
  WAIT_FOR_ORIGINAL: {
    outcome: 'defer',
    sentence: 'The invoice that this credit note refers to is not in the books yet.',
    cure: 'Nothing, if the original is on its way; otherwise cure the original first.',
  },
  XML_PENDING: {
    outcome: 'defer',
    sentence: 'The e-invoice behind the cost is not there yet, so it could be an invoice or a credit note.',
    cure: 'Nothing: it is looked at again. For costs that never get one, set cost.whenXmlMissing.',
  },
  CANCELLED: {
    outcome: 'skip',
    sentence: 'The invoice was cancelled and no credit note refers to it.',
    cure: 'Nothing to book.',
  },
  ZERO_AMOUNT: {
    outcome: 'skip',
    sentence: 'The document is about zero krónur.',
    cure: 'Nothing to book.',
  },
  SKIPPED_CUSTOMER: {
    outcome: 'skip',
    sentence: 'The rules leave out invoices to this customer.',
    cure: 'Take the customer out of skip.customers if its invoices belong in the books.',
  },
  SKIPPED_SUPPLIER: {
    outcome: 'skip',
    sentence: 'The rules leave out costs from this supplier.',
    cure: 'Take the supplier out of skip.suppliers if its costs belong in the books.',
  },
  SKIPPED_SERIES: {
    outcome: 'skip',
    sentence: 'The rules leave out invoices of this number series.',
    cure: 'Take the series out of skip.series if its invoices belong in the books.',
  },
  SKIPPED_COST_CODE: {
    outcome: 'skip',
    sentence: 'The rules leave out costs with this code.',
    cure: 'Take the code out of skip.costCodes if its costs belong in the books.',
  },
  BEFORE_CUT_OVER: {
    outcome: 'skip',
    sentence: 'The document is older than the day on which the bridge took over.',
    cure: 'Move skip.before back if older documents are missing in the books.',
  },
  UNMAPPED_DIMENSION: {
    outcome: 'park',
    sentence: 'A text on the document has no value in the dimension table.',
    cure: 'Add the text to dimensions.values, or correct it in the invoicing service.',
  },
  UNMAPPED_COST_CODE: {
    outcome: 'park',
    sentence: 'The cost code has no rule.',
    cure: 'Add the code to cost.codes, or to cost.codeAliases if it is another name of a known one.',
  },
  UNMAPPED_HOW_PAID: {
    outcome: 'park',
    sentence: 'The rules do not say which account this way of paying credits.',
    cure: 'Add it to cost.howPaid, or correct it in the invoicing service.',
  },
  COST_CODE_NEEDS_REVIEW: {
    outcome: 'park',
    sentence: 'The rules ask a person to look at every cost with this code.',
    cure: 'Book it by hand and mark it as posted, or take `mode` off the code.',
  },
  PERIOD_LOCKED: {
    outcome: 'park',
    sentence: 'The document falls into a locked period.',
    cure: 'Open the period, or set period.whenLocked to firstOpenDay to book it on the first open day.',
  },
  FX_RATE_MISSING: {
    outcome: 'park',
    sentence: 'There is no exchange rate for the document.',
    cure: 'Add a rate of that day, or of a few days before, to fx.table.',
  },
  ORIGINAL_NOT_POSTED: {
    outcome: 'park',
    sentence:
      'The invoice that this credit note refers to was skipped, so the credit note alone would leave negative revenue.',
    cure: 'Decide on the pair: book both by hand, or skip this one too.',
  },
  AMBIGUOUS_VAT: {
    outcome: 'park',
    sentence: 'No VAT was charged on taxed lines, and the customer is not marked as tax exempt.',
    cure: 'Mark the customer as tax exempt in the invoicing service, or correct the invoice.',
  },
  MALFORMED_DOCUMENT: {
    outcome: 'park',
    sentence: 'The document cannot be read.',
    cure: SOURCE_FIX,
  },
  RULES_INVALID: {
    outcome: 'park',
    sentence: 'The rules for this document are not valid.',
    cure: 'Correct the rules that the message names.',
  },
  JOURNAL_REFUSED: {
    outcome: 'park',
    sentence:
      'The journal that came out breaks a rule that every journal must keep, so it was not let through.',
    cure: 'Book the document by hand and report it: this is a fault of the bridge or of unusual rules.',
  },
  MAPPING_FAILED: {
    outcome: 'park',
    sentence: 'The bridge failed while it mapped the document.',
    cure: 'Book the document by hand and report it: this is a fault of the bridge.',
  },
  UNKNOWN_STATUS: {
    outcome: 'reject',
    sentence: 'The invoice has a status that the service does not document.',
    cure: SOURCE_FIX,
  },
  UNKNOWN_CURRENCY: {
    outcome: 'reject',
    sentence: 'The document has a currency that the service does not document.',
    cure: SOURCE_FIX,
  },
  UNKNOWN_TYPE: {
    outcome: 'reject',
    sentence: 'The document is neither an invoice nor a credit note.',
    cure: SOURCE_FIX,
  },
  UNKNOWN_VAT_CODE: {
    outcome: 'reject',
    sentence: 'A line has a VAT code other than S, AA and Z.',
    cure: SOURCE_FIX,
  },
  NEGATIVE_INVOICE: {
    outcome: 'reject',
    sentence: 'The invoice has a negative amount but is no credit note.',
    cure: 'Cancel it in the invoicing service and issue a credit note.',
  },
  NEGATIVE_COST: {
    outcome: 'reject',
    sentence: 'The cost has a negative amount; the service keeps amounts positive even on credit notes.',
    cure: SOURCE_FIX,
  },
  CREDIT_WITHOUT_REFERENCE: {
    outcome: 'reject',
    sentence: 'The credit note does not say which invoice it credits.',
    cure: 'Issue the credit note again from its invoice, or book it by hand.',
  },
  VAT_TOTALS_MISMATCH: {
    outcome: 'reject',
    sentence: 'The lines add up to the amount, but the totals per VAT rate belong to something else.',
    cure: SOURCE_FIX,
  },
  TOTALS_MISMATCH: {
    outcome: 'reject',
    sentence: 'The amount fits neither the lines nor the totals per VAT rate.',
    cure: SOURCE_FIX,
  },
  FX_RATE_IMPLAUSIBLE: {
    outcome: 'reject',
    sentence: 'The exchange rate is far from what the currency is worth; it may be upside down.',
    cure: 'Correct the rate on the document, or fx.reference if the currency has moved that far.',
  },
  ROUNDING_EXCEEDED: {
    outcome: 'reject',
    sentence: 'The lines miss the amount by more than rounding can explain.',
    cure: `${SOURCE_FIX} The limits are rounding.maxIsk and rounding.maxMinorUnits.`,
  },
  TOO_FEW_LINES: {
    outcome: 'reject',
    sentence: 'Fewer than two journal lines are left once everything is rounded and netted.',
    cure: SOURCE_FIX,
  },
  XML_UNREADABLE: {
    outcome: 'reject',
    sentence: 'The e-invoice behind the cost cannot be read as a UBL invoice or credit note.',
    cure: 'Move the cost to New in the invoicing service and approve it again: that makes the e-invoice anew.',
  },
  XML_MISSING: {
    outcome: 'reject',
    sentence: 'The cost has no e-invoice, and the rules demand one.',
    cure: 'Move the cost to New and approve it again, or change cost.whenXmlMissing.',
  },
  XML_MISMATCH: {
    outcome: 'reject',
    sentence: 'The cost and the e-invoice behind it disagree.',
    cure: 'Move the cost to New in the invoicing service, correct it and approve it again.',
  },
  VAT_IMPLAUSIBLE: {
    outcome: 'reject',
    sentence: 'The VAT cannot belong to this amount.',
    cure: 'Move the cost to New in the invoicing service, correct the VAT and approve it again.',
  },
  VAT_NOT_ALLOWED: {
    outcome: 'reject',
    sentence: 'The cost carries VAT, but its code is for costs without VAT.',
    cure: 'Move the cost to New in the invoicing service, correct the code or the VAT and approve it again.',
  },
} as const satisfies Record<string, ReasonDefinition>;

export type ReasonCode = keyof typeof REASONS;

export const WARNINGS = {
  TAX_EXEMPT_CUSTOMER: 'The customer is tax exempt: the taxed lines were booked without VAT.',
  LINES_DIFFER_FROM_TOTALS:
    'The lines differ from the totals: the difference was booked as a fee or a discount.',
  POSTING_DATE_MOVED: 'The period is locked: the journal is dated on the first open day.',
  KENNITALA_FORMAT: 'The kennitala is missing or not shaped like one.',
  KENNITALA_CHECKSUM: 'The kennitala has no valid check digit, which new ones since February 2026 may lack.',
  SIGN_ASSUMED_INVOICE: 'There is no e-invoice: the cost was taken for an invoice, not a credit note.',
  CLAIM_AMOUNTS_MISMATCH: 'The claim is paid but its amounts do not add up: the payment was not booked.',
  DOCUMENT_NUMBER_CUT: 'The document number is longer than the rules allow: only its end was kept.',
  COST_CODE_WATCHED: 'The cost code is watched: check that no food or hospitality hides here.',
} as const;

export type WarningCode = keyof typeof WARNINGS;
