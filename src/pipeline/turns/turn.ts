// A tenant's turn: at one of two stages it may take so many documents. The rows say what is due; a turn says whose work is next.
import type { TenantName } from '../../domain/ids.js';

export const STAGES = ['write-back', 'post'] as const;
/** Which of its two queues a document is due for. */
export type Stage = (typeof STAGES)[number];

export interface Turn {
  readonly stage: Stage;
  readonly tenantName: TenantName;
  /** Documents that it may take. */
  readonly share: number;
  /** One document goes first to try a side that was down. */
  readonly isProbe: boolean;
}

export interface Round {
  readonly stage: Stage;
  /** Only these: a tenant whose file is gone or says paused waits. */
  readonly tenants: readonly string[];
  /** Documents for each, times its weight. */
  readonly perTenant: number;
  /** How long a side that is tried waits for the answer. */
  readonly probeMs: number;
}

/** What a queue carries of it. */
export interface WakeUp {
  /** An outbox row's; empty for a tenant's turn. */
  readonly id: string;
  readonly tenantName: TenantName | null;
  /** Of a turn: documents that it may take. */
  readonly share?: number;
  /** Of a turn: one document goes first to try a side that was down. */
  readonly isProbe?: boolean;
}

export function turnOf(stage: Stage, { tenantName, share = 1, isProbe = false }: WakeUp): Turn {
  return { stage, tenantName: tenantName ?? '', share, isProbe };
}

export interface TurnRecords {
  /** A turn for every tenant that may work now and has something due, in an order of chance. */
  turnsDue(round: Round): Promise<readonly Turn[]>;
  /** Postings a second that each tenant's file or ERP allows. */
  rates(): Promise<ReadonlyMap<string, number>>;
}

export interface TurnQueues {
  /** Waiting, and taken up by nobody. */
  depth(stage: Stage): Promise<number>;
  add(stage: Stage, wakeUps: readonly WakeUp[]): Promise<void>;
}
