// `ledgerbridge db archive`: what is older than the law asks to keep moves out of the database into files, and is found in them
// again. Looks first, asks, then goes batch by batch beside the running bridge.
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { confirm, YES_FLAG } from './prompt.js';

interface ArchiveOptions {
  readonly olderThan: string;
  readonly to?: string;
  readonly reason: string;
  readonly dryRun?: boolean;
  readonly uncertified?: boolean;
  readonly yes?: boolean;
}

interface ReadOptions {
  readonly from?: string;
}

export function addArchive(db: Command, io: CliIo): void {
  db.command('archive')
    .description(
      'Move audit entries, and the requests, records and line reasons of documents that are long done, into files; each can be read again.',
    )
    .requiredOption('--reason <text>', 'why, for the audit')
    .option('--older-than <years>', 'how long everything is kept; the law asks for seven years', '7')
    .option('--to <directory>', 'where the files go (default: archive/ under LEDGERBRIDGE_DATA)')
    .option('--uncertified', 'also days that are in no certificate yet (`ledgerbridge close`)')
    .option('--dry-run', 'show what would be moved out')
    .option(...YES_FLAG)
    .action((options: ArchiveOptions) => moveOut(io, options));
  db.command('archived <text>')
    .description(
      'Find what was moved out: by id, guid or number of a document, by subject or actor of the audit.',
    )
    .option('--from <directory>', 'where the files are (default: archive/ under LEDGERBRIDGE_DATA)')
    .action((text: string, options: ReadOptions) => readBack(io, text, options));
}

export async function openArchive(io: CliIo, directory: string | undefined) {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { openDatabase } = await import('../store/database.js');
  const { createArchiveStore } = await import('../store/archive/archive-store.js');
  const { databaseUrl, dataDirectory } = readBridgeSettings(io.env, io.cwd);
  const database = await openDatabase({ databaseUrl, dataDirectory, role: 'command', poolSize: 2 });
  const place = directory === undefined ? join(dataDirectory, 'archive') : resolve(io.cwd, directory);
  return { database, archive: createArchiveStore(database.prisma), place };
}

const YEARS_MAX = 100;

function cutoff(years: string, now: Date): Date {
  const count = Number(years);
  if (!Number.isInteger(count) || count < 1 || count > YEARS_MAX)
    throw new CodedError('CLI_USAGE', `--older-than must be a whole number of years from 1 to ${YEARS_MAX}.`);
  // Bookkeeping years end with the calendar's: what is kept is kept to the end of its year.
  return new Date(Date.UTC(now.getUTCFullYear() - count, 0, 1));
}

async function moveOut(io: CliIo, options: ArchiveOptions): Promise<void> {
  const now = new Date();
  const before = cutoff(options.olderThan, now);
  const { database, archive, place } = await openArchive(io, options.to);
  try {
    const { audit, contents, uncertified } = await archive.preview(before);
    const day = before.toISOString().slice(0, 10);
    io.out(`Older than ${day}:\n`);
    for (const { chain, entries } of audit) io.out(`  ${chain}: ${entries} entries of the audit\n`);
    for (const { tenant, documents } of contents) io.out(`  ${tenant}: contents of ${documents} documents\n`);
    for (const { tenant, from, to } of uncertified)
      io.out(`  ${tenant}: ${from} to ${to} is in no certificate\n`);
    if (audit.length + contents.length === 0) {
      io.out('  nothing\n');
      return;
    }
    if (options.dryRun) return;
    if (uncertified.length > 0 && !options.uncertified)
      throw new CodedError(
        'ARCHIVE_UNCERTIFIED',
        'Some of these days are in no certificate: nothing was moved.',
      );
    const consequence = `What is listed moves into ${place}; back it up like the database.`;
    if (!(await confirm(io, { consequence, question: 'Move it out?', yes: options.yes }))) return;
    const by = io.env['USER'] ?? 'operator';
    const wish = { directory: place, before, by, reason: options.reason, now };
    await archive.run(wish, ({ file, records }) => io.out(`  ${file}: ${records}\n`));
  } finally {
    await database.close();
  }
}

async function readBack(io: CliIo, text: string, { from }: ReadOptions): Promise<void> {
  const { database, archive, place } = await openArchive(io, from);
  try {
    let found = 0;
    for await (const record of archive.find(place, text)) {
      io.out(`${JSON.stringify(record)}\n`);
      found++;
    }
    if (found === 0) {
      io.err(`Nothing that was moved out is about ${text}.\n`);
      io.setExitCode(EXIT.unavailable);
    }
  } finally {
    await database.close();
  }
}
