// What every command gets: the program to hang itself on and the world to speak to. Nothing in a command touches
// process.* directly, so commands can be run in tests as functions.
import type { Command as Program } from 'commander';

export interface CliIo {
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  out(text: string): void;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTty: boolean;
  /** Aborted on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** The exit code of the run unless something throws; 0 at first. */
  setExitCode(code: number): void;
}

/** One file a command: it registers names, options and help, and imports what it needs when it runs. */
export type RegisterCommand = (program: Program, io: CliIo) => void;
