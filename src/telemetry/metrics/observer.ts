// What the bridge tells about itself while it works. The ports are wrapped where they are made (main.ts), so that neither the
// pipeline nor an adapter knows that anybody counts.
import type { PostingState } from '../../domain/posting.js';
import type { AttemptOutcome, SweepReport } from '../../pipeline/records.js';

export interface ObservedCall {
  readonly side: 'source' | 'erp';
  /** The surface of the source, or the name of the adapter: few, and known beforehand. */
  readonly system: string;
  /** Name of the port's method. */
  readonly call: string;
  /** What the port answered; `threw` when it answered nothing. */
  readonly outcome: string;
  readonly seconds: number;
}

export interface Observer {
  called(call: ObservedCall): void;
  moved(to: PostingState): void;
  attemptFinished(outcome: AttemptOutcome): void;
  wroteBack(status: string, result: 'sent' | 'refused' | 'acknowledged' | 'abandoned'): void;
  swept(report: SweepReport): void;
}
