// `ledgerbridge db`: is the database there, is its schema the one this version needs, is the audit whole.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import { addArchive, openArchive } from './db-archive.js';
import type { RegisterCommand, CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { confirm, YES_FLAG } from './prompt.js';

export const registerDb: RegisterCommand = (program, io) => {
  const db = program
    .command('db')
    .description('The records: state of the database, its schema and its audit.');
  db.command('status')
    .description('Show which database is used and which migrations it has.')
    .option('--json', 'as JSON')
    .option('--check', `exit with ${EXIT.problems} when migrations are missing`)
    .action((options: StatusOptions) => status(io, options));
  db.command('migrate')
    .description('Apply the migrations that are missing (the bridge does so itself when it starts).')
    .action(() => applyMigrations(io));
  db.command('verify')
    .description('Read the whole audit and check that no entry was changed, removed or slipped in.')
    .option('--archive <directory>', 'where files of it are (default: archive/ under LEDGERBRIDGE_DATA)')
    .action((options: VerifyOptions) => verify(io, options));
  db.command('backup <directory>')
    .description('Back up the embedded database into a new directory while the bridge runs.')
    .action((directory: string) => backUp(io, directory));
  db.command('restore <directory>')
    .description(
      'Put a backup of the embedded database in place; what was there is kept beside it. Then it is as after `db restored`.',
    )
    .requiredOption('--reason <text>', 'why, for the audit')
    .option(...YES_FLAG)
    .action((directory: string, options: RestoreOptions) => restore(io, directory, options));
  db.command('restored')
    .description(
      'Say that this database was restored from a backup: every post looks into the ERP first, and every tenant is swept in full.',
    )
    .requiredOption('--reason <text>', 'why, for the audit')
    .option('--days <n>', 'for how long', '90')
    .option(...YES_FLAG)
    .action((options: RestoredOptions) => restored(io, options));
  addArchive(db, io);
  addExamples(db);
};

function addExamples(db: Command): void {
  db.addHelpText(
    'after',
    `
Examples:
  ledgerbridge db status
  ledgerbridge db migrate
  ledgerbridge db backup /backups/sunday
  ledgerbridge db archive --reason "older than seven years" --dry-run
  ledgerbridge db restored --reason "disk failure, backup of Sunday"
  ledgerbridge db verify            exits with ${EXIT.problems} when the audit is broken`,
  );
}

async function open(io: CliIo) {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { openDatabase } = await import('../store/database.js');
  const { databaseUrl, dataDirectory } = readBridgeSettings(io.env, io.cwd);
  const database = await openDatabase({ databaseUrl, dataDirectory, role: 'command', poolSize: 2 });
  const where = database.embedded ? `embedded in ${dataDirectory}` : database.whereabouts;
  return { database, title: `PostgreSQL ${database.serverVersion}, ${where}` };
}

interface StatusOptions {
  readonly json?: true;
  readonly check?: true;
}

async function status(io: CliIo, { json, check }: StatusOptions): Promise<void> {
  const { migrationStatus } = await import('../store/migrate.js');
  const { database, title } = await open(io);
  try {
    const found = await migrationStatus(database.url);
    if (json)
      io.out(`${JSON.stringify({ database: title, embedded: database.embedded, ...found }, null, 2)}\n`);
    else {
      io.out(`${title}\n`);
      for (const name of found.applied) io.out(`  applied  ${name}\n`);
      for (const name of found.newer)
        io.out(`  newer    ${name} (by a later version; this one can live with it)\n`);
      for (const name of found.pending) io.out(`  missing  ${name}\n`);
      io.out(
        found.pending.length === 0
          ? 'The schema is up to date.\n'
          : 'The bridge applies what is missing when it starts; so does `ledgerbridge db migrate`.\n',
      );
    }
    if (check && found.pending.length > 0) io.setExitCode(EXIT.problems);
  } finally {
    await database.close();
  }
}

async function applyMigrations(io: CliIo): Promise<void> {
  const { migrate } = await import('../store/migrate.js');
  const { database, title } = await open(io);
  try {
    const applied = await migrate(database.url);
    io.out(`${title}\n`);
    for (const name of applied) io.out(`  applied  ${name}\n`);
    io.out('The schema is up to date.\n');
  } finally {
    await database.close();
  }
}

interface VerifyOptions {
  readonly archive?: string;
}

async function verify(io: CliIo, options: VerifyOptions): Promise<void> {
  const { migrationStatus } = await import('../store/migrate.js');
  const { verifyAudit } = await import('../store/audit.js');
  const { database, archive, place } = await openArchive(io, options.archive);
  try {
    const { pending } = await migrationStatus(database.url);
    if (pending.length > 0) {
      io.err('The database is not migrated yet; run `ledgerbridge db migrate` first.\n');
      io.setExitCode(EXIT.unavailable);
      return;
    }
    const { chains, entries, breaks } = await verifyAudit(database.prisma);
    for (const broken of breaks) {
      const entry = broken.entryId === null ? '' : ` (entry ${broken.entryId})`;
      io.out(`  broken   ${broken.chain} at ${broken.number}${entry}: ${broken.what}\n`);
    }
    io.out(`${entries} entries in ${chains} chains: ${breaks.length === 0 ? 'whole' : 'BROKEN'}.\n`);
    const { files, entries: archived, troubles } = await archive.verify(place);
    for (const trouble of troubles) io.out(`  archive  ${trouble}\n`);
    if (files > 0)
      io.out(
        `${archived} entries more in ${files} files of ${place}: ${troubles.length === 0 ? 'whole' : 'BROKEN'}.\n`,
      );
    if (breaks.length + troubles.length > 0) io.setExitCode(EXIT.problems);
  } finally {
    await database.close();
  }
}

async function backUp(io: CliIo, directory: string): Promise<void> {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { backUpEmbedded } = await import('../store/embedded/backup.js');
  const { requireRecords } = await import('../store/embedded/cluster.js');
  const { databaseUrl, dataDirectory } = readBridgeSettings(io.env, io.cwd);
  if (databaseUrl !== null) throw notEmbedded();
  requireRecords(databaseUrl, dataDirectory);
  const { database } = await open(io);
  try {
    const report = await backUpEmbedded({ url: database.url, dataDirectory }, resolve(io.cwd, directory));
    io.out(`${report.files} files in ${report.directory}, as of ${report.finishedAt}.\n`);
  } finally {
    await database.close();
  }
}

interface RestoreOptions {
  readonly reason: string;
  readonly yes?: boolean;
}

async function restore(io: CliIo, directory: string, { reason, yes }: RestoreOptions): Promise<void> {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { databaseUrl, dataDirectory } = readBridgeSettings(io.env, io.cwd);
  if (databaseUrl !== null) throw notEmbedded();
  const consequence = `The database in ${dataDirectory} becomes the one of the backup; what is there now is kept beside it.`;
  if (!(await confirm(io, { consequence, question: 'Restore it?', yes }))) return;
  const { keepNoLog, restoreEmbedded } = await import('../store/embedded/backup.js');
  const { before } = await restoreEmbedded(resolve(io.cwd, directory), dataDirectory);
  if (before !== null) io.out(`The database from before is in ${before}.\n`);
  const { database } = await open(io);
  try {
    await keepNoLog(database.url);
  } finally {
    await database.close();
  }
  await restored(io, { reason, days: '90', yes: true });
}

function notEmbedded(): CodedError {
  return new CodedError(
    'BACKUP_NOT_POSSIBLE',
    'DATABASE_URL names a server of its own: use pg_dump and pg_restore.',
  );
}

interface RestoredOptions {
  readonly reason: string;
  readonly days: string;
  readonly yes?: boolean;
}

const DAYS_MAX = 3_650;

async function restored(io: CliIo, { reason, days, yes }: RestoredOptions): Promise<void> {
  const count = Number(days);
  if (!Number.isInteger(count) || count < 1 || count > DAYS_MAX) {
    throw new CodedError('CLI_USAGE', `--days must be a whole number from 1 to ${DAYS_MAX}.`);
  }
  const consequence = `For ${days} days every post looks into the ERP first, and the next sweep of every tenant reads everything since its cut-over.`;
  if (!(await confirm(io, { consequence, question: 'Was this database restored from a backup?', yes })))
    return;
  const { migrate } = await import('../store/migrate.js');
  const { markRestored } = await import('../store/restored.js');
  const { database } = await open(io);
  try {
    await migrate(database.url);
    const by = io.env['USER'] ?? 'operator';
    const { epoch, lookUpFirstUntil } = await markRestored(database.prisma, { by, reason, days: count });
    io.out(
      `Epoch ${epoch}: until ${lookUpFirstUntil?.toISOString().slice(0, 10) ?? ''} every post looks into the ERP first.\n` +
        'The next sweep of every tenant is a full one. Then reconcile: docs/deploy.md, "After a restore".\n',
    );
  } finally {
    await database.close();
  }
}
