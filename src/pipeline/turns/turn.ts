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

/** A turn as a queue carries it: the queue says at which stage. */
export type TurnOrder = Omit<Turn, 'stage'>;

/** What a queue carries. */
export interface WakeUp extends Partial<Omit<TurnOrder, 'tenantName'>> {
  /** An outbox row's; empty for turns. */
  readonly id: string;
  readonly tenantName: TenantName | null;
  /** Turns of other tenants that go with this one. Whoever does not know of them leaves them, and they are due as before. */
  readonly more?: readonly TurnOrder[];
}

export function turnsOf(stage: Stage, { tenantName, share = 1, isProbe = false, more = [] }: WakeUp): Turn[] {
  return [{ tenantName: tenantName ?? '', share, isProbe }, ...more].map((order) => ({ ...order, stage }));
}

/** A job costs a queue the same whatever it carries: small turns go together until they have so many documents. */
export function jobsOf(turns: readonly Turn[], documents: number): WakeUp[] {
  const jobs: (WakeUp & { more: TurnOrder[] })[] = [];
  let room = 0;
  for (const { tenantName, share, isProbe } of turns) {
    const order = { tenantName, share, isProbe };
    if (room > 0) jobs.at(-1)?.more.push(order);
    else jobs.push({ id: '', ...order, more: [] });
    room = (room > 0 ? room : documents) - share;
  }
  return jobs;
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
