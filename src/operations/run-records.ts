// What a replay of many documents keeps: what it is about, whose turn it is, and what came of each.
import type { Message } from '../domain/message.js';
import type { PostingState } from '../domain/posting.js';
import type { BookedKind } from '../domain/source-document.js';
import type { Companies } from './access/reach.js';
import type { Act } from './act.js';
import type { DocumentQuery } from './document-query.js';
import type { Move } from './move.js';
import type { ReplayChoice } from './replay-verdict.js';
import type { RunView } from './views/act.js';

/** What a replay is about: these, or all of a cause, or whatever the filters find. */
export interface Selection {
  /** Whatever this search finds, and nothing else. */
  readonly search?: SearchedFor | undefined;
  readonly postingIds?: readonly string[] | undefined;
  readonly cause?: string | undefined;
  readonly tenant?: string | undefined;
  readonly states?: readonly PostingState[] | undefined;
  readonly kind?: BookedKind | undefined;
}

export type SearchedFor = Omit<DocumentQuery, 'after' | 'limit' | 'order'>;

export interface StoredSelection {
  readonly postingIds: readonly string[] | null;
  readonly reason: string | null;
  readonly subject: string | null;
  readonly companies: Companies;
  readonly states: readonly PostingState[];
  readonly kind: BookedKind | null;
}

interface Why {
  readonly why: Message;
  readonly count: number;
}

export type StoredRun = Omit<RunView, 'refusals' | 'rests'> & {
  readonly refusals: readonly Why[];
  readonly rests: readonly Why[];
};

export interface TakenRun {
  readonly id: string;
  readonly act: Act;
  readonly choice: ReplayChoice;
  readonly perSecond: number;
  readonly total: number;
  readonly ageMs: number;
}

export interface OpenItem {
  readonly number: number;
  readonly postingId: string;
}

export interface ItemResult {
  readonly number: number;
  readonly postingId: string;
  /** null: refused. */
  readonly move: Move | null;
  /** Why it was not moved. */
  readonly message: Message;
}

export interface RunRecords {
  select(selection: StoredSelection, limit: number): Promise<readonly string[]>;
  startRun(
    act: Act,
    run: {
      readonly postingIds: readonly string[];
      readonly perSecond: number;
      readonly choice: ReplayChoice;
    },
  ): Promise<string>;
  /** One process at a time works on a run; null when nothing is unfinished, or somebody else has it. */
  takeRun(runId: string | null, owner: string, leaseMs: number): Promise<TakenRun | null>;
  openItems(runId: string, limit: number): Promise<readonly OpenItem[]>;
  /** Moves, outcomes, counts, lease and audit in one transaction. False: the lease was lost, nothing happened. */
  finishItems(
    run: TakenRun,
    owner: string,
    leaseMs: number,
    results: readonly ItemResult[],
  ): Promise<boolean>;
  closeRun(runId: string, owner: string): Promise<void>;
  /** With companies: only when every document of it is theirs. */
  run(runId: string, companies?: Companies): Promise<StoredRun | null>;
  runs(limit: number, companies?: Companies): Promise<StoredRun[]>;
}
