import type { BareLoopOptions, Listed } from './bare-loop.js';

/** Other queues that a benchmark can run the same calls on. */
export const PEERS = ['bullmq', 'pg-boss', 'graphile-worker'] as const;
export type PeerName = (typeof PEERS)[number];

export interface PeerOptions extends BareLoopOptions {
  readonly peer: PeerName;
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

export type Carry = (document: Listed) => Promise<void>;

/** Takes all of them into its queue, and resolves when each was carried. */
export type Work = (options: PeerOptions, documents: readonly Listed[], carry: Carry) => Promise<void>;
