// What mapping a document comes to: a journal to post, or a reason with what would cure it.
import type { Journal } from '../../domain/journal.js';
import type { Message, Reason } from '../../domain/message.js';
import { type GivenFor, message, reason } from '../../language/messages.js';
import type { MAPPING_REASONS } from '../../language/english/mapping-reasons.js';
import type { WARNINGS } from '../../language/english/posting-reasons.js';

export interface MappedToPost {
  readonly outcome: 'post';
  readonly journal: Journal;
  readonly settlement?: Journal;
  readonly warnings: readonly Message[];
  readonly trace: readonly TraceEntry[];
}

export interface NotPosted {
  readonly outcome: NotPostedKind;
  readonly reason: ReasonCode;
  /** The same with what it is about, and what stands in its sentence. */
  readonly why: Reason;
  readonly warnings: readonly Message[];
  readonly trace: readonly TraceEntry[];
}

export type MappingOutcome = MappedToPost | NotPosted;

/** Why mapping ends here. What a step returns instead of its result; `notPosted` makes the outcome of it. */
export interface Stop {
  readonly stop: ReasonCode;
  readonly why: Reason;
  /** Only a doubt, whatever the table makes of its code: nothing is written to the source. */
  readonly isDoubt?: true;
}

export function stop<Code extends ReasonCode>(code: Code, ...given: GivenFor<Code>): Stop {
  return { stop: code, why: reason(code, ...given) };
}

/** The doubt is inferred, and a rate, a table or a person can cure it: it parks what the same reason else rejects. */
export function doubt<Code extends ReasonCode>(code: Code, ...given: GivenFor<Code>): Stop {
  return { ...stop(code, ...given), isDoubt: true };
}

export function isStop(result: object | null | undefined): result is Stop {
  return result !== null && result !== undefined && 'stop' in result;
}

export function notPosted(
  { stop: code, why, isDoubt }: Stop,
  seen: { warnings?: readonly Message[]; trace?: readonly TraceEntry[] } = {},
): NotPosted {
  return {
    outcome: isDoubt === true ? 'park' : REASONS[code],
    reason: code,
    why,
    warnings: seen.warnings ?? [],
    trace: seen.trace ?? [],
  };
}

export function warning<Code extends WarningCode>(code: Code, ...given: GivenFor<Code>): Message {
  return message(code, ...given);
}

// Why the journal looks as it does: for every line which rule chose its account, VAT code and dimensions, and every
// default that was applied. It feeds `map --explain` and the dashboard.
export interface TraceEntry {
  readonly journal: 'document' | 'settlement';
  /** Index into the journal's lines; null when it is about the whole document. */
  readonly line: number | null;
  /** What was decided: account, vatCode, dimension, amount, exchangeRate, postingDate, … */
  readonly field: string;
  readonly value: string;
  /** Path of the rule in the tenant's rules, or `specification` where no rule has a say. */
  readonly rule: string;
  readonly why: Message;
}

/** One decision, not yet tied to a line number. */
export interface Because {
  readonly field: string;
  readonly value: string;
  readonly rule: string;
  readonly why: Message;
}

/** Decisions about the whole document. */
export function aboutDocument(decisions: readonly Because[]): TraceEntry[] {
  return decisions.map((decision) => ({ journal: 'document', line: null, ...decision }));
}

export function because(field: string, value: string, rule: string, why: Message): Because {
  return { field, value, rule, why };
}

// What becomes of a document that is not booked, by the reason. The codes are stable; what each says, and what to do about it,
// stands in src/language/english/mapping-reasons.ts. `reject` is Error at the source, which nobody takes back: for records that contradict
// themselves, so that neither a person here nor a rule nor time makes them right. Where that is only likely, the same code is a doubt.

export type NotPostedKind = 'skip' | 'defer' | 'park' | 'reject';
export type ReasonCode = keyof typeof MAPPING_REASONS;
export type WarningCode = keyof typeof WARNINGS;

export const REASONS = {
  NOT_CREATED: 'defer',
  DRAFT: 'defer',
  NO_NUMBER: 'defer',
  WAIT_FOR_ORIGINAL: 'defer',
  WAIT_FOR_CREDIT_NOTE: 'defer',
  XML_PENDING: 'defer',
  FX_RATE_PENDING: 'defer',
  CANCELLED: 'skip',
  ZERO_AMOUNT: 'skip',
  SKIPPED_CUSTOMER: 'skip',
  SKIPPED_SUPPLIER: 'skip',
  SKIPPED_SERIES: 'skip',
  SKIPPED_COST_CODE: 'skip',
  BEFORE_CUT_OVER: 'skip',
  NOTHING_TO_SETTLE: 'skip',
  NOTHING_TO_RELEASE: 'skip',
  UNMAPPED_DIMENSION: 'park',
  UNMAPPED_COST_CODE: 'park',
  UNMAPPED_HOW_PAID: 'park',
  COST_CODE_NEEDS_REVIEW: 'park',
  PERIOD_LOCKED: 'park',
  FX_RATE_MISSING: 'park',
  ORIGINAL_NOT_POSTED: 'park',
  AMBIGUOUS_VAT: 'park',
  VAT_CURRENCY_UNCLEAR: 'park',
  SUPPLIER_MISMATCH: 'park',
  PREPAID_WITHOUT_ACCOUNT: 'park',
  RESIDUAL_EXCEEDED: 'park',
  PAYMENT_AMOUNTS_MISMATCH: 'park',
  ROUNDING_EXCEEDED: 'park',
  TOO_FEW_LINES: 'park',
  XML_UNREADABLE: 'park',
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
  XML_MISSING: 'reject',
  XML_MISMATCH: 'reject',
  VAT_IMPLAUSIBLE: 'reject',
  VAT_NOT_ALLOWED: 'reject',
} as const satisfies Record<ReasonCode, NotPostedKind>;
