// `ledgerbridge db`: is the database there, is its schema the one this version needs, is the audit whole.
import type { Command } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
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
    .action(() => verify(io));
  db.command('restored')
    .description(
      'Say that this database was restored from a backup: every post looks into the ERP first, and every tenant is swept in full.',
    )
    .requiredOption('--reason <text>', 'why, for the audit')
    .option('--days <n>', 'for how long', '90')
    .option(...YES_FLAG)
    .action((options: RestoredOptions) => restored(io, options));
  addExamples(db);
};

function addExamples(db: Command): void {
  db.addHelpText(
    'after',
    `
Examples:
  ledgerbridge db status
  ledgerbridge db migrate
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

async function verify(io: CliIo): Promise<void> {
  const { migrationStatus } = await import('../store/migrate.js');
  const { verifyAudit } = await import('../store/audit.js');
  const { database } = await open(io);
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
    if (breaks.length > 0) io.setExitCode(EXIT.problems);
  } finally {
    await database.close();
  }
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
