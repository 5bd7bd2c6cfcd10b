// `ledgerbridge simulate`: the real pipeline in virtual time, seed after seed, while everything goes wrong. A seed that breaks a
// promise is shrunk to the fewest faults and kept as its decisions, which replay on any version.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CampaignState, Direction, Failure } from './campaign.js';
import type { Recording, Shrunk } from './shrink.js';
import { examples, type CliIo, type RegisterCommand } from '../../src/cli/command.js';
import { EXIT } from '../../src/cli/exit-codes.js';

interface Flags {
  readonly seeds: number;
  readonly from: number;
  readonly seed?: number;
  readonly trace?: true;
  readonly minutes?: number;
  readonly maxFailures: number;
  readonly direction: Direction;
  readonly items: number;
  readonly replay?: string;
  readonly json?: true;
}

export const registerSimulate: RegisterCommand = (program, io) => {
  program
    .command('simulate')
    .description(
      'Runs the pipeline itself against a simulated service and simulated books: processes die and sleep, answers are lost, people edit, operators act, databases are restored. Each seed is a world of its own and checks every promise at its end. A seed that breaks one is shrunk to the fewest faults, and its decisions are written to a file that `--replay` runs again.',
    )
    .option('-n, --seeds <count>', 'how many worlds', wholeNumber(1, 10_000_000), 60)
    .option('--from <seed>', 'the first of them', wholeNumber(0, 1_000_000_000), 1)
    .option('--seed <seed>', 'one world alone', wholeNumber(0, 1_000_000_000))
    .option('--trace', 'with --seed or --replay: every event of it')
    .option('--minutes <minutes>', 'stop after so long', wholeNumber(1, 100_000))
    .option('--max-failures <count>', 'stop after so many broken worlds', wholeNumber(1, 100_000), 3)
    .addOption(
      new Option(
        '--direction <which>',
        'documents into the books (in), records of origins into the service (out), or both in one world',
      )
        .choices(['in', 'out', 'both'])
        .default('in'),
    )
    .option(
      '--items <count>',
      'with --direction out or both: so many items of a catalogue in each world',
      wholeNumber(0, 100),
      0,
    )
    .option('--replay <file>', 'run kept decisions again')
    .option('--json', 'the report as JSON')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge simulate', 'some sixty worlds'],
        ['ledgerbridge simulate --seeds 10000 --minutes 60', 'as many as an hour allows'],
        ['ledgerbridge simulate --direction both --seeds 1000', 'what goes into the service as well'],
        ['ledgerbridge simulate --seed 17 --trace', 'one of them again, event by event'],
      ),
    )
    .action((flags: Flags, command: Command) => {
      if (flags.items > 0 && flags.direction === 'in')
        command.error('error: items go into the service: add --direction out or both', {
          exitCode: EXIT.usage,
        });
      return flags.replay === undefined ? search(io, flags) : replayFile(io, flags, flags.replay);
    });
};

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`A whole number from ${min} to ${max} is needed.`);
    return number;
  };
}

const SHOWN_EVERY_SECONDS = 2;
const SHRINK_RUNS_MAX = 500;
const SHRINK_MS_MAX = 300_000;

async function search(io: CliIo, flags: Flags): Promise<void> {
  const { runCampaign, simulateSeed } = await import('./campaign.js');
  if (flags.seed !== undefined && flags.trace)
    io.out(`${(await simulateSeed(flags.seed, flags.direction, flags.items)).join('\n')}\n`);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const seeds = flags.seed === undefined ? flags.seeds : 1;
  const minutes = flags.minutes ?? Infinity;
  const state = await runCampaign({
    from: flags.seed ?? flags.from,
    seeds,
    failuresMax: flags.maxFailures,
    direction: flags.direction,
    items: flags.items,
    isOver: () => io.signal.aborted || seconds() > minutes * 60,
    onRun: toldAs(io, { seeds, minutes }, seconds),
  });
  const kept = [];
  for (const failure of state.failures) kept.push(await keep(io, failure));
  report(io, flags, state, seconds(), kept);
  if (state.failures.length > 0) io.setExitCode(EXIT.problems);
}

