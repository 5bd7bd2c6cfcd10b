// What every command gets: the program to hang itself on and the world to speak to. Nothing in a command touches
// process.* directly, so commands can be run in tests as functions.
import type { Command as Program } from 'commander';

export interface CliIo {
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether standard output is a terminal: colours, widths and live progress are for people only. */
  readonly isTty: boolean;
  /** Width of that terminal. */
  readonly columns?: number;
  /** Aborted on SIGINT and SIGTERM, and when nobody reads standard output any more. */
  readonly signal: AbortSignal;
  /** The exit code of the run unless something throws; 0 at first. */
  readonly setExitCode: (code: number) => void;
}

/** It registers names, options and help, and imports what it needs when it runs. `whole` is the tree with every command in it. */
export type RegisterCommand = (program: Program, io: CliIo, whole: () => Promise<Program>) => void;

/** Examples under the options of a command's help: what to type, and what for. */
export function examples(...lines: readonly (readonly [command: string, purpose: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  const shown = lines.map(([command, purpose]) => `  $ ${command.padEnd(width)}  ${purpose}`);
  return `\nExamples:\n${shown.join('\n')}`;
}
