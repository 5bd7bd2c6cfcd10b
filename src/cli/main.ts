// The command line: parses, runs one command, turns what went wrong into a sentence and an exit code.
// Promises: answers go to standard output and everything else to standard error; `--json` answers are JSON and nothing else;
// no stack trace for what a person can mend.
import { CommanderError } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import { maskSecrets } from '../domain/secret.js';
import { withoutDirections } from '../domain/text.js';
import type { CliIo } from './command.js';
import { endProcess } from './end-in-time.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { programFor } from './program.js';

/** What a deadline cut off may hold a socket for minutes more; nobody waits for it. */
const LINGER_MS_MAX = 1_000;

/** What was begun when the output was closed gets this long to end. */
const CLOSED_MS_MAX = 60_000;

/** Nobody reads on. */
class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** The whole life of the process: it ends with the command, or soon after. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCli(argv);
  setTimeout(endProcess, LINGER_MS_MAX).unref();
}

async function runCli(argv: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const closed = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  let exitCode: number = EXIT.ok;
  const io: CliIo = {
    stdin: process.stdin,
    out: (text) => {
      // Unwinds the command like a failure, so that it closes what it opened.
      if (closed.signal.aborted) throw new OutputClosed();
      process.stdout.write(text);
    },
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    isTty: process.stdout.isTTY,
    columns: process.stdout.columns,
    signal: stop.signal,
    setExitCode: (code) => (exitCode = code),
  };
  // `ledgerbridge … | head` closes the pipe early, which is no error. Whoever has a database or servers running must still
  // end them; so it is a request to stop and not the end of the process.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' || closed.signal.aborted) return;
    closed.abort();
    stop.abort();
    setTimeout(() => process.exit(exitCode), CLOSED_MS_MAX).unref();
  });
  // Nobody reads the complaints either.
  process.stderr.on('error', () => undefined);
  try {
    await runCommand(argv, io);
    return exitCode;
  } catch (error) {
    return error instanceof OutputClosed ? exitCode : report(error, io);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

export async function runCommand(argv: readonly string[], io: CliIo): Promise<void> {
  const program = await programFor(argv, io);
  await program.parseAsync([...argv], { from: 'user' });
}

export function report(error: unknown, io: CliIo): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CodedError) {
    io.err(withoutDirections(maskSecrets(`${error.message}\n  ${error.code}: ${error.definition.remedy}\n`)));
    return exitCodeOf(error.code);
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.err(maskSecrets(`Unexpected, and a mistake of ledgerbridge: ${told}\n`));
  return EXIT.failed;
}
