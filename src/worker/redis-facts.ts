// What a Redis says about itself, in one INFO: managed servers often forbid CONFIG.
import { Redis, type RedisOptions } from 'ioredis';
import { CodedError, errorWords } from '../domain/errors/coded-error.js';
import type { Clock } from '../domain/runtime.js';
import { maskSecrets, type Secret } from '../domain/secret.js';
import { redisConnection } from './redis-connection.js';

export interface RedisFacts {
  readonly version: string;
  readonly maxMemoryPolicy: string;
  readonly appendOnly: boolean;
}

/** ioredis types its reply mapping as never undefined, which its own options are. */
type Options = Omit<RedisOptions, 'replyMapping'>;

const CONNECT_MS_MAX = 5_000;

export async function readRedisFacts(url: Secret): Promise<RedisFacts> {
  const { url: address, ...options } = redisConnection(url) as Options & { url?: string };
  // Whoever asks wants an answer now, not when Redis comes back.
  const hurried = {
    ...options,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    connectTimeout: CONNECT_MS_MAX,
    commandTimeout: CONNECT_MS_MAX,
  };
  const redis = address === undefined ? new Redis(hurried) : new Redis(address, hurried);
  let lastError: unknown = null;
  redis.on('error', (error) => (lastError = error));
  try {
    await redis.connect();
    return factsIn(await redis.info());
  } catch (error) {
    const cause: unknown = lastError ?? error;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : 'no answer';
    throw new CodedError('QUEUE_UNREACHABLE', `Redis cannot be reached: ${reason}.`, { cause });
  } finally {
    redis.disconnect();
  }
}

/** Since when it cannot be reached, and why. */
export interface RedisAway {
  readonly since: string;
  readonly reason: string;
}

/** Whoever looks at a page asks; Redis is asked this often at most. */
const ASK_AGAIN_MS = 5_000;

/** null: it answers. */
export function watchRedis(url: Secret, clock: Clock): () => Promise<RedisAway | null> {
  let since: string | null = null;
  let asked: { readonly at: number; readonly answer: Promise<RedisAway | null> } | null = null;
  const ask = async (now: Date): Promise<RedisAway | null> => {
    try {
      await readRedisFacts(url);
      since = null;
      return null;
    } catch (error) {
      since ??= now.toISOString();
      return { since, reason: maskSecrets(errorWords(error).message) };
    }
  };
  return () => {
    const now = clock.now();
    if (!asked || now.getTime() - asked.at >= ASK_AGAIN_MS) asked = { at: now.getTime(), answer: ask(now) };
    return asked.answer;
  };
}

function factsIn(info: string): RedisFacts {
  const facts = new Map(
    info.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [name, value] = line.split(':', 2);
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    version: facts.get('redis_version') ?? 'of unknown version',
    maxMemoryPolicy: facts.get('maxmemory_policy') ?? 'unknown',
    appendOnly: facts.get('aof_enabled') === '1',
  };
}
