// What commands that look at or change the records share: the operations on this machine's database, beside a running
// bridge or without one; who acts and why; and what to say when nobody is there to do the work.
import { userInfo } from 'node:os';
import { Option, type Command } from 'commander';
import { isCalendarDay } from '../domain/local-time.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { POSTING_STATES, type PostingState } from '../domain/posting.js';
import type { OpenedOperations } from '../bridge/open-operations.js';
import type { Files } from '../bridge/open-reading.js';
import type { Export } from '../operations/exports.js';
import type { Reading } from '../operations/reading.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import type { Operations } from '../operations/operations.js';
import type { Act } from '../operations/act.js';
import type { JsonOption } from './answer.js';
import type { CliIo } from './command.js';
import { VERSION } from './version.js';

export function withOperations<Result>(
  io: CliIo,
  work: (operations: Operations) => Promise<Result>,
): Promise<Result> {
  return withOpened(io, ({ operations }) => work(operations));
}

/**
 * The client of the database is a WebAssembly program of some megabytes. A command asks a handful of questions and ends, so it
 * is not worth compiling what is never called, nor compiling the rest twice. What serves for days does without this.
 */
async function startLightly(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  for (const flag of ['--liftoff-only', '--wasm-lazy-compilation']) setFlagsFromString(flag);
}

/** For a question. `files`: whether the answer shows what the tenants' files say. */
export async function withReading<Result>(
  io: CliIo,
  files: Files,
  work: (reading: Reading) => Promise<Result>,
): Promise<Result> {
  const settings = await settingsWithRecords(io);
  const { openReading } = await import('../bridge/open-reading.js');
  const opened = await openReading(settings, files);
  try {
    return await work(opened.reading);
  } finally {
    await opened.close();
  }
}

async function settingsWithRecords(io: CliIo): Promise<BridgeSettings> {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { requireRecords } = await import('../bridge/require-records.js');
  const settings = readBridgeSettings(io.env, io.cwd);
  // Before everything else is loaded: whoever has no records yet is told so at once.
  requireRecords(settings.databaseUrl, settings.dataDirectory);
  return settings;
}

/** With the closing of periods and the originals besides. */
export async function withOpened<Result>(
  io: CliIo,
  work: (opened: OpenedOperations) => Promise<Result>,
): Promise<Result> {
  await startLightly();
  const settings = await settingsWithRecords(io);
  const { openOperations } = await import('../bridge/open-operations.js');
  const opened = await openOperations({ settings, env: io.env, version: VERSION });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

export interface ActOptions extends JsonOption {
  readonly reason?: string;
  readonly by?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/**
 * --reason, --by, --yes and --dry-run, the same on everything that changes something. An act that only adds something does
 * not ask, and takes --yes all the same, so that scripts can give it everywhere.
 */
export function actOptions(command: Command, { asks = true }: { readonly asks?: boolean } = {}): Command {
  return command
    .option('-r, --reason <text>', 'why; it is kept in the audit')
    .option('--by <person>', 'who does it (default: the user of this shell)')
    .option('--dry-run', 'show what would happen and change nothing')
    .option('-y, --yes', asks ? 'do not ask' : 'changes nothing here: this is not asked about')
    .option('--json', 'answer in JSON, for machines');
}

export async function readAct(io: CliIo, options: ActOptions): Promise<Act> {
  // Nothing is done on a dry run, so nobody has to answer for it.
  if (options.dryRun) return { actor: 'dry run', reason: 'dry run' };
  const actor = options.by ?? (io.env['USER'] || io.env['LOGNAME'] || userOfProcess());
  if (options.reason === undefined)
    throw new CodedError('CLI_USAGE', 'Say why with --reason: it is kept in the audit.');
  if (actor === '') throw new CodedError('CLI_USAGE', 'Say who you are with --by: it is kept in the audit.');
  // Loaded by whoever acts: the words of refusals are a fifth of what a command would read.
  const { checkedAct } = await import('../operations/act.js');
  // Before anything is looked up or printed; the operation refuses by the same rule.
  // --by is only a name; the person is the user of the operating system.
  const user = userOfProcess();
  return checkedAct({ actor, reason: options.reason, ...(user === '' ? {} : { identity: `os:${user}` }) });
}

/** Who takes something out of the records, by name: nobody has to say why. */
export function exportBy(io: CliIo, given: Pick<Export, 'what' | 'tenant' | 'filter'>): Export {
  return { ...given, actor: personHere(io), by: { by: 'command line' }, subject: null };
}

export function personHere(io: CliIo): string {
  return io.env['USER'] || io.env['LOGNAME'] || userOfProcess() || 'command line';
}

/** Cron, containers and units have no USER; the system still knows who runs the process. */
function userOfProcess(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the system's list of users.
    return '';
  }
}

export function tenantOption(): Option {
  return new Option('-t, --tenant <name>', 'only this tenant');
}

/** Records change at once; the work that follows needs a bridge. */
export async function sayWhoWorks(io: CliIo, reading: Pick<Reading, 'isBridgeRunning'>): Promise<void> {
  if (await reading.isBridgeRunning()) return;
  io.err('No bridge is running on these records, so nothing moves yet. Start one: ledgerbridge serve\n');
}

export async function identifyAll(
  operations: Pick<Operations, 'identify'>,
  references: readonly string[],
  tenant?: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const reference of references) ids.push(await operations.identify(reference, tenant));
  return ids;
}

export function postingStates(text: string): PostingState[] {
  return someOf(POSTING_STATES, text, 'state');
}

/** Joined by commas. */
export function someOf<Value extends string>(known: readonly Value[], text: string, what: string): Value[] {
  return text.split(',').map((name) => {
    const found = known.find((value) => value === name.trim());
    if (found !== undefined) return found;
    throw new CodedError('CLI_USAGE', `There is no ${what} "${name}". Known: ${known.join(', ')}.`);
  });
}

export function oneOf<Value extends string>(known: readonly Value[], text: string, what: string): Value {
  const found = known.find((value) => value === text);
  if (found !== undefined) return found;
  throw new CodedError('CLI_USAGE', `There is no ${what} "${text}". Use one of: ${known.join(', ')}.`);
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CodedError('CLI_USAGE', `"${text}" is not a whole number.`);
}

export function numberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number >= min && number <= max) return number;
    throw new CodedError('CLI_USAGE', `${text} is not a whole number from ${min} to ${max}.`);
  };
}

export function calendarDay(text: string): string {
  if (isCalendarDay(text)) return text;
  throw new CodedError('CLI_USAGE', `"${text}" is not a day like 2026-01-31.`);
}
