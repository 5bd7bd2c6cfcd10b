// What a person does to one submission: replay it, skip it, or say which of several customers is meant.
import { type Command, InvalidArgumentError } from 'commander';
import type { Operations } from '../operations/operations.js';
import type { SubmissionRow } from '../operations/views/outgoing.js';
import type { Act } from '../operations/act.js';
import type { CliIo } from './command.js';
import { type ActOptions, actOptions, sayWhoWorks, withOperations } from './operate.js';
import { perform } from './perform.js';

interface ReplayOptions extends ActOptions {
  readonly surelyAbsent?: boolean;
  readonly sends?: number;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}

export function registerOutgoingActs(outgoing: Command, io: CliIo): void {
  const replay = outgoing
    .command('replay <reference>')
    .description(
      'take one up again that was parked, refused or skipped; what may have been sent is searched for first',
    )
    .option('--surely-absent', 'somebody has looked: the service surely has nothing of it')
    .option(
      '--sends <count>',
      'with --surely-absent: how many requests `outgoing show` had when they looked; refused if there are more by now',
      wholeNumber,
    );
  actOptions(replay, { asks: false }).action((reference: string, options: ReplayOptions) =>
    doIt(io, reference, options, (operations, id, act) =>
      operations.replaySubmission(id, act, {
        ...{ surelyAbsent: options.surelyAbsent, sends: options.sends },
      }),
    ),
  );
  const skip = outgoing.command('skip <reference>').description('it is not sent; its origin is told');
  actOptions(skip, { asks: false }).action((reference: string, options: ActOptions) =>
    doIt(io, reference, options, (operations, id, act) => operations.skipSubmission(id, act)),
  );
  const withdraw = outgoing
    .command('withdraw <reference>')
    .description('delete a cost, draft or order at the service again, where its rules allow that');
  actOptions(withdraw, { asks: false }).action((reference: string, options: ActOptions) =>
    doIt(io, reference, options, (operations, id, act) => operations.withdrawSubmission(id, act)),
  );
  const use = outgoing
    .command('use <reference> <guid>')
    .description(
      'which customer or item at the service is meant, where several have the kennitala or number',
    );
  actOptions(use, { asks: false }).action((reference: string, guid: string, options: ActOptions) =>
    doIt(io, reference, options, (operations, id, act) => operations.chooseCustomer(id, guid, act)),
  );
}

async function doIt(
  io: CliIo,
  reference: string,
  options: ActOptions,
  work: (operations: Operations, id: string, act: Act) => Promise<SubmissionRow>,
): Promise<void> {
  await withOperations(io, async (operations) => {
    const performed = await perform(io, options, async (act) => {
      const { id, kind, reference: name, state } = await operations.submission(reference);
      return {
        consequence: `${kind} ${name} is ${state}.`,
        would: { value: { would: id, state }, text: `${kind} ${name} is ${state}; nothing was changed.` },
        carryOut: async () => {
          const row = await work(operations, id, act);
          return { value: row, text: `${kind} ${name} is ${row.state} now.` };
        },
      };
    });
    if (performed) await sayWhoWorks(io, operations);
  });
}
