// `ledgerbridge archive`: one zip a period for an auditor.
import { resolve } from 'node:path';
import type { Language } from '../language/say.js';
import { answer } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { CLOSING_STAGES } from './close.js';
import { EXIT } from './exit-codes.js';
import { type ActOptions, actOf, actOptions, oneOf, withOpened } from './operate.js';
import { counter } from './progress.js';

interface ArchiveOptions extends ActOptions {
  readonly lang: Language;
  readonly output?: string;
}

const language = (text: string) => oneOf(['en', 'is'] as const, text, 'language');

export const registerArchive: RegisterCommand = (program, io) => {
  const archive = program
    .command('archive <tenant> <period> [to]')
    .description('one zip for an auditor: certificate, documents, journals, entries, originals, description')
    .option('-o, --output <file>', 'where to put it (default: <tenant>-<from>-<to>.zip here)')
    .option('--lang <language>', 'of its first page: en or is', language, 'is' as Language);
  actOptions(archive, { asks: false })
    .addHelpText(
      'after',
      examples([
        'ledgerbridge archive hraun 2026 -r "for the auditor"',
        'closes the period, then packs everything',
      ]),
    )
    .action((tenant: string, period: string, to: string | undefined, options: ArchiveOptions) =>
      run(io, tenant, { period, to }, options),
    );
};

async function run(
  io: CliIo,
  tenant: string,
  { period, to }: { readonly period: string; readonly to: string | undefined },
  options: ArchiveOptions,
): Promise<void> {
  const { periodOf } = await import('../operations/closing/close-period.js');
  const days = periodOf(period, to);
  const act = await actOf(io, options);
  const path = resolve(io.cwd, options.output ?? `${tenant}-${days.from}-${days.to}.zip`);
  if (options.dryRun) {
    answer(io, options, { would: path }, () => `${path} would be written.`);
    return;
  }
  await withOpened(io, async ({ archive }) => {
    const counted = counter(io, CLOSING_STAGES);
    const { closed, originals, missing } = await archive(
      { tenant, period: days, path, language: options.lang },
      act,
      ({ stage, documents }) => counted.show(stage, documents),
    );
    counted.done();
    const { verdict } = closed.seal.summary;
    answer(io, options, { path, verdict, root: closed.seal.root, originals, missing }, () =>
      [
        path,
        `The certificate is ${verdict}; ${String(originals)} originals are in it.`,
        ...missing.map((sha256) => `missing or changed: ${sha256}`),
      ].join('\n'),
    );
    if (verdict === 'red' || missing.length > 0) io.setExitCode(EXIT.problems);
  });
}
