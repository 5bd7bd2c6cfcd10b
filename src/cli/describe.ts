// `ledgerbridge describe`: the written description of the bookkeeping of one company, from what is in force.
import type { Language } from '../language/say.js';
import { answer } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { type ActOptions, readAct, actOptions, oneOf, withOpened } from './operate.js';

interface DescribeOptions extends ActOptions {
  readonly lang: Language;
  readonly keep?: boolean;
}

const language = (text: string) => oneOf(['en', 'is'] as const, text, 'language');

export const registerDescribe: RegisterCommand = (program, io) => {
  const describe = program
    .command('describe <tenant>')
    .description(
      'describe how documents become entries in this company now: every connection, rule and account',
    )
    .option('--lang <language>', 'en or is', language, 'is' as Language)
    .option('--keep', 'keep it in the audit if it differs from the one kept last, and show what differs');
  actOptions(describe, { asks: false })
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge describe hraun > lysing.md', 'in Icelandic, for the files of the company'],
        ['ledgerbridge describe hraun --lang en --keep -r "new chart"', 'the change is on record'],
      ),
    )
    .action((tenant: string, options: DescribeOptions) => run(io, tenant, options));
};

async function run(io: CliIo, tenant: string, options: DescribeOptions): Promise<void> {
  const act = options.keep ? await readAct(io, options) : null;
  await withOpened(io, async ({ describe }) => {
    const text = await describe.text(tenant, options.lang);
    if (act === null || options.dryRun) {
      answer(io, options, { tenant, language: options.lang, text }, () => text.trimEnd());
      return;
    }
    const { kept, changes } = await describe.keep(tenant, options.lang, act);
    answer(io, options, { tenant, kept, changes }, () =>
      kept
        ? `Kept. What differs from the one before:\n${changes.join('\n')}`
        : 'Nothing differs from the one kept last.',
    );
  });
}
