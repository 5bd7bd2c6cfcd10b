// The queues only wake: a job says which tenants have work, or that a row of the outbox is due. Its own id is new every time (a used
// one would be ignored silently), and it is tried once: when something is due again is for the database to say. The same code runs
// on PostgreSQL and Redis.
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  type Job,
  LATEST_SCHEMA_VERSION,
  Queue,
  type QueueOptions,
  runMigrations,
  SchemaMigrationRequiredError,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import type { Secret } from '../domain/secret.js';
import { doneInTime, inTime } from '../http/in-time.js';
import type { WakeUp } from '../sync/turns.js';
import { connect, IDLE_IN_TRANSACTION_MS_MAX } from '../store/connection.js';
import { type DatabaseUrls, grantLocked } from '../store/migrate.js';
import { roleOf, sayRightsMissing } from '../store/runtime-rights.js';
import { clusterConnection, isCluster, redisConnection } from './redis-connection.js';

export const QUEUE_NAMES = ['post', 'write-back', 'sweep', 'reconcile'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export type QueueBackend =
  ({ readonly kind: 'postgres' } & DatabaseUrls) | { readonly kind: 'redis'; readonly url: Secret };

export interface Queues {
  readonly backend: QueueBackend['kind'];
  /** For the queue board. */
  readonly bull: readonly Queue[];
  add(name: QueueName, wakeUps: readonly WakeUp[]): Promise<void>;
  /**
   * Waiting. Jobs under way are bounded by the workers, and those of a killed worker count as under way for minutes: they would
   * take up all the room.
   */
  depth(name: QueueName): Promise<number>;
  work(name: QueueName, concurrency: number, handle: (wakeUp: WakeUp) => Promise<void>): QueueWorker;
  close(): Promise<void>;
}

export interface QueueWorker {
  /** Takes no more jobs and waits for those under way. */
  close(): Promise<void>;
  /** Lets go of a store that does not answer. */
  abandon(): void;
}

/** On PostgreSQL many at once go through a table made for the occasion, which costs as much as some ten added singly. */
const SINGLY_MAX = 8;
/** Finished jobs are kept for the board only, and few of them. */
const KEEP = { removeOnComplete: { count: 20 }, removeOnFail: { count: 500 } };
/** A store that is away cannot say good-bye. */
const CLOSE_MS_MAX = 2_000;
/** Clients of a Redis that is away wait for it for ever. Whoever asks goes on and asks again. */
const ASK_MS_MAX = 1_500;
/** What arrives after that all the same wakes somebody twice, which does no harm. */
const ADD_MS_MAX = 5_000;
const JOB_LOCK_MS = 120_000;
/** Of the queues' own tables, beside ours. */
const SCHEMA = 'queue';
/** Connections of one queue or worker to PostgreSQL: one to ask, one to answer meanwhile. */
const POOL_MAX = 2;

export async function openQueues(backend: QueueBackend, onError: (error: Error) => void): Promise<Queues> {
  if (backend.kind === 'postgres') await makeQueueTables(backend);
  const store = storeOf(backend);
  const queues = new Map<QueueName, Queue>();
  for (const name of QUEUE_NAMES) {
    const queue = newQueue(backend, name, {
      connection: store.connection(),
      ...store.prefix,
      defaultJobOptions: { attempts: 1, ...KEEP },
    });
    queue.on('error', onError);
    queues.set(name, queue);
  }
  const named = (name: QueueName): Queue => {
    const queue = queues.get(name);
    if (!queue) throw new Error(`no queue ${name}`);
    return queue;
  };
  return {
    backend: backend.kind,
    bull: [...queues.values()],
    add: async (name, wakeUps) => {
      if (wakeUps.length === 0) return;
      const queue = named(name);
      const adding =
        wakeUps.length <= SINGLY_MAX
          ? Promise.all(wakeUps.map((wakeUp) => queue.add(name, wakeUp)))
          : queue.addBulk(wakeUps.map((wakeUp) => ({ name, data: wakeUp })));
      await inTime(adding, ADD_MS_MAX, 'the queues took nothing');
    },
    depth: async (name) => {
      const asking = named(name).getJobCounts('waiting', 'prioritized', 'delayed');
      const counts = await inTime(asking, ASK_MS_MAX, 'the queues did not answer');
      return Object.values(counts).reduce((total, count) => total + count, 0);
    },
    work: (name, concurrency, handle) => {
      const process = (job: Job<WakeUp>) => handle(job.data);
      const options = {
        connection: store.connection(),
        ...store.prefix,
        concurrency,
        lockDuration: JOB_LOCK_MS,
        maxStalledCount: 1,
      };
      const worker = newWorker(backend, name, process, options);
      worker.on('error', onError);
      return { close: () => worker.close(), abandon: () => letGo(worker) };
    },
    close: async () => {
      const closing = Promise.all([...queues.values()].map((queue) => queue.close()));
      if (!(await doneInTime(closing, CLOSE_MS_MAX))) for (const queue of queues.values()) letGo(queue);
      store.close();
    },
  };
}

/** The clients would wait for their store for ever; nothing of ours is in it that the database does not know. */
function letGo(client: { disconnect(): Promise<void> }): void {
  client.disconnect().catch(() => undefined);
}

/** All queues at once, for whoever watches. */
export async function queueDepths(queues: Queues): Promise<ReadonlyMap<QueueName, number>> {
  return new Map(
    await Promise.all(QUEUE_NAMES.map(async (name) => [name, await queues.depth(name)] as const)),
  );
}

type Process = (job: Job<WakeUp>) => Promise<void>;

/** Once, before the ten connections that would each do it. */
export async function makeQueueTables({ url, ownerUrl }: DatabaseUrls): Promise<void> {
  const client = await connect(ownerUrl ?? url, 'queue tables');
  try {
    if ((await tablesVersion(client)) < LATEST_SCHEMA_VERSION) await runMigrations(client, SCHEMA);
    if (ownerUrl === null) return;
    // Otherwise each is made by the first who adds a job, who may not.
    for (const name of QUEUE_NAMES)
      await client.query(
        `DO $$ BEGIN EXECUTE format('CREATE SEQUENCE IF NOT EXISTS ${SCHEMA}.%I', ${SCHEMA}.job_id_seq_name('${name}')); END $$`,
      );
    await grantLocked(client, roleOf(url), SCHEMA);
  } catch (error) {
    throw sayRightsMissing(error);
  } finally {
    await client.end();
  }
}

/** 0: there are none. */
async function tablesVersion(client: Awaited<ReturnType<typeof connect>>): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}

