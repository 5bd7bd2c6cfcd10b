// What becomes of a document that is not booked, by the reason. The codes are stable; what each says, and what to do about it,
// stands in src/language/english/mapping-reasons.ts.
import type { MAPPING_REASONS } from '../../language/english/mapping-reasons.js';
import type { WARNINGS } from '../../language/english/warnings.js';

export type NotPostedKind = 'skip' | 'defer' | 'park' | 'reject';
export type ReasonCode = keyof typeof MAPPING_REASONS;
export type WarningCode = keyof typeof WARNINGS;

export const REASONS = {
  NOT_CREATED: 'defer',
  DRAFT: 'defer',
  NO_NUMBER: 'defer',
  WAIT_FOR_ORIGINAL: 'defer',
  XML_PENDING: 'defer',
  CANCELLED: 'skip',
  ZERO_AMOUNT: 'skip',
  SKIPPED_CUSTOMER: 'skip',
  SKIPPED_SUPPLIER: 'skip',
  SKIPPED_SERIES: 'skip',
  SKIPPED_COST_CODE: 'skip',
  BEFORE_CUT_OVER: 'skip',
  UNMAPPED_DIMENSION: 'park',
  UNMAPPED_COST_CODE: 'park',
  UNMAPPED_HOW_PAID: 'park',
  COST_CODE_NEEDS_REVIEW: 'park',
  PERIOD_LOCKED: 'park',
  FX_RATE_MISSING: 'park',
  ORIGINAL_NOT_POSTED: 'park',
  AMBIGUOUS_VAT: 'park',
  VAT_CURRENCY_UNCLEAR: 'park',
  RESIDUAL_EXCEEDED: 'park',
  MALFORMED_DOCUMENT: 'park',
  RULES_INVALID: 'park',
  JOURNAL_REFUSED: 'park',
  MAPPING_FAILED: 'park',
  UNKNOWN_STATUS: 'reject',
  UNKNOWN_CURRENCY: 'reject',
  UNKNOWN_TYPE: 'reject',
  UNKNOWN_VAT_CODE: 'reject',
  NEGATIVE_INVOICE: 'reject',
  NEGATIVE_COST: 'reject',
  CREDIT_WITHOUT_REFERENCE: 'reject',
  VAT_TOTALS_MISMATCH: 'reject',
  TOTALS_MISMATCH: 'reject',
  FX_RATE_IMPLAUSIBLE: 'reject',
  ROUNDING_EXCEEDED: 'reject',
  TOO_FEW_LINES: 'reject',
  XML_UNREADABLE: 'reject',
  XML_MISSING: 'reject',
  XML_MISMATCH: 'reject',
  VAT_IMPLAUSIBLE: 'reject',
  VAT_NOT_ALLOWED: 'reject',
} as const satisfies Record<ReasonCode, NotPostedKind>;
