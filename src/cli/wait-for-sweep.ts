// `sweep --wait`: until a sweep of each kind has ended that began after it was asked for.
import { setTimeout as sleep } from 'node:timers/promises';
import { SOURCE_KINDS } from '../domain/source-document.js';
import type { Operations } from '../operations/operations.js';
import type { SweepView } from '../operations/views/overview.js';
import { answer, type JsonOption } from './answer.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { sayWhoWorks } from './operate.js';

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
