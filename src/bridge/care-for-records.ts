// The records as a whole, for whoever looks after them: which database it is, its schema, its audit, backups and what was moved out
// of it; and the people and grants in it. Works beside a running bridge, and before the first start where that makes sense.
import { join, resolve } from 'node:path';
import { CodedError } from '../domain/errors/coded-error.js';
import { keptSince, refuseUncertified } from '../operations/care/limits.js';
import { checkedAct, type Act } from '../operations/act.js';
import { createUserAccounts, type UserAccounts } from '../operations/users/user-accounts.js';
import type { SecondFactorRecords } from '../operations/users/user-records.js';
import {
  type ArchivePreview,
  type ArchiveStore,
  createArchiveStore,
} from '../store/archive/archive-store.js';
import { appendAudit, type AuditVerification, verifyAudit } from '../store/audit.js';
import { type AnchorCheck, lastAnchored, readAnchors, verifyAnchors } from '../store/audit-anchor.js';
import { createUserStore } from '../store/dashboard/user-store.js';
import { type Database, type DatabaseOptions, openDatabase, ownerDatabase } from '../store/database.js';
import { backUpEmbedded, type BackupReport, keepNoLog, restoreEmbedded } from '../store/embedded/backup.js';
import { hasRecords, requireRecords } from '../store/embedded/cluster.js';
import { createGrantStore } from '../store/grant-store.js';
import { migrateAsOwner, type MigrationStatus, migrationStatus } from '../store/migrate.js';
import { markRestored, readRestored, type Restored } from '../store/witness.js';
import { workingRole, type WorkingRole } from '../store/runtime-rights.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';

type Place = Pick<BridgeSettings, 'databaseUrl' | 'databaseOwnerUrl' | 'dataDirectory' | 'redisUrl'>;

export interface MoveOut {
  readonly years: number;
  /** Where the files go, unless `archive/` of the data directory. */
  readonly directory: string | undefined;
  readonly uncertified: boolean;
}

export interface RecordsCare {
  /** For people: version, and where it is. */
  readonly title: string;
  readonly isEmbedded: boolean;
  readonly isBundled: boolean;
  /** Of the role that a bridge works as. */
  role(): Promise<WorkingRole>;
  migrations(): Promise<MigrationStatus>;
  migrate(): Promise<readonly string[]>;
  verifyAudit(): Promise<AuditVerification>;
  /** Against the heads in a text that was kept elsewhere. */
  verifyAnchors(text: string): Promise<AnchorCheck>;
  /** null: never, there. */
  lastAnchored(path: string): Promise<Date | null>;
  backUp(directory: string, by: string): Promise<BackupReport>;
  restored(): Promise<Restored>;
  markRestored(days: number, act: Act): Promise<Restored>;
  /** What was moved out; absent, `archive/` of the data directory. */
  readonly archive: {
    place(directory: string | undefined): string;
    preview(years: number): Promise<ArchivePreview & { readonly before: Date }>;
    moveOut(wish: MoveOut, act: Act, told: Parameters<ArchiveStore['run']>[1]): Promise<void>;
    readonly find: ArchiveStore['find'];
    readonly verify: ArchiveStore['verify'];
  };
  /** Who may sign in. */
  people(): UserAccounts;
  readonly factors: SecondFactorRecords;
  grants(): ReturnType<typeof createGrantStore>;
}

export interface Wanted {
  /** Of old ones only: looking makes none. */
  readonly records?: 'old' | 'new or old';
  /** The schema of this version first. */
  readonly migrated?: boolean;
  /** As the role that owns the tables: for what moves or removes records. */
  readonly asOwner?: boolean;
}

