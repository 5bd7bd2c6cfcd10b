// `ledgerbridge skip`, `hold`, `release` and `move-to-new`: what a person decides about documents.
import type { Act } from '../operations/act.js';
import type { Operations } from '../operations/operations.js';
import type { ActResult } from '../operations/views/act.js';
import { answer } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { documents } from './format.js';
import {
  type ActOptions,
  actOf,
  actOptions,
  postingIdsOf,
  sayWhoWorks,
  tenantOption,
  withOperations,
} from './operate.js';
import { confirm } from './prompt.js';

interface SetAsideOptions extends ActOptions {
  readonly tenant?: string;
  readonly local?: boolean;
}

type Decide = (
  operations: Operations,
  ids: readonly string[],
  act: Act,
  options: SetAsideOptions,
) => Promise<ActResult>;

const DECISIONS: Readonly<
  Record<'skip' | 'hold' | 'release', { about: string; consequence: string; decide: Decide }>
> = {
  skip: {
    about: 'decide that documents are not booked; the source is told Skipped',
    consequence:
      'will not be booked, and the source is told Skipped, which a cost leaves only by move-to-new',
    decide: (operations, ids, act, { local }) => operations.skip(ids, act, { writeBack: !local }),
  },
  hold: {
    about: 'keep documents from being posted until they are released',
    consequence: 'will wait until released',
    decide: (operations, ids, act) => operations.hold(ids, act),
  },
  release: {
    about: 'let held documents go on',
    consequence: 'will go on',
    decide: (operations, ids, act) => operations.release(ids, act),
  },
};

export const registerSetAside: RegisterCommand = (program, io) => {
  for (const [name, { about, consequence, decide }] of Object.entries(DECISIONS)) {
    const command = program.command(`${name} <documents...>`).description(about).addOption(tenantOption());
    if (name === 'skip') command.option('--local', 'do not tell the source');
    actOptions(command)
      .addHelpText(
        'after',
        examples([`ledgerbridge ${name} 2024-1187 --reason "booked by hand last year"`, 'one document']),
      )
      .action((named: string[], options: SetAsideOptions) => run(io, named, options, consequence, decide));
  }
  const move = program
    .command('move-to-new <documents...>')
    .description('move costs that stand in Error or Skipped back to New at the source, to be approved again')
    .addOption(tenantOption());
  actOptions(move)
    .addHelpText(
      'after',
      '\nApprove them in the invoicing service afterwards: the next sweep brings them back by itself.',
    )
    .action((named: string[], options: SetAsideOptions) =>
      run(io, named, options, 'will be moved to New at the source', moveAll),
    );
};

const moveAll: Decide = async (operations, ids, act) => {
  const result: ActResult = { done: [], refused: [] };
  for (const id of ids) {
    try {
      await operations.moveToNew(id, act);
      result.done.push(id);
    } catch (error) {
      result.refused.push({ postingId: id, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return result;
};

async function run(
  io: CliIo,
  named: readonly string[],
  options: SetAsideOptions,
  consequence: string,
  decide: Decide,
): Promise<void> {
  await withOperations(io, async (operations) => {
    const ids = await postingIdsOf(operations, named, options.tenant);
    const act = actOf(io, options);
    const what = `${documents(ids.length)} ${consequence}.`;
    if (options.dryRun) {
      answer(io, options, { would: ids }, () => what);
      return;
    }
    if (!(await confirm(io, { consequence: what, question: 'Go ahead?', yes: options.yes }))) return;
    const result = await decide(operations, ids, act, options);
    answer(io, options, result, () =>
      [
        `Done: ${documents(result.done.length)}.`,
        ...result.refused.map(({ postingId, why }) => `  ${postingId}: ${why}`),
      ].join('\n'),
    );
    if (result.refused.length > 0) io.setExitCode(EXIT.failed);
    await sayWhoWorks(io, operations);
  });
}
