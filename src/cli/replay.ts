// `ledgerbridge replay`: one document, a selection or a whole cause, after a preview.
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../domain/errors/coded-error.js';
import { type ActInput, ACTS } from '../operations/acts.js';
import type { Operations } from '../operations/operations.js';
import type { Selection } from '../operations/run-records.js';
import type { ReplayPreview, RunView } from '../operations/views/act.js';
import { answer } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { addFields, readFields } from './fields.js';
import { documents, moment, table } from './table.js';
import {
  type ActOptions,
  actOptions,
  identifyAll,
  postingStates,
  sayWhoWorks,
  tenantOption,
  withOperations,
} from './operate.js';
import { perform } from './perform.js';
import { progress } from './progress.js';

/** A run that another process has is looked at this often. */
const FOLLOW_MS = 250;

interface ReplayOptions extends ActOptions {
  readonly tenant?: string;
  readonly cause?: string;
  readonly state?: string;
  readonly list?: boolean;
  readonly resume?: string;
}

export const registerReplay: RegisterCommand = (program, io) => {
  const { input, texts } = ACTS.replay;
  const replay = program
    .command('replay [documents...]')
    .description(texts.summary)
    .addOption(tenantOption())
    .option(
      '-c, --cause <id>',
      'everything that rests for this cause, as `problems` names it; a code alone means all of its causes',
    )
    .option('-s, --state <states>', 'everything in these states, joined by commas');
  addFields(replay, input)
    .option('--list', 'show the runs and how far they are')
    .option('--resume <run>', 'go on with a run that was interrupted');
  actOptions(replay)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge replay 2024-1187 --reason "customer corrected"', 'one document'],
        ['ledgerbridge replay --cause ERP_REFUSED:invalid --dry-run', 'what would happen'],
        ['ledgerbridge replay -t hraun --state parked -r "ERP mended" --yes', 'all that is parked'],
        ['ledgerbridge replay --list', 'how far the runs are'],
      ),
    )
    .action((named: string[], options: ReplayOptions) => {
      const pace = readFields(input, [], { ...options });
      return withOperations(io, (operations) => act(io, operations, named, options, pace));
    });
};

async function act(
  io: CliIo,
  operations: Operations,
  named: readonly string[],
  options: ReplayOptions,
  pace: ActInput<'replay'>,
): Promise<void> {
  if (options.list) return list(io, operations, options);
  if (options.resume !== undefined) {
    const { id } = await workOff(io, operations, await operations.run(options.resume));
    const run = await operations.run(id);
    answer(io, options, run, () => runText(run));
    return;
  }
  const performed = await perform(io, options, async (by) => {
    const selection = await selectDocuments(operations, named, options);
    const preview = await operations.previewReplay(selection, pace);
    return {
      consequence: previewText(preview),
      question: `Replay ${documents(preview.eligible)}?`,
      would: { value: preview, text: previewText(preview) },
      carryOut: async () => {
        const { id } = await workOff(io, operations, await operations.startReplay(selection, by, pace));
        const run = await operations.run(id);
        return { value: run, text: runText(run) };
      },
    };
  });
  if (performed) await sayWhoWorks(io, operations);
}

async function selectDocuments(
  operations: Operations,
  named: readonly string[],
  options: ReplayOptions,
): Promise<Selection> {
  const { tenant, cause, state } = options;
  if (cause !== undefined) await refuseUnknownCause(operations, cause, tenant);
  return {
    ...(named.length > 0 ? { postingIds: await identifyAll(operations, named, tenant) } : { tenant }),
    cause,
    ...(state === undefined ? {} : { states: postingStates(state) }),
  };
}

/** A cause that nothing rests for would choose nothing, which sounds as if all were well. */
async function refuseUnknownCause(operations: Operations, cause: string, tenant?: string): Promise<void> {
  // An open incident is a problem, and no cause that documents rest for.
  const problems = (await operations.problems(tenant)).filter(({ incidentId }) => incidentId === null);
  if (problems.some(({ id, code }) => id === cause || code === cause)) return;
  const ids = problems.map(({ id }) => id);
  const there =
    ids.length === 0
      ? 'Nothing rests for any cause now.'
      : `What documents rest for now: ${ids.slice(0, CAUSES_SAID_MAX).join(', ')}${ids.length > CAUSES_SAID_MAX ? ', …' : ''}.`;
  throw new CodedError('QUERY_INVALID', `No document rests for the cause "${cause.slice(0, 80)}". ${there}`);
}

const CAUSES_SAID_MAX = 10;

/** Works at the run, or follows whoever works at it already, until it is done or the person has seen enough. */
async function workOff(io: CliIo, operations: Operations, run: RunView): Promise<RunView> {
  const bar = progress(io, 'replay', run.total);
  let shown = 0;
  const show = (done: number) => {
    bar.advance(done - shown);
    shown = done;
  };
  for (let { done, state } = run; ; { done, state } = await operations.run(run.id)) {
    show(done);
    if (state === 'done' || io.signal.aborted) break;
    await operations.workOff({ runId: run.id, signal: io.signal, onBatch: (some) => show(shown + some) });
    await sleep(FOLLOW_MS, undefined, { signal: io.signal }).catch(() => undefined);
  }
  bar.done();
  return run;
}

function runText(run: RunView): string {
  const refusals = run.refusals.map(({ why, count }) => `  ${String(count)}: ${why}`);
  const head = `Run ${run.id}: ${documents(run.moved)} set going, ${String(run.refused)} left alone.`;
  const open =
    run.state === 'running'
      ? `\nIt is not finished; go on with --resume ${run.id}, or leave it to the bridge.`
      : '';
  const later = run.moved > 0 ? ['What becomes of them: ledgerbridge replay --list'] : [];
  return [head + open, ...refusals, ...later].join('\n');
}

function previewText(preview: ReplayPreview): string {
  const lines = preview.groups.map(
    ({ eligible, count, sentence, instead }) =>
      `  ${eligible ? '✓' : '✕'} ${String(count)}: ${sentence}${instead === null ? '' : ` (instead: ${instead})`}`,
  );
  const again = preview.restsAgain === 0 ? '' : ` (${String(preview.restsAgain)} only to rest again)`;
  const head = `${documents(preview.total)} chosen, ${String(preview.eligible)} can be replayed${again}, in about ${String(preview.secondsNeeded)} s.`;
  return [head, ...lines].join('\n');
}

async function list(io: CliIo, operations: Operations, options: ReplayOptions): Promise<void> {
  const runs = await operations.runs();
  answer(io, options, runs, () =>
    runs.length === 0
      ? 'No run yet.'
      : table(
          io,
          [
            { title: 'RUN', value: (run) => run.id },
            { title: 'BY', value: (run) => run.actor },
            { title: 'STARTED', value: (run) => moment(run.createdAt) },
            { title: 'STATE', value: (run) => run.state },
            { title: 'DONE', align: 'right', value: (run) => `${String(run.done)}/${String(run.total)}` },
            { title: 'SET GOING', align: 'right', value: (run) => String(run.moved) },
            { title: 'IN BOOKS', align: 'right', value: (run) => String(run.arrived) },
            { title: 'REST AGAIN', align: 'right', value: (run) => String(run.rested) },
            { title: 'REASON', value: (run) => run.reason },
          ],
          runs,
        ),
  );
}
