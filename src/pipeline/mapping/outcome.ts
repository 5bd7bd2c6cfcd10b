// What mapping a document comes to: a journal to post, or a reason with what would cure it.
import type { Journal } from '../../domain/journal.js';
import type { Message, Reason } from '../../domain/message.js';
import { type GivenFor, message, reason } from '../../language/messages.js';
import { REASONS, type NotPostedKind, type ReasonCode, type WarningCode } from './reasons.js';

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
