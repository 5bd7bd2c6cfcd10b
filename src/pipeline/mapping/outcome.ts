// What mapping a document comes to: a journal to post, or a reason with what would cure it.
import type { Journal } from '../../domain/journal.js';
import type { Message, Reason } from '../../domain/message.js';
import { type GivenFor, message, reason } from '../../language/messages.js';
import type { MAPPING_REASONS } from '../../language/english/mapping-reasons.js';
import type { WARNINGS } from '../../language/english/posting-reasons.js';
import { type RuleBook, TEMPLATE_FIELDS } from './rules.js';

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

// Document numbers and descriptions, by the tenant's templates and within the lengths that its ERP takes.

export type TemplateFacts = Readonly<Record<(typeof TEMPLATE_FIELDS)[number], string>>;

const TEMPLATE_DEFAULT = '{documentNo} {party} {description}';
const SETTLEMENT_DEFAULT = '{documentNo} {party}';
const DESCRIPTION_LENGTH_MAX = 250;
const LINE_LENGTH_MAX = 100;

export interface DocumentNumber {
  readonly documentNo: string;
  /** Before it was cut to the length that the ERP takes; null when it was not. */
  readonly uncut: string | null;
}

/** The end of a number is what tells it from its neighbours, so a long one loses the beginning behind its prefix. */
export function documentNumber(prefix: string, number: string, book: RuleBook): DocumentNumber {
  const whole = oneLine(`${prefix}${number}`);
  const lengthMax = book.rules.numbering.lengthMax ?? whole.length;
  if (whole.length <= lengthMax) return { documentNo: whole, uncut: null };
  const kept = prefix.length < lengthMax ? prefix : '';
  const end = whole.slice(kept.length - lengthMax).replace(HALF_CHARACTER, '');
  return { documentNo: `${kept}${end}`, uncut: whole };
}

export function cutReasons({ documentNo, uncut }: DocumentNumber): Because[] {
  if (uncut === null) return [];
  return [because('documentNo', documentNo, 'numbering.lengthMax', message('END_KEPT', { number: uncut }))];
}

export function cutWarnings({ uncut }: DocumentNumber): Message[] {
  return uncut === null ? [] : [warning('DOCUMENT_NUMBER_CUT', { number: uncut })];
}

export function describeJournal(
  kind: 'invoice' | 'credit' | 'cost' | 'settlement',
  facts: TemplateFacts,
  book: RuleBook,
): string {
  const { descriptions } = book.rules;
  const template = descriptions?.[kind] ?? (kind === 'settlement' ? SETTLEMENT_DEFAULT : TEMPLATE_DEFAULT);
  const filled = template.replaceAll(/\{(\w+)\}/g, (written, field: string) =>
    isTemplateField(field) ? facts[field] : written,
  );
  return shorten(filled, descriptions?.lengthMax ?? DESCRIPTION_LENGTH_MAX);
}

export function lineText(text: string, book: RuleBook): string {
  return shorten(text, book.rules.descriptions?.lineLengthMax ?? LINE_LENGTH_MAX);
}

function isTemplateField(field: string): field is (typeof TEMPLATE_FIELDS)[number] {
  return (TEMPLATE_FIELDS as readonly string[]).includes(field);
}

const UNEVEN = /\s\s|[^\S ]|\p{Cc}/u;
/** The second half of a pair whose first half was cut away. */
const HALF_CHARACTER = /^[\udc00-\udfff]/;

/** What a document says goes to terminals and ERPs: no line breaks and nothing that steers them. */
function oneLine(text: string): string {
  return (UNEVEN.test(text) ? text.replaceAll(/[\s\p{Cc}]+/gu, ' ') : text).trim();
}

/** One line, cut by whole characters so that no half of one is left. */
function shorten(text: string, lengthMax: number): string {
  const single = oneLine(text);
  if (single.length <= lengthMax) return single;
  let kept = '';
  for (const character of single) {
    if (kept.length + character.length > lengthMax - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
