// Reading without a bridge, for commands that ask one question: the records over one connection, and of the tenants' files only those that
// the answer needs. What talks to an invoicing service or an ERP is loaded by whoever asks for it.
import { readdirSync } from 'node:fs';
import * as z from 'zod';
import { CodedError } from '../domain/errors/coded-error.js';
import { useTimeZone } from '../domain/local-time.js';
import type { Secret } from '../domain/secret.js';
import type { ReadingDeps } from '../operations/deps.js';
import type { KnownTenants } from '../operations/connected-tenants.js';
import { createReading, type Reading } from '../operations/reading.js';
import { openDatabase } from '../store/database.js';
import { requireRecords } from '../store/embedded/cluster.js';
import { migrationStatus } from '../store/migrate.js';
import { createReadRecords } from '../store/operations/read-records.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { keepCards, keptCards, type TenantCard } from '../tenants/tenant-cards.js';

export interface OpenedReading {
  readonly reading: Reading;
  close(): Promise<void>;
}

/** Of which tenants the files are read before anything is answered. */
export type Files = 'all' | 'none';

export async function openReading(settings: BridgeSettings, files: Files): Promise<OpenedReading> {
  const { databaseUrl, databaseOwnerUrl, dataDirectory, tenantsDirectory, redisUrl } = settings;
  useTimeZone(settings.timeZone);
  // Schemas are used once or twice: compiling them would take longer than all of it.
  z.config({ jitless: true });
  requireRecords(databaseUrl, dataDirectory);
  const database = await openDatabase({
    ...{ databaseUrl, databaseOwnerUrl, dataDirectory },
    ...{ role: 'command', isForReading: true },
  });
  try {
    const { pending } = await migrationStatus(database.ownerUrl ?? database.url);
    if (pending.length > 0) throw neverServed();
    const records = createReadRecords(database.db);
    const tenants = tenantFiles(tenantsDirectory, dataDirectory);
    if (files === 'all') await tenants.readAll();
    const reading = createReading({
      records: {
        ...records,
        story: async (postingId) => {
          const story = await records.story(postingId);
          if (story) await tenants.read(story.row.tenantName);
          return story;
        },
      },
      connections: tenants,
      clock: CLOCK,
      ...(redisUrl === null ? {} : { queuesAway: redisAway(redisUrl) }),
      language: 'en',
    });
    return { reading, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const CLOCK = { now: () => new Date() };

/** The client of Redis is loaded where there is one. */
function redisAway(url: Secret): NonNullable<ReadingDeps['queuesAway']> {
  return async () => (await import('../worker/redis-facts.js')).watchRedis(url, CLOCK)();
}

export function neverServed(): CodedError {
  return new CodedError(
    'NO_RECORDS',
    'These records were never served by this version, so there is nothing to look at.',
  );
}

interface TenantFiles extends KnownTenants {
  read(name: string): Promise<void>;
  readAll(): Promise<void>;
}

function tenantFiles(directory: string, dataDirectory: string): TenantFiles {
  const known = new Map<string, TenantCard>();
  const load = async (only?: string) => {
    const kept = await keptCards(dataDirectory, directory);
    if (kept) {
      for (const card of kept) known.set(card.name, card);
      return;
    }
    const { loadTenants } = await import('../tenants/load-tenants.js');
    const loaded = await loadTenants(directory, undefined, only === undefined ? {} : { only });
    for (const tenant of loaded.tenants) known.set(tenant.name, tenant);
    if (only === undefined && loaded.isComplete) await keepCards(dataDirectory, directory, loaded);
  };
  return {
    names: () => namesIn(directory),
    tenant: (name) => known.get(name) ?? null,
    get: (name) =>
      Promise.reject(new RangeError(`${name} is not connected: this command only reads records`)),
    read: load,
    readAll: () => load(),
  };
}

/** A tenant is called as its file is. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).flatMap((name) => /^([^.].*)\.yaml$/.exec(name)?.[1] ?? []);
  } catch {
    // No such directory: then only the records know tenants.
    return [];
  }
}