interface Bounds {
  readonly seeds: number;
  readonly minutes: number;
}

/** A broken world is named at once: a long search may be stopped before its end. How far it is, now and then. */
export function toldAs(io: Pick<CliIo, 'err'>, bounds: Bounds, seconds: () => number) {
  let shownAt = -Infinity;
  let named = 0;
  return (sofar: CampaignState): void => {
    for (const { seed, broken } of sofar.failures.slice(named))
      io.err(`seed ${seed} breaks a promise: ${broken[0] ?? ''}\n`);
    named = sofar.failures.length;
    if (seconds() - shownAt < SHOWN_EVERY_SECONDS) return;
    shownAt = seconds();
    io.err(`${progressOf(sofar, seconds(), bounds)}\n`);
  };
}

function progressOf({ runs, failures }: CampaignState, seconds: number, { seeds, minutes }: Bounds): string {
  const leftSeconds = Math.max(0, Math.min(((seeds - runs) * seconds) / runs, minutes * 60 - seconds));
  const left = leftSeconds < 90 ? `${Math.ceil(leftSeconds)} s` : `${Math.ceil(leftSeconds / 60)} min`;
  const pace = `${(runs / seconds).toFixed(1)} a second`;
  return `${runs} of ${seeds} worlds, ${pace}, ${failures.length} broken, about ${left} left`;
}

interface Kept {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly file: string | null;
  readonly faults: readonly string[];
}

async function keep(io: CliIo, { seed, options, broken }: Failure): Promise<Kept> {
  const { shrink } = await import('./shrink.js');
  const { faultsOf } = await import('./chance.js');
  io.err(`shrinking seed ${seed}\n`);
  const began = performance.now();
  const isOver = () => io.signal.aborted || performance.now() - began > SHRINK_MS_MAX;
  const shrunk = await shrink(options, { runsMax: SHRINK_RUNS_MAX, isOver });
  if (!shrunk) return { seed, broken, file: null, faults: [] };
  const file = resolve(io.cwd, `simulated-${seed}.json`);
  writeFileSync(file, `${JSON.stringify(recordingOf(shrunk), null, 2)}\n`);
  return {
    seed,
    broken,
    file,
    faults: faultsOf(shrunk.decisions).map(({ name, number }) => `${name} (${number})`),
  };
}

function recordingOf({ broken, options, decisions }: Shrunk): Recording {
  return { broken, options, decisions };
}

function report(io: CliIo, flags: Flags, state: CampaignState, seconds: number, kept: readonly Kept[]): void {
  const { runs, events, entries, made } = state;
  const perSecond = Number((runs / seconds).toFixed(2));
  if (flags.json) {
    io.out(`${JSON.stringify({ runs, events, entries, made, seconds, perSecond, broken: kept })}\n`);
    return;
  }
  io.out(
    `${runs} worlds in ${seconds.toFixed(1)} s (${perSecond} a second), ${entries} entries booked, ${made} made at the service, ${kept.length} broken.\n`,
  );
  for (const { seed, broken, file, faults } of kept) {
    io.out(`\nSeed ${seed}:\n${broken.map((one) => `  ${one}\n`).join('')}`);
    if (faults.length > 0) io.out(`  with: ${faults.join(', ')}\n`);
    if (file !== null) io.out(`  again: ledgerbridge simulate --replay ${file} --trace\n`);
  }
}

async function replayFile(io: CliIo, flags: Flags, file: string): Promise<void> {
  const { replay } = await import('./shrink.js');
  const { brokenPromises } = await import('./invariants.js');
  const recording = JSON.parse(readFileSync(resolve(io.cwd, file), 'utf8')) as Recording;
  const run = await replay(recording);
  const broken = brokenPromises(run);
  if (flags.trace) io.out(`${run.kernel.trace.join('\n')}\n`);
  if (flags.json) io.out(`${JSON.stringify({ broken, expected: recording.broken })}\n`);
  else io.out(broken.length === 0 ? 'Every promise is kept.\n' : broken.map((one) => `${one}\n`).join(''));
  if (broken.length > 0) io.setExitCode(EXIT.problems);
}
