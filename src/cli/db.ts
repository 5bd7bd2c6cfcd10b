// `ledgerbridge db`: is the database there, is its schema the one this version needs, is the audit whole.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RecordsCare } from '../bridge/care-for-records.js';
import type { Act } from '../operations/act.js';
import { LOOK_UP_DAYS_MAX } from '../operations/care/limits.js';
import { addArchive, archivePlace } from './db-archive.js';
import type { RegisterCommand, CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { type ActOptions, actOptions, numberBetween, personHere } from './operate.js';
import { perform, withCare } from './perform.js';

/** As long as what was posted and forgotten may still come up. */
const LOOK_UP_DAYS = 90;

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
    .option(
      '--anchor <file>',
      'also check that it goes through the heads in this file, or in a saved mail or webhook (default: LEDGERBRIDGE_AUDIT_ANCHOR)',
    )
    .action((options: VerifyOptions) => verify(io, options));
  db.command('backup <directory>')
    .description('Back up the embedded database into a new directory while the bridge runs.')
    .action((directory: string) => backUp(io, directory));
  actOptions(
    db
      .command('restore <directory>')
      .description(
        'Put a backup of the embedded database in place; what was there is kept beside it. Then it is as after `db restored`.',
      ),
  ).action((directory: string, options: ActOptions) => restore(io, directory, options));
  actOptions(
    db
      .command('restored')
      .description(
        'Say that this database was restored from a backup: every post looks into the ERP first, and every tenant is swept in full.',
      )
      .option('--days <n>', 'for how long', numberBetween(1, LOOK_UP_DAYS_MAX), LOOK_UP_DAYS),
  ).action((options: RestoredOptions) => restored(io, options));
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

interface StatusOptions {
  readonly json?: true;
  readonly check?: true;
}

function status(io: CliIo, { json, check }: StatusOptions): Promise<void> {
  return withCare(io, { records: 'old' }, async (care) => {
    const found = await care.migrations();
    if (json)
      io.out(`${JSON.stringify({ database: care.title, embedded: care.isEmbedded, ...found }, null, 2)}\n`);
    else {
      io.out(`${care.title}\n`);
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
  });
}

function applyMigrations(io: CliIo): Promise<void> {
  return withCare(io, {}, async (care) => {
    const applied = await care.migrate();
    io.out(`${care.title}\n`);
    for (const name of applied) io.out(`  applied  ${name}\n`);
    io.out('The schema is up to date.\n');
  });
}

interface VerifyOptions {
  readonly archive?: string;
  readonly anchor?: string;
}

function verify(io: CliIo, options: VerifyOptions): Promise<void> {
  return withCare(io, { records: 'old' }, async (care) => {
    if ((await care.migrations()).pending.length > 0) {
      io.err('The database is not migrated yet; run `ledgerbridge db migrate` first.\n');
      io.setExitCode(EXIT.unavailable);
      return;
    }
    const { chains, entries, breaks } = await care.verifyAudit();
    for (const broken of breaks) {
      const entry = broken.entryId === null ? '' : ` (entry ${broken.entryId})`;
      io.out(`  broken   ${broken.chain} at ${broken.number}${entry}: ${broken.what}\n`);
    }
    io.out(`${entries} entries in ${chains} chains: ${breaks.length === 0 ? 'whole' : 'BROKEN'}.\n`);
    const place = archivePlace(io, care, options.archive);
    const { files, entries: archived, troubles } = await care.archive.verify(place);
    for (const trouble of troubles) io.out(`  archive  ${trouble}\n`);
    if (files > 0)
      io.out(
        `${archived} entries more in ${files} files of ${place}: ${troubles.length === 0 ? 'whole' : 'BROKEN'}.\n`,
      );
    const isAnchored = await verifyAnchors(io, care, options.anchor);
    if (breaks.length + troubles.length > 0 || !isAnchored) io.setExitCode(EXIT.problems);
  });
}

/** A chain that was rewritten to its end is whole; what was written down of it elsewhere says that it is another. */
async function verifyAnchors(io: CliIo, care: RecordsCare, given: string | undefined): Promise<boolean> {
  const path = given === undefined ? (await readPlace(io)).auditAnchor : resolve(io.cwd, given);
  if (path === null) return true;
  // Nothing was to be there yet.
  if (given === undefined && (await care.lastAnchored(path)) === null) return true;
  const text = await readFile(path, 'utf8').catch((error: unknown) => error as Error);
  if (typeof text !== 'string') {
    io.out(`  anchor   ${path} cannot be read: ${text.message}\n`);
    return false;
  }
  const { heads, movedOut, breaks } = await care.verifyAnchors(text);
  for (const { chain, number, at, what, sameUpTo, firstEntry } of breaks) {
    const since = sameUpTo === 0n ? 'from the beginning' : `after ${sameUpTo}, which is as it was`;
    const first = firstEntry === null ? 'nothing is left there' : `the first entry there is ${firstEntry}`;
    io.out(
      `  anchor   ${chain} at ${number} is ${what === 'missing' ? 'gone' : 'not what it was'} on ${at}. It differs ${since}: ${first}.\n`,
    );
  }
  const aside = movedOut === 0 ? '' : ` (${movedOut} are of what was moved out)`;
  io.out(
    heads === 0
      ? `No head of the audit is in ${path}: nothing was compared.\n`
      : `${heads} heads in ${path}${aside}: ${breaks.length === 0 ? 'as they were' : 'THE AUDIT IS ANOTHER'}.\n`,
  );
  return heads > 0 && breaks.length === 0;
}

async function backUp(io: CliIo, directory: string): Promise<void> {
  const { requireEmbedded } = await import('../bridge/care-for-records.js');
  requireEmbedded(await readPlace(io));
  await withCare(io, { records: 'old' }, async (care) => {
    const report = await care.backUp(resolve(io.cwd, directory), personHere(io));
    io.out(`${report.files} files in ${report.directory}, as of ${report.finishedAt}.\n`);
  });
}

async function readPlace(io: CliIo) {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  return readBridgeSettings(io.env, io.cwd);
}

async function restore(io: CliIo, directory: string, options: ActOptions): Promise<void> {
  const { putBackupInPlace, requireEmbedded } = await import('../bridge/care-for-records.js');
  const place = await readPlace(io);
  requireEmbedded(place);
  const consequence = `The database in ${place.dataDirectory} becomes the one of the backup; what is there now is kept beside it.`;
  await perform(io, options, (act) => ({
    consequence,
    question: 'Restore it?',
    would: { value: { would: consequence }, text: `Nothing was changed. It would mean: ${consequence}` },
    carryOut: async () => {
      const before = await putBackupInPlace(place, resolve(io.cwd, directory));
      const said = await sayRestored(io, LOOK_UP_DAYS, act);
      const kept = before === null ? '' : `The database from before is in ${before}.\n`;
      return { value: { before, ...said.value }, text: kept + said.text };
    },
  }));
}

interface RestoredOptions extends ActOptions {
  readonly days: number;
}

async function restored(io: CliIo, options: RestoredOptions): Promise<void> {
  const consequence = `For ${String(options.days)} days every post looks into the ERP first, and the next sweep of every tenant reads everything since its cut-over.`;
  await perform(io, options, (act) => ({
    consequence,
    question: 'Was this database restored from a backup?',
    would: { value: { would: consequence }, text: `Nothing was changed. It would mean: ${consequence}` },
    carryOut: () => sayRestored(io, options.days, act),
  }));
}

function sayRestored(io: CliIo, days: number, act: Act) {
  return withCare(io, { migrated: true }, async (care) => {
    const { epoch, lookUpFirstUntil } = await care.markRestored(days, act);
    const until = lookUpFirstUntil?.toISOString().slice(0, 10) ?? '';
    return {
      value: { epoch, lookUpFirstUntil: until },
      text:
        `Epoch ${String(epoch)}: until ${until} every post looks into the ERP first.\n` +
        'The next sweep of every tenant is a full one. Then reconcile: docs/how-to/deploy.md, "After a restore".',
    };
  });
}
