// `ledgerbridge archive`: one zip a period for an auditor.
import { resolve } from 'node:path';
import type { Language } from '../language/say.js';
import type { Archived } from '../operations/auditor/archive.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { CLOSING_STAGES } from './close.js';
import { EXIT } from './exit-codes.js';
import { type ActOptions, actOptions, oneOf, withOpened } from './operate.js';
import { perform } from './perform.js';
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
  const path = resolve(io.cwd, options.output ?? `${tenant}-${days.from}-${days.to}.zip`);
  const request = { tenant, period: days, path, language: options.lang };
  await withOpened(io, async ({ archive }) => {
    const counted = counter(io, CLOSING_STAGES);
    await perform(io, options, (act) => ({
      consequence: `${path} is written.`,
      would: { value: { would: path }, text: `${path} would be written.` },
      carryOut: async () => {
        const archived = await archive(request, act, ({ stage, documents }) =>
          counted.show(stage, documents),
        );
        counted.done();
        return archiveSaid(path, archived);
      },
    }));
  });
}

function archiveSaid(path: string, { closed, originals, missing }: Archived) {
  const { summary, root } = closed.seal;
  return {
    value: { path, verdict: summary.verdict, root, originals, missing },
    text: [
      path,
      `The certificate is ${summary.verdict}; ${String(originals)} originals are in it.`,
      ...missing.map((sha256) => `missing or changed: ${sha256}`),
    ].join('\n'),
    exitCode: summary.verdict === 'red' || missing.length > 0 ? EXIT.problems : undefined,
  };
}
