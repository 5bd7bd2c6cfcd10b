// The same six calls a document as jobs of other queues, one job a document: what a queue alone costs, without records, intents or
// fences. Those that the bridge does not use itself are development dependencies and are found only where they are installed.
import type * as graphile from 'graphile-worker';
import type PgBoss from 'pg-boss';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import { BareLoop, type BareLoopResult, type Listed } from './bare-loop.js';
import type { Carry, PeerName, PeerOptions, Work } from './peer.js';

type Graphile = typeof graphile;

const WORK: Record<PeerName, Work> = {
  bullmq: async (...given) => (await import('./peers-bullmq.js')).withBullmq(...given),
  'pg-boss': withPgBoss,
  'graphile-worker': withGraphileWorker,
};

export function runPeer(options: PeerOptions): Promise<BareLoopResult> {
  return BareLoop.measured(options, (documents, carry) => WORK[options.peer](options, documents, carry));
}

async function withPgBoss(
  { databaseUrl, inFlight }: PeerOptions,
  documents: readonly Listed[],
  carry: Carry,
) {
  const { default: Boss } = await installed<{ default: typeof PgBoss }>('pg-boss');
  const boss = new Boss({ connectionString: databaseUrl, max: inFlight });
  await boss.start();
  await boss.createQueue('carry');
  await boss.insert(documents.map((data) => ({ name: 'carry', data })));
  const one = async () => {
    for (;;) {
      const [job] = await boss.fetch<Listed>('carry');
      if (!job) return;
      await carry(job.data);
      await boss.complete('carry', job.id);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  await boss.stop();
}

async function withGraphileWorker(
  { databaseUrl, inFlight }: PeerOptions,
  documents: readonly Listed[],
  carry: Carry,
) {
  const { Logger, makeWorkerUtils, run } = await installed<Graphile>('graphile-worker');
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger });
  await utils.migrate();
  await utils.withPgClient((client) =>
    client.query(
      `SELECT count(graphile_worker.add_job('carry', payload)) FROM unnest($1::json[]) AS payload`,
      [documents.map((document) => JSON.stringify(document))],
    ),
  );
  await utils.release();
  let left = documents.length;
  let done: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (done = resolve));
  const runner = await run({
    ...{ connectionString: databaseUrl, concurrency: inFlight, maxPoolSize: inFlight },
    ...{ noHandleSignals: true, pollInterval: 100, logger },
    taskList: {
      carry: async (payload) => {
        await carry(payload as Listed);
        if (--left === 0) done();
      },
    },
  });
  await all;
  await runner.stop();
}

/** By a name that the bundler does not see: they are not part of the program. */
async function installed<Module>(name: string): Promise<Module> {
  try {
    return (await import(name)) as Module;
  } catch (error) {
    throw new CodedError('BENCH_FAILED', `${name} is not installed here: npm install --no-save ${name}`, {
      cause: error,
    });
  }
}