interface QueueStore {
  connection(): QueueOptions['connection'];
  readonly prefix: { readonly prefix?: string };
  close(): void;
}

function storeOf(backend: QueueBackend): QueueStore {
  if (backend.kind === 'redis' && isCluster(backend.url)) {
    // Borrowed by all queues. The braces keep the keys of a queue on one node, where its scripts need them.
    const cluster = clusterConnection(backend.url);
    return {
      connection: () => cluster,
      prefix: { prefix: '{ledgerbridge}' },
      close: () => {
        cluster.disconnect();
      },
    };
  }
  if (backend.kind === 'redis')
    return { connection: () => redisConnection(backend.url), prefix: {}, close: () => undefined };
  const options = {
    connectionString: backend.url.reveal(),
    schema: SCHEMA,
    max: POOL_MAX,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
  };
  return { connection: () => options, prefix: {}, close: () => undefined };
}

function newQueue(backend: QueueBackend, name: QueueName, options: QueueOptions): Queue {
  if (backend.kind === 'redis') return new Queue(name, options);
  return new Queue(name, options as never, createPostgresBackend) as unknown as Queue;
}

function newWorker(backend: QueueBackend, name: QueueName, process: Process, options: WorkerOptions): Worker {
  if (backend.kind === 'redis') return new Worker(name, process, options);
  return new Worker(name, process, options as never, createPostgresBackend) as unknown as Worker;
}
