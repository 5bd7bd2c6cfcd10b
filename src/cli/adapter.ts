// `ledgerbridge adapter list` and `adapter try`: what ERPs there are, and whether one works. `test` and `new` are for authors of adapters
// and come from the laboratory (lab/kit/command.ts).
import type { Command as Program } from 'commander';
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import { type CliIo, examples } from './command.js';
import { EXIT } from './exit-codes.js';
import type { TryOptions } from './adapter-try.js';
import { YES_FLAG } from './prompt.js';
import { table } from './table.js';

export function registerAdapter(program: Program, io: CliIo): Program {
  const adapter = program
    .command('adapter')
    .description('ERP adapters: list them, test one, try one, begin one')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge adapter list', 'the adapters that a tenant can name'],
        ['ledgerbridge adapter new my-erp', 'write a skeleton that passes the suite'],
        [
          'ledgerbridge adapter new my-erp --kind draft-then-post',
          'the same for an ERP that keeps drafts first',
        ],
        ['ledgerbridge adapter test ./dist/conformance.js', 'run the suite on an adapter of your own'],
        ['ledgerbridge adapter try hraun', 'post, read back and reverse one entry of 1 króna for real'],
      ),
    );
  adapter
    .command('list')
    .description('list the adapters that a tenant can name')
    .option(...JSON_FLAG)
    .action((options: JsonOption) => list(io, options));
  adapter
    .command('try')
    .argument('<tenant>', 'whose books')
    .description('post one entry of 1 króna for real, read it back, compare and reverse it')
    .option('--date <day>', 'posting date, in an open period (default: today)')
    .option('--directory <path>', 'tenant files are there instead of in LEDGERBRIDGE_CONFIG')
    .option(...YES_FLAG)
    .option(...JSON_FLAG)
    .addHelpText('after', `\nExit code ${String(EXIT.problems)} when a step fails.`)
    .action(async (tenant: string, options: TryOptions) => {
      const { tryAdapter } = await import('./adapter-try.js');
      await tryAdapter(io, tenant, options);
    });
  return adapter;
}

async function list(io: CliIo, options: JsonOption): Promise<void> {
  const { allErpAdapters } = await import('../erp/registry.js');
  const adapters = (await allErpAdapters()).map(({ name, title }) => ({ name, title }));
  const columns = [
    { title: 'adapter', value: (row: (typeof adapters)[number]) => row.name },
    { title: 'ERP', value: (row: (typeof adapters)[number]) => row.title },
  ];
  answer(io, options, adapters, () => table(io, columns, adapters));
}