export async function withRecords<Result>(
  place: Place,
  { records = 'new or old', migrated = false, asOwner = false }: Wanted,
  work: (care: RecordsCare) => Promise<Result>,
): Promise<Result> {
  if (records === 'old') requireRecords(place.databaseUrl, place.dataDirectory);
  const database = await (asOwner ? ownerDatabase : openDatabase)(forCommand(place));
  try {
    if (migrated) await migrateAsOwner(database);
    return await work(careFor(database, place));
  } finally {
    await database.close();
  }
}

function forCommand({ databaseUrl, databaseOwnerUrl, dataDirectory }: Place): DatabaseOptions {
  return { databaseUrl, databaseOwnerUrl, dataDirectory, role: 'command', poolSize: 2 };
}

/** Opening would make them. */
export function areThereRecords({ databaseUrl, dataDirectory }: Place): boolean {
  return hasRecords(databaseUrl, dataDirectory);
}

/** What was there is kept beside it; null: nothing was. Whoever restores says so afterwards: `markRestored`. */
export async function putBackupInPlace(place: Place, directory: string): Promise<string | null> {
  requireEmbedded(place);
  const { before } = await restoreEmbedded(resolve(directory), place.dataDirectory);
  const database = await ownerDatabase(forCommand(place));
  try {
    await keepNoLog(database.url);
  } finally {
    await database.close();
  }
  return before;
}

export function requireEmbedded({ databaseUrl }: Place): void {
  if (databaseUrl === null) return;
  throw new CodedError(
    'BACKUP_NOT_POSSIBLE',
    'DATABASE_URL names a server of its own: use pg_dump and pg_restore.',
  );
}

function careFor(database: Database, place: Place): RecordsCare {
  const { db, url, ownerUrl } = database;
  const { dataDirectory } = place;
  const users = createUserStore(database);
  const whose = database.isBundled ? 'comes with the bridge' : 'is of this machine';
  const where = database.embedded ? `embedded in ${dataDirectory}; it ${whose}` : database.whereabouts;
  return {
    title: `PostgreSQL ${database.serverVersion}, ${where}`,
    isEmbedded: database.embedded,
    isBundled: database.isBundled,
    role: () => workingRole(url),
    migrations: () => migrationStatus(ownerUrl ?? url),
    migrate: async () => {
      const applied = await migrateAsOwner(database);
      if (place.redisUrl === null) await (await import('../worker/queues.js')).makeQueueTables(database);
      return applied;
    },
    verifyAudit: () => verifyAudit(db),
    verifyAnchors: (text) => verifyAnchors(db, readAnchors(text)),
    lastAnchored: (path) => lastAnchored(db, path),
    backUp: async (directory, by) => {
      requireEmbedded(place);
      const report = await backUpEmbedded({ url: ownerUrl ?? url, dataDirectory }, directory);
      const details = { by: 'command line', files: report.files };
      await appendAudit(db, { actor: by, action: 'records.backed-up', subject: directory, details });
      return report;
    },
    restored: () => readRestored(db),
    markRestored: (days, act) => {
      const { actor: by, reason } = checkedAct(act);
      return markRestored(db, { by, reason, days });
    },
    archive: archiveOf(createArchiveStore(database), dataDirectory),
    people: () => createUserAccounts(users, { now: () => new Date() }),
    factors: users.factors,
    grants: () => createGrantStore(db),
  };
}

function archiveOf(store: ArchiveStore, dataDirectory: string): RecordsCare['archive'] {
  const place = (directory: string | undefined) => directory ?? join(dataDirectory, 'archive');
  return {
    place,
    preview: async (years) => {
      const before = keptSince(years, new Date());
      return { ...(await store.preview(before)), before };
    },
    moveOut: async ({ years, directory, uncertified }, act, told) => {
      const now = new Date();
      const before = keptSince(years, now);
      refuseUncertified((await store.preview(before)).uncertified, uncertified);
      const { actor: by, reason } = checkedAct(act);
      await store.run({ directory: place(directory), before, by, reason, now }, told);
    },
    find: (directory, text) => store.find(directory, text),
    verify: (directory) => store.verify(directory),
  };
}
