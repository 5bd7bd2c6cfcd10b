// `ledgerbridge rehearse`: what changed rules, or this version, would make of every document on record. Nothing is written.
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { documents, money, table } from './table.js';
import { calendarDay, withOpened } from './operate.js';
import { progress } from './progress.js';

interface RehearseOptions extends JsonOption {
  readonly rules?: string;
  readonly since?: string;
}

const SHOWN_MAX = 50;

export const registerRehearse: RegisterCommand = (program, io) => {
  program
    .command('rehearse <tenant>')
    .description(
      'show which journals would change under other rules, or under this version; nothing is written',
    )
    .option('--rules <file>', 'rules, or a tenant file, that are not in force yet')
    .option('--since <day>', 'only documents issued on this day or later', calendarDay)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge rehearse hraun --rules new.yaml', 'before a changed tenant file goes live'],
        ['ledgerbridge rehearse hraun --since 2026-01-01', 'this version against the journals on record'],
      ),
    )
    .action((tenant: string, options: RehearseOptions) => run(io, tenant, options));
};

async function run(io: CliIo, tenant: string, options: RehearseOptions): Promise<void> {
  const { readRules } = await import('./map-rules.js');
  const rules = options.rules === undefined ? undefined : await readRules(options.rules, io.cwd);
  await withOpened(io, async ({ rehearse }) => {
    let bar: ReturnType<typeof progress> | null = null;
    let seen = 0;
    const result = await rehearse(tenant, {
      rules,
      since: options.since,
      onProgress: (done, total) => {
        bar ??= progress(io, 'rehearse', total);
        bar.advance(done - seen);
        seen = done;
      },
    });
    answer(io, options, result, () => {
      const { examined, changed, withoutLookUps } = result;
      const accounts = table(
        io,
        [
          { title: 'ACCOUNT', value: (row) => row.account },
          { title: 'BEFORE', align: 'right', value: (row) => money(row.before) },
          { title: 'AFTER', align: 'right', value: (row) => money(row.after) },
        ],
        result.accounts,
      );
      const changes = table(
        io,
        [
          { title: 'DOCUMENT', value: (row) => `${row.kind} ${row.number || row.guid}` },
          { title: 'IS', value: (row) => row.state },
          { title: 'BEFORE', value: (row) => row.before },
          { title: 'AFTER', value: (row) => row.after },
          {
            title: 'ACCOUNTS',
            value: (row) =>
              row.accounts
                .map((one) => `${one.account} ${money(one.before)} → ${money(one.after)}`)
                .join('; '),
          },
        ],
        result.documents.slice(0, SHOWN_MAX),
      );
      return [
        `${documents(examined)} examined, ${String(changed)} would change. Nothing was written.`,
        withoutLookUps === 0
          ? ''
          : `${documents(withoutLookUps)} needed look-ups at the source; both sides are shown without them.`,
        result.accounts.length === 0 ? '' : accounts,
        changed === 0 ? '' : changes,
      ]
        .filter((part) => part !== '')
        .join('\n\n');
    });
  });
}
