// What happened to each document in a run, as steps of the specification (spec/protocol.qnt): noted where it happens, by those who
// know the truth of it.
import type { Guid } from '../../../src/domain/ids.js';
import type { AttemptChange, PostingChange } from '../../../src/sync/posting-records.js';
import type { STEPS } from './compiled-protocol.js';

export type StepName = keyof typeof STEPS;

export type HistoryStep =
  | { readonly what: 'backup' | 'restore'; readonly at: number }
  | {
      /** `leave`: a person says which entry stands for it; from then on the protocol has no part in it. */
      readonly what: StepName | 'leave';
      readonly at: number;
      readonly guid: Guid;
      /** '': of the document as a whole, under its present key. */
      readonly key: string;
      /** Whose claim it is; '': the world's doing, or a person's without one. */
      readonly worker: string;
      /** Nobody is told of it. */
      readonly isUntold?: boolean;
    };

export interface About {
  readonly kind?: string;
  readonly guid: Guid;
  readonly key: string;
}

/** What the specification knows of a commit. */
export type CommittedStep = Pick<PostingChange, 'action' | 'to' | 'attempt' | 'reference'>;

export class History {
  readonly steps: HistoryStep[] = [];
  readonly #now: () => number;
  #workers = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A name for a claim of its own. */
  newWorker(name: string): string {
    return `${name}#${++this.#workers}`;
  }

  note(what: StepName | 'leave', { guid, key, kind }: About, worker = ''): void {
    this.steps.push({
      what,
      at: this.#now(),
      guid,
      key,
      worker,
      isUntold: kind === 'payment' || kind === 'release' || kind === 'summary',
    });
  }

  mark(what: 'backup' | 'restore'): void {
    this.steps.push({ what, at: this.#now() });
  }

  /** One commit: first what became of the request, then of the document. `sent`: key of the attempt that is meant. */
  noteCommit(
    posting: About & { readonly state: string },
    worker: string,
    change: CommittedStep,
    sent: string | null,
  ): void {
    const { attempt, reference, to, action } = change;
    if (action === 'marked-posted' || action === 'marked-posted-elsewhere') {
      this.note('leave', { guid: posting.guid, key: '' }, worker);
      return;
    }
    const parksInDoubt = to === 'parked' && attempt?.act === 'begin';
    const step = attempt && stepOfAttempt(attempt, reference !== undefined, parksInDoubt);
    const key = attempt?.act === 'begin' ? attempt.key : sent;
    if (step && key !== null) this.note(step, { guid: posting.guid, key }, worker);
    const moved = to ? stepOfMove(to, posting.state) : null;
    if (moved) this.note(moved, { guid: posting.guid, key: '' }, worker);
  }
}

function stepOfAttempt(change: AttemptChange, isBooked: boolean, parksInDoubt: boolean): StepName | null {
  switch (change.act) {
    case 'begin':
      // A reversal is asked for by a person every time: it has no part in this.
      return change.part === 'reversal' ? null : parksInDoubt ? 'parkInDoubt' : 'intend';
    case 'resend':
      return 'resend';
    case 'finish':
      if (change.reversal !== undefined) return null;
      if (isBooked) return 'book';
      return ['rejected', 'transient', 'auth', 'never-sent'].includes(change.outcome) ? 'voidAttempt' : null;
  }
}

function stepOfMove(to: string, from: string): StepName | null {
  switch (to) {
    case 'parked':
    case 'orphaned':
      return 'park';
    case 'skipped':
    case 'rejected':
      return 'decide';
    case 'acknowledged':
      return 'acknowledge';
    case 'reversed':
      return 'reverse';
    case 'discovered':
      return from === 'skipped' || from === 'rejected' ? 'goOn' : null;
    default:
      return null;
  }
}
