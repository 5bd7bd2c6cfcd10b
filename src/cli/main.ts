// The command line: parses, runs one command, turns what went wrong into a sentence and an exit code.
import { Command, CommanderError } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import type { CliIo } from './command.js';
import { COMMANDS } from './commands.js';
import { EXIT } from './exit-codes.js';
import { VERSION } from './version.js';

export async function runCli(argv: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  let exitCode: number = EXIT.ok;
  const io: CliIo = {
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    isTty: process.stdout.isTTY,
    signal: stop.signal,
    setExitCode: (code) => (exitCode = code),
  };
  try {
    await runCommand(argv, io);
    return exitCode;
  } catch (error) {
    return report(error, io);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

export async function runCommand(argv: readonly string[], io: CliIo): Promise<void> {
  const program = new Command('ledgerbridge')
    .description('Carries invoices and costs from the invoicing service into your ERP, each exactly once.')
    .version(VERSION)
    .showHelpAfterError('(add --help for the options and examples)')
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride();
  for (const register of COMMANDS) register(program, io);
  await program.parseAsync([...argv], { from: 'user' });
}

function report(error: unknown, io: CliIo): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CodedError) {
    io.err(`${error.message}\n  ${error.code}: ${error.definition.remedy}\n`);
    return EXIT.failed;
  }
  io.err(`Unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT.failed;
}
