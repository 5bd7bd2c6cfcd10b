// `ledgerbridge skip`, `hold`, `release` and `move-to-new`: what a person decides about documents.
import type { Act } from '../operations/act.js';
import type { Operations } from '../operations/operations.js';
import type { ActResult } from '../operations/views/act.js';
import type { Action } from '../operations/views/document.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { documents } from './table.js';
import {
  type ActOptions,
  actOptions,
  identifyAll,
  sayWhoWorks,
  tenantOption,
  withOperations,
} from './operate.js';
import { perform } from './perform.js';

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
  for (const name of ['skip', 'hold', 'release'] as const) {
    const { about, consequence, decide } = DECISIONS[name];
    const command = program.command(`${name} <documents...>`).description(about).addOption(tenantOption());
    if (name === 'skip') command.option('--local', 'do not tell the source');
    actOptions(command)
      .addHelpText(
        'after',
        examples([`ledgerbridge ${name} 2024-1187 --reason "booked by hand last year"`, 'one document']),
      )
      .action((named: string[], options: SetAsideOptions) =>
        run(io, named, options, { name, consequence, decide }),
      );
  }
  const move = program
    .command('move-to-new <documents...>')
    .description('move costs that stand in Error or Skipped back to New at the source, to be approved again')
    .addOption(tenantOption());
  actOptions(move)
    .addHelpText(
      'after',
      `${examples(['ledgerbridge move-to-new 2024-77 -r "VAT corrected"', 'one cost'])}

Approve them in the invoicing service afterwards: the next sweep brings them back by itself.`,
    )
    .action((named: string[], options: SetAsideOptions) =>
      run(io, named, options, {
        name: 'move-to-new',
        consequence: 'will be moved to New at the source',
        decide: moveAll,
      }),
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
  { name, consequence, decide }: { name: Action; consequence: string; decide: Decide },
): Promise<void> {
  await withOperations(io, async (operations) => {
    const ids = await identifyAll(operations, named, options.tenant);
    const typed = new Map(ids.map((id, index) => [id, named[index] ?? id]));
    const judged = options.dryRun ? await dryRun(operations, ids, name) : { done: [], refused: [] };
    const performed = await perform(io, options, (act) => ({
      consequence: `${documents(ids.length)} ${consequence}.`,
      question: 'Go ahead?',
      would: { value: judged, text: resultText('Possible', judged, typed) },
      carryOut: async () => {
        const result = await decide(operations, ids, act, options);
        const exitCode = result.refused.length > 0 ? EXIT.failed : undefined;
        return { value: result, text: resultText('Done', result, typed), exitCode };
      },
    }));
    if (performed) await sayWhoWorks(io, operations);
  });
}

/** What `explain` offers is what can be done; everything else would be refused. */
async function dryRun(operations: Operations, ids: readonly string[], name: Action): Promise<ActResult> {
  const judged: ActResult = { done: [], refused: [] };
  for (const id of ids) {
    const { actions, sentence } = await operations.explain(id);
    if (actions.includes(name)) judged.done.push(id);
    else judged.refused.push({ postingId: id, why: `Not possible now. ${sentence}` });
  }
  return judged;
}

/** What was refused is named as the person named it. */
function resultText(
  opening: string,
  { done, refused }: ActResult,
  typed: ReadonlyMap<string, string>,
): string {
  return [
    `${opening}: ${documents(done.length)}.`,
    ...refused.map(({ postingId, why }) => `  ${typed.get(postingId) ?? postingId}: ${why}`),
  ].join('\n');
}
