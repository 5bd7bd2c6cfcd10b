// The course of every command that changes something: who acts and why, what would happen, a dry run or a person's yes, the deed,
// and its answer. Commands say what is theirs about it; the order is written here.
import type { Act } from '../operations/act.js';
import { answer } from './answer.js';
import type { CliIo } from './command.js';
import { type ActOptions, readAct } from './operate.js';
import { confirm } from './prompt.js';
import type { RecordsCare, Wanted } from '../bridge/care-for-records.js';

export interface Said {
  /** For --json. */
  readonly value: unknown;
  readonly text: string;
}

export interface Deed {
  /** What will happen, said exactly. */
  readonly consequence: string;
  /** Absent: it only adds something, and nobody is asked. */
  readonly question?: string | undefined;
  /** The answer of a dry run. */
  readonly would: Said;
  /** Does it, and says what came of it. The exit code is for what could not be done in full. */
  readonly carryOut: () => Promise<Said & { readonly exitCode?: number | undefined }>;
}

/**
 * `prepare` looks at what is to be done and changes nothing. false: it was a dry run, or a person said no; what there is to say about
 * it was said.
 */
export async function perform(
  io: CliIo,
  options: ActOptions,
  prepare: (act: Act) => Promise<Deed> | Deed,
): Promise<boolean> {
  const { consequence, question, would, carryOut } = await prepare(await readAct(io, options));
  if (options.dryRun) {
    answer(io, options, would.value, () => would.text);
    return false;
  }
  if (question !== undefined && !(await confirm(io, { consequence, question, yes: options.yes })))
    return false;
  const { value, text, exitCode } = await carryOut();
  answer(io, options, value, () => text);
  if (exitCode !== undefined) io.setExitCode(exitCode);
  return true;
}

// The records as a whole, opened for a command.

export async function withCare<Result>(
  io: CliIo,
  wanted: Wanted,
  work: (care: RecordsCare) => Promise<Result>,
): Promise<Result> {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { withRecords } = await import('../bridge/care-for-records.js');
  return withRecords(readBridgeSettings(io.env, io.cwd), wanted, work);
}
