// Our tables and the queues' are brought up to date side by side, and the first connection is made meanwhile: together they
// are half of what a start waits for.
import { useTimeZone } from '../domain/local-time.js';
import type { Database } from '../store/database.js';
import { migrateAsOwner } from '../store/migrate.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { openQueues, type Queues } from '../worker/queues.js';

export async function prepareStores(
  { redisUrl, timeZone }: BridgeSettings,
  { url, ownerUrl, prisma }: Database,
  onError: (error: unknown) => void,
): Promise<Queues> {
  // Before anybody is told anything.
  useTimeZone(timeZone);
  const opening = openQueues(
    redisUrl ? { kind: 'redis', url: redisUrl } : { kind: 'postgres', url, ownerUrl },
    onError,
  );
  try {
    await Promise.all([migrateAsOwner({ url, ownerUrl }), prisma.$connect(), opening]);
    return await opening;
  } catch (error) {
    await opening.then((queues) => queues.close()).catch(() => undefined);
    throw error;
  }
}
