// `ledgerbridge privacy`: what is kept about one person, and the end of what nothing requires any longer. It shows, asks, and goes on
// where an earlier run was stopped.
import type { Command } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import { plainKennitala } from '../domain/kennitala.js';
import type { PersonReport, OperatorErasure } from '../operations/privacy/privacy.js';
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { type ActOptions, actOptions, numberBetween, tenantOption, withOpened } from './operate.js';
import { perform } from './perform.js';
import { contentsOptions, type ContentsOptions, performContents } from './privacy-contents.js';
import { table } from './table.js';

interface PersonOptions {
  readonly kennitala?: string | undefined;
  readonly user?: string | undefined;
}

interface PruneOptions extends ContentsOptions {
  readonly addressDays?: number;
}

const DAYS_MAX = 3_650;
const ADDRESS_DAYS = 90;

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
    .option('--kennitala <number>', 'somebody in documents', kennitala)
    .option('--user <login>', 'somebody who signs in')
    .option(...JSON_FLAG)
    .action((options: PersonOptions & JsonOption) => report(io, options));
  addErase(privacy, io);
  addPrune(privacy, io);
};

function addErase(privacy: Command, io: CliIo): void {
  const erase = privacy
    .command('erase')
    .description(
      'remove one person: from documents that the law does not ask to keep any longer, or as a user',
    )
    .option('--kennitala <number>', 'somebody in documents', kennitala)
    .option('--user <login>', 'somebody who could sign in, and was revoked');
  actOptions(contentsOptions(erase))
    .addHelpText(
      'after',
      examples(
        [
          'ledgerbridge privacy erase --kennitala 120130-3389 --dry-run',
          'what would go, and what stays, and why',
        ],
        ['ledgerbridge privacy erase --user gudrun -r "left in May"', 'another name in the place of theirs'],
      ),
    )
    .action((options: PersonOptions & ContentsOptions) => {
      const { user, kennitala: digits } = oneOfTwo(options);
      if (user !== undefined) return eraseOperator(io, options, user);
      refuseNamed(options);
      return performContents(io, options, { kennitala: digits });
    });
}

function addPrune(privacy: Command, io: CliIo): void {
  const prune = privacy
    .command('prune')
    .description(
      'remove names, contents and originals of documents that the law does not ask to keep any longer',
    )
    .addOption(tenantOption())
    .option(
      '--address-days <number>',
      'how long network addresses, sessions that are over and tries are kept (default: LEDGERBRIDGE_ADDRESS_DAYS, else 90)',
      numberBetween(1, DAYS_MAX),
    );
  actOptions(contentsOptions(prune))
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge privacy prune --dry-run', 'what would go, and what stays although it is old'],
        ['ledgerbridge privacy prune -r "yearly" --yes', 'from a timer, once a year'],
      ),
    )
    .action(async (options: PruneOptions) => {
      const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
      const usual = readBridgeSettings(io.env, io.cwd).addressDays ?? ADDRESS_DAYS;
      await performContents(io, options, { addressDays: options.addressDays ?? usual });
    });
}

function kennitala(text: string): string {
  const digits = plainKennitala(text);
  if (/^\d{10}$/.test(digits)) return digits;
  throw new CodedError('CLI_USAGE', `"${text}" is no kennitala: ten digits, with or without a dash.`);
}

function oneOfTwo({ kennitala: digits, user }: PersonOptions): PersonOptions {
  if ((digits === undefined) !== (user === undefined)) return { kennitala: digits, user };
  throw new CodedError('CLI_USAGE', 'Say who: --kennitala for somebody in documents, or --user for a login.');
}

/** The audit keeps the reason. */
function refuseNamed({ kennitala: digits = '', reason = '' }: PersonOptions & ActOptions): void {
  if (!reason.replaceAll(/[^0-9]/g, '').includes(digits)) return;
  throw new CodedError('CLI_USAGE', 'Say why without the kennitala: the audit keeps the reason.');
}

async function report(io: CliIo, options: PersonOptions & JsonOption): Promise<void> {
  const { kennitala: digits, user } = oneOfTwo(options);
  await withOpened(io, async ({ privacy }) => {
    const found =
      user === undefined
        ? await privacy.reportOn(digits ?? '')
        : { documents: [], places: await privacy.operatorFoundAt(user) };
    answer(io, options, found, () => reportText(io, found));
  });
}

function reportText(io: CliIo, { documents, places }: PersonReport): string {
  if (documents.length + places.length === 0) return 'Nothing on record names this person.';
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

async function eraseOperator(io: CliIo, options: ActOptions, user: string): Promise<void> {
  await withOpened(io, async ({ privacy }) => {
    const { removed, changed, stays } = await privacy.previewOperator(user);
    const listed = erasureText({ removed, changed, stays });
    await perform(io, options, (act) => ({
      consequence: `${listed}\nWho has this login is somebody without a name from then on. The audit is not rewritten.`,
      question: 'Erase it?',
      would: { value: { would: { removed, changed, stays } }, text: listed },
      carryOut: async () => {
        const done = await privacy.eraseOperator(user, act);
        return { value: done, text: `${erasureText(done)}\n${user} is ${done.pseudonym} now.` };
      },
    }));
  });
}

function erasureText({
  removed,
  changed,
  stays,
}: Pick<OperatorErasure, 'removed' | 'changed' | 'stays'>): string {
  const parts = [
    ['removed', removed],
    ['under another name', changed],
    ['stays', stays],
  ] as const;
  const lines = parts.flatMap(([what, rows]) =>
    Object.entries(rows).map(([table, count]) => [what, table, count] as const),
  );
  return lines.map(([what, table, count]) => `${what}: ${table} ${String(count)}`).join('\n');
}
