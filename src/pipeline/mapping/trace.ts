// Why the journal looks as it does: for every line which rule chose its account, VAT code and dimensions, and every
// default that was applied. It feeds `map --explain` and the dashboard.
import type { Message } from '../../domain/message.js';

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
