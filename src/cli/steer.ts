// `ledgerbridge pause`, `resume`, `sweep`, `cursor` and `reconcile`: what is done to a tenant as a whole.
import { setTimeout as sleep } from 'node:timers/promises';
import { differenceCure } from '../language/difference-cures.js';
import { type SourceKind, SOURCE_KINDS } from '../domain/source-document.js';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Operations } from '../operations/operations.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { moment, table } from './table.js';
import { type ActOptions, readAct, actOptions, sayWhoWorks, withOperations } from './operate.js';
import { perform } from './perform.js';
import type { SweepView } from '../operations/views/overview.js';

interface SweepOptions extends ActOptions {
  readonly full?: boolean;
  readonly wait?: boolean;
}

export const registerSteer: RegisterCommand = (program, io) => {
  actOptions(
    program.command('pause <tenant>').description('stop posting for a tenant; what is under way is finished'),
  )
    .addHelpText('after', examples(['ledgerbridge pause hraun -r "month end"', 'until resumed']))
    .action((tenant: string, options: ActOptions) => pause(io, tenant, options, true));
  actOptions(program.command('resume <tenant>').description('let a paused tenant go on'))
    .addHelpText(
      'after',
      examples(['ledgerbridge resume hraun -r "books are open again"', 'it goes on at once']),
    )
    .action((tenant: string, options: ActOptions) => pause(io, tenant, options, false));
  actOptions(
    program
      .command('sweep <tenant>')
      .description('look for documents now instead of at the next run')
      .option('--full', 'read everything since the cut-over, not only what is new')
      .option('--wait', 'until it is done, and say what it found'),
    { asks: false },
  )
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge sweep hraun', 'what is new'],
        ['ledgerbridge sweep hraun --wait', 'and what was found'],
        ['ledgerbridge sweep hraun --full', 'when something seems to be missing'],
      ),
    )
    .action((tenant: string, options: SweepOptions) => sweep(io, tenant, options));
  actOptions(
    program
      .command('cursor <tenant> [kind] [day]')
      .description(
        'show from which day the fast path looks, or set it; the full sweep looks at everything anyway',
      ),
  )
    .addHelpText(
      'after',
      examples(['ledgerbridge cursor hraun cost 2026-01-01 -r "late approvals"', 'look further back']),
    )
    .action((tenant: string, kind: string | undefined, day: string | undefined, options: ActOptions) =>
      cursor(io, tenant, kind, day, options),
    );
  program
    .command('reconcile <tenant>')
    .description('compare the source, the records and the ERP for a period; only reads')
    .requiredOption('--from <day>', 'first day')
    .requiredOption('--to <day>', 'last day')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      `${examples(['ledgerbridge reconcile hraun --from 2026-01-01 --to 2026-01-31', 'is January whole?'])}

Exit code ${String(EXIT.problems)} when something differs; an incident is opened then.`,
    )
    .action((tenant: string, options: JsonOption & { from: string; to: string }) =>
      reconcile(io, tenant, options),
    );
};

async function pause(io: CliIo, tenant: string, options: ActOptions, pausing: boolean): Promise<void> {
  await withOperations(io, async (operations) => {
    const consequence = pausing ? `Nothing more is posted for ${tenant}.` : `${tenant} goes on posting.`;
    const already = pausing ? `${tenant} was paused already.` : `${tenant} was not paused.`;
    await perform(io, options, (act) => ({
      consequence,
      question: 'Go ahead?',
      would: {
        value: { would: consequence },
        text: `Nothing was changed. It would mean: ${consequence}`,
      },
      carryOut: async () => {
        const changed = await (pausing ? operations.pause(tenant, act) : operations.resume(tenant, act));
        return { value: { tenant, paused: pausing, changed }, text: changed ? consequence : already };
      },
    }));
  });
}

async function sweep(io: CliIo, tenant: string, options: SweepOptions): Promise<void> {
  await withOperations(io, async (operations) => {
    const said = { reason: 'sweep now', ...options };
    if (options.wait && !options.dryRun) {
      const before = await readSweeps(operations, tenant);
      await operations.sweep(tenant, await readAct(io, said), { full: options.full });
      return waitForSweep(io, operations, tenant, before, options);
    }
    const consequence = `${tenant} is swept as soon as a worker is free.`;
    const performed = await perform(io, said, (act) => ({
      consequence,
      would: { value: { would: 'sweep' }, text: `${tenant} would be swept.` },
      carryOut: async () => {
        await operations.sweep(tenant, act, { full: options.full });
        return { value: { tenant, requested: true }, text: consequence };
      },
    }));
    if (performed) await sayWhoWorks(io, operations);
  });
}

