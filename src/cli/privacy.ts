// `ledgerbridge privacy`: what is kept about one person, and the end of what nothing requires any longer. It shows, asks, and goes on
// where an earlier run was stopped.
import type { Command } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import { plainKennitala } from '../domain/kennitala.js';
import type { PersonReport } from '../operations/privacy/privacy.js';
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { type ActOptions, actOptions, tenantOption, withOpened } from './operate.js';
import { contentsOptions, type ContentsOptions, performContents } from './privacy-contents.js';
import { table } from './table.js';

interface PersonOptions {
  readonly kennitala: string;
}

export const registerPrivacy: RegisterCommand = (program, io) => {
  const privacy = program
    .command('privacy')
    .description('What is kept about people, and its removal')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge privacy report --kennitala 120130-3389', 'where something of a person is'],
        ['ledgerbridge privacy prune --dry-run', 'what the law does not ask to keep any longer'],
      ),
    );
  privacy
    .command('report')
    .description('where something of one person is on record, by table')
    .requiredOption('--kennitala <number>', 'whose documents', kennitala)
    .option(...JSON_FLAG)
    .action((options: PersonOptions & JsonOption) => report(io, options));
  addErase(privacy, io);
  addPrune(privacy, io);
};

function addErase(privacy: Command, io: CliIo): void {
  const erase = privacy
    .command('erase')
    .description('remove one person from documents that the law does not ask to keep any longer')
    .requiredOption('--kennitala <number>', 'whose documents', kennitala);
  actOptions(contentsOptions(erase))
    .addHelpText(
      'after',
      examples([
        'ledgerbridge privacy erase --kennitala 120130-3389 --dry-run',
        'what would go, and what stays, and why',
      ]),
    )
    .action((options: PersonOptions & ContentsOptions) => {
      refuseNamed(options);
      return performContents(io, options, options.kennitala);
    });
}

function addPrune(privacy: Command, io: CliIo): void {
  const prune = privacy
    .command('prune')
    .description(
      'remove names, contents and originals of documents that the law does not ask to keep any longer',
    )
    .addOption(tenantOption());
  actOptions(contentsOptions(prune))
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge privacy prune --dry-run', 'what would go, and what stays although it is old'],
        ['ledgerbridge privacy prune -r "yearly" --yes', 'from a timer, once a year'],
      ),
    )
    .action((options: ContentsOptions) => performContents(io, options));
}

function kennitala(text: string): string {
  const digits = plainKennitala(text);
  if (/^\d{10}$/.test(digits)) return digits;
  throw new CodedError('CLI_USAGE', `"${text}" is no kennitala: ten digits, with or without a dash.`);
}

/** The audit keeps the reason. */
function refuseNamed({ kennitala: digits, reason = '' }: PersonOptions & ActOptions): void {
  if (!reason.replaceAll(/[^0-9]/g, '').includes(digits)) return;
  throw new CodedError('CLI_USAGE', 'Say why without the kennitala: the audit keeps the reason.');
}

async function report(io: CliIo, options: PersonOptions & JsonOption): Promise<void> {
  await withOpened(io, async ({ privacy }) => {
    const found = await privacy.reportOn(options.kennitala);
    answer(io, options, found, () => reportText(io, found));
  });
}

function reportText(io: CliIo, { documents, places }: PersonReport): string {
  if (documents.length + places.length === 0) return 'Nothing on record names this kennitala.';
  const spans = documents.map(
    ({ tenant, documents: count, first, last }) =>
      `${tenant}: ${String(count)} documents, ${first} to ${last}`,
  );
  const rows = table(
    io,
    [
      { title: 'PLACE', value: ({ place }) => place },
      { title: 'ROWS', value: ({ rows: count }) => String(count), align: 'right' },
    ],
    places,
  );
  return [...spans, rows].join('\n');
}
