// Asking before something changes. Where nobody can be asked, nothing changes unless --yes was given.
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';

export interface Confirmation {
  /** What will happen, said exactly. */
  readonly consequence: string;
  readonly question: string;
  /** --yes */
  readonly yes?: boolean | undefined;
}

export const YES_FLAG = ['-y, --yes', 'do not ask'] as const;

/** false: the exit code is set and the reason said; the command only has to return. */
export async function confirm(io: CliIo, { consequence, question, yes }: Confirmation): Promise<boolean> {
  if (yes) return true;
  io.err(`${consequence}\n`);
  if (!io.stdin.isTTY) {
    io.err('Nothing was changed: nobody can be asked here. Add --yes to go ahead.\n');
    io.setExitCode(EXIT.declined);
    return false;
  }
  if (isYes(await ask(io, `${question} [y/N] `))) return true;
  io.err('Nothing was changed.\n');
  io.setExitCode(EXIT.declined);
  return false;
}

/** An interrupted question is a no. */
async function ask(io: CliIo, question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: io.stdin, terminal: false });
  io.err(question);
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answered = new Promise<string>((resolve) => lines.once('line', resolve));
  const stop = () => lines.close();
  io.signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([answered, closed]);
  } finally {
    io.signal.removeEventListener('abort', stop);
    lines.close();
  }
}

function isYes(text: string): boolean {
  return /^(y|yes|j|já)$/i.test(text.trim());
}
