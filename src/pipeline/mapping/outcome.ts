// What mapping a document comes to: a journal to post, or a reason with what would cure it.
import type { Journal } from '../../domain/journal.js';
import { REASONS, WARNINGS, type NotPostedKind, type ReasonCode, type WarningCode } from './reasons.js';
import type { TraceEntry } from './trace.js';

export interface MappingWarning {
  readonly code: WarningCode;
  readonly sentence: string;
}

export interface MappedToPost {
  readonly outcome: 'post';
  readonly journal: Journal;
  readonly settlement?: Journal;
  readonly warnings: readonly MappingWarning[];
  readonly trace: readonly TraceEntry[];
}

export interface NotPosted {
  readonly outcome: NotPostedKind;
  readonly reason: ReasonCode;
  readonly sentence: string;
  readonly cure: string;
  /** The thing that is missing or wrong, worded the same on every document: problems are grouped by it. */
  readonly subject?: string;
  readonly warnings: readonly MappingWarning[];
  readonly trace: readonly TraceEntry[];
}

export type MappingOutcome = MappedToPost | NotPosted;

/** Why mapping ends here. What a step returns instead of its result; `notPosted` makes the outcome of it. */
export interface Stop {
  readonly stop: ReasonCode;
  readonly detail?: string;
  readonly subject?: string;
}

export function stop(reason: ReasonCode, facts: { detail?: string; subject?: string } = {}): Stop {
  return { stop: reason, ...facts };
}

export function isStop(result: object | null | undefined): result is Stop {
  return result !== null && result !== undefined && 'stop' in result;
}

export function notPosted(
  stopped: Stop,
  seen: { warnings?: readonly MappingWarning[]; trace?: readonly TraceEntry[] } = {},
): NotPosted {
  const { outcome, sentence, cure } = REASONS[stopped.stop];
  return {
    outcome,
    reason: stopped.stop,
    sentence: stopped.detail === undefined ? sentence : `${sentence} ${stopped.detail}`,
    cure,
    ...(stopped.subject === undefined ? {} : { subject: stopped.subject }),
    warnings: seen.warnings ?? [],
    trace: seen.trace ?? [],
  };
}

export function warning(code: WarningCode, detail?: string): MappingWarning {
  return { code, sentence: detail === undefined ? WARNINGS[code] : `${WARNINGS[code]} ${detail}` };
}
