// How far a long command is, on standard error: one living line on a terminal, a line every tenth elsewhere.
import type { CliIo } from './command.js';

export interface Progress {
  readonly advance: (by?: number) => void;
  readonly done: () => void;
}

const BAR_WIDTH = 24;
const PLAIN_STEPS = 10;

export function progress(io: CliIo, label: string, total: number): Progress {
  let count = 0;
  let shown = -1;
  const show = (force: boolean) => {
    const share = total === 0 ? 1 : Math.min(count / total, 1);
    const step = Math.floor(share * (io.isTty ? 100 : PLAIN_STEPS));
    if (step === shown && !force) return;
    shown = step;
    io.err(
      io.isTty
        ? `\r${bar(share)} ${label} ${String(count)}/${String(total)}`
        : `${label}: ${String(count)}/${String(total)}\n`,
    );
  };
  return {
    advance: (by = 1) => {
      count += by;
      show(false);
    },
    done: () => {
      if (!io.isTty) return;
      show(true);
      io.err('\n');
    },
  };
}

const COUNTED_STEP = 1_000;

/** The same where nobody knows the end: what is done so far, by stages. */
export function counter<Stage extends string>(io: CliIo, words: Readonly<Record<Stage, string>>) {
  let last: { readonly stage: Stage; readonly count: number } | null = null;
  return {
    show: (stage: Stage, count: number): void => {
      const isDue = last?.stage !== stage || io.isTty || count >= last.count + COUNTED_STEP;
      if (!isDue || (last?.stage === stage && last.count === count)) return;
      if (io.isTty && last !== null && last.stage !== stage) io.err('\n');
      last = { stage, count };
      io.err(`${io.isTty ? '\r' : ''}${words[stage]}: ${String(count)}${io.isTty ? '' : '\n'}`);
    },
    done: (): void => {
      if (io.isTty && last !== null) io.err('\n');
    },
  };
}

function bar(share: number): string {
  const full = Math.round(share * BAR_WIDTH);
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
}