async function cursor(
  io: CliIo,
  tenant: string,
  kind: string | undefined,
  day: string | undefined,
  options: ActOptions,
): Promise<void> {
  await withOperations(io, async (operations) => {
    const cursors = await operations.cursors(tenant);
    if (kind === undefined) {
      answer(io, options, cursors, () => cursorTable(io, cursors));
      return;
    }
    if ((kind !== 'invoice' && kind !== 'cost') || day === undefined)
      throw new CodedError(
        'CLI_USAGE',
        'Name a kind (invoice or cost) and a day: cursor hraun cost 2026-01-01',
      );
    const before = cursors.find((row) => row.kind === kind);
    const now = before === undefined ? 'It has none yet' : `It looks from ${before.fromDate} on`;
    const consequence = `The fast path of ${tenant} for ${kind}s looks from ${day} on.`;
    await perform(io, options, (act) => ({
      consequence,
      question: 'Set it?',
      would: {
        value: { would: consequence },
        text: `Nothing was changed. ${now}; it would look from ${day} on.`,
      },
      carryOut: async () => {
        await operations.setCursor(tenant, kind satisfies SourceKind, day, act);
        const after = await operations.cursors(tenant);
        return { value: after, text: cursorTable(io, after) };
      },
    }));
  });
}

function cursorTable(io: CliIo, cursors: Awaited<ReturnType<Operations['cursors']>>): string {
  return table(
    io,
    [
      { title: 'KIND', value: (row) => row.kind },
      { title: 'FROM', value: (row) => row.fromDate },
      { title: 'SWEPT', value: (row) => moment(row.lastSweepAt) || 'never' },
      { title: 'FULL SWEEP', value: (row) => moment(row.lastFullSweepAt) || 'never' },
      { title: 'NEXT', value: (row) => (row.fullSweepDue ? 'full' : 'fast') },
    ],
    cursors,
  );
}

/** What to do, once for all differences of a kind. */
function cures(differences: readonly { readonly code: string }[]): string[] {
  const codes = new Set(differences.map(({ code }) => code));
  return [...codes].map((code) => `→ ${code}: ${differenceCure('en', code)}`);
}

async function reconcile(
  io: CliIo,
  tenant: string,
  options: JsonOption & { from: string; to: string },
): Promise<void> {
  await withOperations(io, async (operations) => {
    const report = await operations.reconcile(tenant, { from: options.from, to: options.to });
    answer(io, options, report, () => {
      const counts = table(
        io,
        [
          { title: 'KIND', value: (row) => row.kind },
          { title: 'STATUS', value: (row) => row.status },
          { title: 'SOURCE', align: 'right', value: (row) => String(row.source) },
          { title: 'BRIDGE', align: 'right', value: (row) => String(row.local) },
        ],
        report.counts,
      );
      const entries = `Entries: ${String(report.entries.erp)} in the ERP, ${String(report.entries.local)} on record.`;
      const verdict = report.clean
        ? 'Clean.'
        : [...report.differences.map(({ sentence }) => `✕ ${sentence}`), ...cures(report.differences)].join(
            '\n',
          );
      return `${counts}\n${entries}\n${verdict}`;
    });
    if (!report.clean) io.setExitCode(EXIT.problems);
  });
}

// `sweep --wait`: until a sweep of each kind has ended that began after it was asked for.

const LOOK_MS = 250;
/** Whether anybody works at all is asked this often. */
const RUNNING_MS = 5_000;
const WAIT_MAX_MS = 10 * 60_000;

/** The latest of each kind, done or failed. */
export async function readSweeps(
  operations: Pick<Operations, 'overview'>,
  tenant: string,
): Promise<ReadonlyMap<string, SweepView>> {
  const found = (await operations.overview()).tenants.find(({ name }) => name === tenant);
  const latest = new Map<string, SweepView>();
  for (const sweep of [...(found?.lastSweeps ?? []), ...(found?.failedSweeps ?? [])]) {
    const known = latest.get(sweep.kind);
    if (!known || known.startedAt < sweep.startedAt) latest.set(sweep.kind, sweep);
  }
  return latest;
}

export async function waitForSweep(
  io: CliIo,
  operations: Operations,
  tenant: string,
  before: ReadonlyMap<string, SweepView>,
  options: JsonOption,
): Promise<void> {
  for (let waited = 0; waited < WAIT_MAX_MS && !io.signal.aborted; waited += LOOK_MS) {
    if (waited % RUNNING_MS === 0 && !(await operations.isBridgeRunning())) {
      io.setExitCode(EXIT.unavailable);
      return sayWhoWorks(io, operations);
    }
    const now = await readSweeps(operations, tenant);
    const done = SOURCE_KINDS.flatMap((kind) => {
      const sweep = now.get(kind);
      return sweep && sweep.finishedAt !== null && sweep.startedAt !== before.get(kind)?.startedAt
        ? [sweep]
        : [];
    });
    if (done.length === SOURCE_KINDS.length) {
      answer(io, options, done, () => done.map(sweepText).join('\n'));
      if (done.some(({ outcome }) => outcome !== 'complete')) io.setExitCode(EXIT.failed);
      return;
    }
    await sleep(LOOK_MS, undefined, { signal: io.signal }).catch(() => undefined);
  }
  io.err(`${tenant} is still being swept; it goes on by itself.\n`);
}

function sweepText({ kind, outcome, listed, discovered, message }: SweepView): string {
  const found = `${String(listed)} listed, ${String(discovered)} new`;
  return `${kind}s: ${outcome === 'complete' ? found : `${outcome ?? 'unknown'}, ${found}. ${message ?? ''}`}`;
}
