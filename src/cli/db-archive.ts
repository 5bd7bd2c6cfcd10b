// `ledgerbridge db archive`: what is older than the law asks to keep moves out of the database into files, and is found in them
// again. Looks first, asks, then goes batch by batch beside the running bridge.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RecordsCare } from '../bridge/care-for-records.js';
import { refuseUncertified, KEPT_YEARS_MAX } from '../operations/care/limits.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { type ActOptions, actOptions, numberBetween } from './operate.js';
import { perform, withCare } from './perform.js';

interface ArchiveOptions extends ActOptions {
  readonly olderThan: number;
  readonly to?: string;
  readonly uncertified?: boolean;
}

interface ReadOptions {
  readonly from?: string;
}

export function addArchive(db: Command, io: CliIo): void {
  const archive = db
    .command('archive')
    .description(
      'Move audit entries, and the requests, records and line reasons of documents that are long done, into files; each can be read again.',
    )
    .option(
      '--older-than <years>',
      'how long everything is kept; the law asks for seven years',
      numberBetween(1, KEPT_YEARS_MAX),
      7,
    )
    .option('--to <directory>', 'where the files go (default: archive/ under LEDGERBRIDGE_DATA)')
    .option('--uncertified', 'also days that are in no certificate yet (`ledgerbridge close`)');
  actOptions(archive).action((options: ArchiveOptions) =>
    withCare(io, { asOwner: true }, (care) => moveOut(io, care, options)),
  );
  db.command('archived <text>')
    .description(
      'Find what was moved out: by id, guid or number of a document, by subject or actor of the audit.',
    )
    .option('--from <directory>', 'where the files are (default: archive/ under LEDGERBRIDGE_DATA)')
    .action((text: string, options: ReadOptions) =>
      withCare(io, {}, (care) => readBack(io, care, text, options)),
    );
}

export function archivePlace(io: CliIo, { archive }: RecordsCare, directory: string | undefined): string {
  return archive.place(directory === undefined ? undefined : resolve(io.cwd, directory));
}

async function moveOut(io: CliIo, care: RecordsCare, options: ArchiveOptions): Promise<void> {
  const years = options.olderThan;
  const preview = await care.archive.preview(years);
  const listed = previewText(preview);
  const place = archivePlace(io, care, options.to);
  const isNothing = preview.audit.length + preview.contents.length === 0;
  if (!isNothing && !options.dryRun) refuseUncertified(preview.uncertified, options.uncertified === true);
  await perform(io, options, (act) => ({
    consequence: `${listed}\nWhat is listed moves into ${place}; back it up like the database.`,
    question: isNothing ? undefined : 'Move it out?',
    would: { value: { would: preview, place }, text: listed },
    carryOut: async () => {
      const files: { file: string; records: number }[] = [];
      const wish = { years, directory: place, uncertified: options.uncertified === true };
      if (!isNothing)
        await care.archive.moveOut(wish, act, ({ file, records }) => files.push({ file, records }));
      const lines = files.map(({ file, records }) => `  ${file}: ${String(records)}`);
      return { value: { place, files }, text: [listed, ...lines].join('\n') };
    },
  }));
}

function previewText({
  before,
  audit,
  contents,
  uncertified,
}: Awaited<ReturnType<RecordsCare['archive']['preview']>>): string {
  const isNothing = audit.length + contents.length === 0;
  return [
    `Older than ${before.toISOString().slice(0, 10)}:`,
    ...audit.map(({ chain, entries }) => `  ${chain}: ${String(entries)} entries of the audit`),
    ...contents.map(({ tenant, documents }) => `  ${tenant}: contents of ${String(documents)} documents`),
    ...uncertified.map(({ tenant, from, to }) => `  ${tenant}: ${from} to ${to} is in no certificate`),
    ...(isNothing ? ['  nothing'] : []),
  ].join('\n');
}

async function readBack(io: CliIo, care: RecordsCare, text: string, { from }: ReadOptions): Promise<void> {
  let found = 0;
  for await (const record of care.archive.find(archivePlace(io, care, from), text)) {
    io.out(`${JSON.stringify(record)}\n`);
    found++;
  }
  if (found > 0) return;
  io.err(`Nothing that was moved out is about ${text}.\n`);
  io.setExitCode(EXIT.unavailable);
}
