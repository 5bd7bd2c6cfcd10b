// The same work on another queue, between the same two bare loops.
import { join } from 'node:path';
import type { Opened } from '../../src/bridge/opened.js';
import { openBenchRecords } from './bench-records.js';
import type { BareLoopResult } from './bare-loop.js';
import { startPart, stop, costOf, costOfFamily, startBenchRedis } from './processes.js';
import type { PeerName } from './peer.js';
import {
  bareLoop,
  type BenchOptions,
  inOwnDirectory,
  loopOptions,
  startErp,
  startService,
} from './run-bench.js';

export interface PeerReport {
  readonly peer: PeerName;
  readonly documents: number;
  readonly inFlight: number;
  readonly documentsPerSecond: number;
  readonly bare: readonly { readonly documentsPerSecond: number }[];
  readonly ratio: number;
  readonly cpuMsPerDocument: Readonly<Record<'peer' | 'postgres' | 'redis', number>>;
  readonly peakMb: number;
}

type PeerBenchOptions = Pick<BenchOptions, 'documents' | 'inFlight' | 'onProgress'> & {
  readonly peer: PeerName;
};

/** Of its own: what carries the documents has the account of a company. */
const ACCOUNT = 't1';

export function benchPeer(options: PeerBenchOptions): Promise<PeerReport> {
  return inOwnDirectory((directory, opened) => measure(options, directory, opened));
}

async function measure(options: PeerBenchOptions, directory: string, opened: Opened): Promise<PeerReport> {
  const { peer, inFlight, onProgress } = options;
  onProgress({ stage: 'preparing', done: 0, total: options.documents });
  const service = await startService({ documents: options.documents, tenants: 1, latency: 0 }, [ACCOUNT]);
  opened.add(service.child, stop);
  const erp = await startErp(0);
  opened.add(erp.child, stop);
  const redis = peer === 'bullmq' ? await startBenchRedis(directory) : null;
  if (redis) opened.add(redis.child, stop);
  const records = await openBenchRecords(join(directory, 'data'));
  opened.add(records, () => records.close());
  const before = await bareLoop(options, service.answer, erp.answer.url, 'bare-before');
  onProgress({ stage: 'peer', done: 0, total: options.documents });
  const servers = () => ({ postgres: costOfFamily(records.serverPid), redis: costOf([redis?.child.pid]) });
  const costsBefore = servers();
  const { child, answer } = await startPart<BareLoopResult>({
    ...{ part: 'peer', peer, databaseUrl: records.url, redisUrl: redis?.url ?? '' },
    ...loopOptions(service.answer, erp.answer.url, ACCOUNT, inFlight),
  });
  const own = costOf([child.pid]);
  const costsAfter = servers();
  await stop(child);
  const after = await bareLoop(options, service.answer, erp.answer.url, 'bare-after');
  const bare = [before, after].map(({ documents, ms }) => ({ documentsPerSecond: (documents * 1000) / ms }));
  const mean = bare.reduce((sum, { documentsPerSecond }) => sum + documentsPerSecond, 0) / bare.length;
  const { documents, ms } = answer;
  const documentsPerSecond = (documents * 1000) / ms;
  return {
    ...{ peer, documents, inFlight, documentsPerSecond, bare },
    ratio: documentsPerSecond / mean,
    cpuMsPerDocument: {
      peer: own.cpuMs / documents,
      postgres: (costsAfter.postgres.cpuMs - costsBefore.postgres.cpuMs) / documents,
      redis: (costsAfter.redis.cpuMs - costsBefore.redis.cpuMs) / documents,
    },
    peakMb: own.peakMb,
  };
}
