// The specification (spec/protocol.qnt): it keeps its own promises, each of its guards is needed, the functions that check
// histories are what it says, and histories that are wrong are refused.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { COMPILED, compileSpecification, SPECIFICATION } from '../../scripts/compile-specification.mjs';
import { simulate } from '../../lab/proof/run.js';
import { HistoryChecker, refusedBySpecification } from '../../lab/proof/specification/check-history.js';
import type { HistoryStep, StepName } from '../../lab/proof/specification/history.js';
import * as protocol from '../../lab/proof/specification/compiled-protocol.js';
import { isOneStep } from './itf-trace.js';
import { walk } from './walk-specification.js';

const ERPS = ['native-key', 'unique-reference', 'look-up', 'posted-only', 'none'];
const specification = readFileSync(SPECIFICATION, 'utf8');
const TRACES = Number(process.env['TRACES'] ?? 40);

const quint = async (...given: string[]): Promise<string> => {
  const cli = fileURLToPath(import.meta.resolve('@informalsystems/quint')).replace('index.js', 'cli.js');
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...given]);
  return stdout;
};

test('the functions are what the specification says now; run `npm run generate`', async () => {
  expect(readFileSync(COMPILED, 'utf8')).toBe(await compileSpecification());
});

test(`keeps its promises over ${TRACES} traces by chance, and the functions take the same steps`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ledgerbridge-spec-'));
  try {
    const file = fileURLToPath(SPECIFICATION);
    const bounds = [`--max-samples=${TRACES}`, '--max-steps=40', '--n-traces=20'];
    const traces = `--out-itf=${join(directory, '{seq}.itf.json')}`;
    await quint('run', '--backend=typescript', '--invariant=kept', ...bounds, traces, file);
    const seen = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    expect(seen).toHaveLength(20);
    for (const trace of seen) expect(isOneStep(trace)).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** With a restored database there are twenty times as many states: `FULL=1` sees them all. */
const isFull = process.env['FULL'] === '1';

test.each(ERPS)(
  'keeps its promises in every state with an ERP of the kind %s, and can always come to rest',
  (erp) => {
    const { states, broken, stuck } = walk(protocol, erp, isFull || erp === 'none');
    expect(broken).toBeNull();
    expect(stuck).toBe(0);
    expect(states).toBeGreaterThan(1_000);
  },
);

describe('each guard of the specification is needed', () => {
  const guards = [...specification.matchAll(/^.+\/\/ guard: (.+) \((.+)\)$/gm)].map(
    ([line, name = '', where = ''], index) => ({ name: `${index + 1}: ${name}`, line, where }),
  );
  test('there are many', () => expect(guards.length).toBeGreaterThan(12));

  test.each(guards)('$name', async ({ line, where }) => {
    const without = await compiled(specification.replace(line, 'true,'));
    const [erp = '', restored] = where.split(', ');
    expect(walk(without, erp, restored !== undefined).broken).not.toBeNull();
  });
});

async function compiled(text: string): Promise<typeof protocol> {
  const { code } = await transform(await compileSpecification(text), { loader: 'ts', format: 'esm' });
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof protocol;
}

const history = (...steps: readonly (readonly [number, StepName, string?])[]): HistoryStep[] =>
  steps.map(([seconds, what, worker = '']) => ({ what, at: seconds * 1000, guid: 'g', key: 'k', worker }));

const begun = [
  [0, 'claim', 'a'],
  [1, 'intend', 'a'],
  [2, 'send', 'a'],
] as const;

const decided = [
  [0, 'claim', 'a'],
  [1, 'decide', 'a'],
  [2, 'sayDecided', 'a'],
] as const;

describe('a history', () => {
  const refused = (...steps: HistoryStep[]) =>
    new HistoryChecker({ kind: 'look-up', keyLifeMs: 1_800_000 }).check(steps);

  test('of an answer that was lost, looked for after the wait, and sent again is accepted', () => {
    const steps = history(
      ...begun,
      [3, 'lose'],
      [4, 'giveUp', 'a'],
      [90, 'claim', 'b'],
      [91, 'miss', 'b'],
      [92, 'resend', 'b'],
      [93, 'send', 'b'],
      [94, 'arrive'],
      [95, 'answer', 'b'],
      [96, 'find', 'b'],
      [97, 'book', 'b'],
      [98, 'sayPosted', 'b'],
      [98, 'tellPosted', 'b'],
      [99, 'acknowledge', 'b'],
    );
    expect(refused(...steps)).toEqual([]);
  });

  test('of a worker that told the source and died, and of another that found the entry, is accepted', () => {
    const steps = history(
      ...begun,
      [3, 'arrive'],
      [4, 'answer', 'a'],
      [5, 'find', 'a'],
      [6, 'sayPosted', 'a'],
      [7, 'tellPosted', 'a'],
      [90, 'claim', 'b'],
      [91, 'find', 'b'],
      [92, 'book', 'b'],
      [92, 'acknowledge', 'b'],
    );
    expect(refused(...steps)).toEqual([]);
  });

  test('of a word to the source that is on its way while a person reopens the document is accepted', () => {
    expect(
      refused(...history(...decided, [10, 'goOn'], [11, 'claim', 'b'], [12, 'tellDecided', 'a'])),
    ).toEqual([]);
  });

  test.each([
    [
      'sends without an intent',
      [
        [0, 'claim', 'a'],
        [1, 'send', 'a'],
      ],
    ],
    ['sends again without looking', [...begun, [3, 'lose'], [90, 'claim', 'b'], [92, 'resend', 'b']]],
    [
      'sends again after a look that was too early',
      [...begun, [3, 'claim', 'b'], [4, 'miss', 'b'], [5, 'resend', 'b']],
    ],
    [
      'sends under a claim that was taken over',
      [...begun.slice(0, 2), [90, 'claim', 'b'], [91, 'send', 'a']],
    ],
    [
      'commits under a claim that was taken over',
      [
        [0, 'claim', 'a'],
        [90, 'claim', 'b'],
        [91, 'intend', 'a'],
      ],
    ],
    ['books what it has not read back', [...begun, [3, 'arrive'], [4, 'answer', 'a'], [5, 'book', 'a']]],
    ['tells Posted before it is booked', [...begun, [3, 'arrive'], [4, 'sayPosted', 'a']]],
    [
      'tells Posted on the strength of an answer alone',
      [...begun, [3, 'arrive'], [4, 'answer', 'a'], [5, 'sayPosted', 'a']],
    ],
    [
      'tells Posted of what another has found',
      [...begun, [3, 'arrive'], [4, 'find', 'a'], [90, 'claim', 'b'], [91, 'sayPosted', 'b']],
    ],
    [
      'tells what nobody sent',
      [
        [0, 'claim', 'a'],
        [1, 'decide', 'a'],
        [2, 'tellDecided', 'a'],
      ],
    ],
    ['is told twice of one word', [...decided, [3, 'tellDecided', 'a'], [4, 'tellDecided', 'a']]],
    [
      'tells after a reopening what was decided before it',
      [...decided.slice(0, 2), [10, 'goOn'], [11, 'sayDecided', 'a']],
    ],
    [
      'tells under a claim that was taken over',
      [...decided.slice(0, 2), [90, 'claim', 'b'], [91, 'sayDecided', 'a']],
    ],
    ['takes a lost answer for a refusal', [...begun, [3, 'giveUp', 'a'], [4, 'voidAttempt', 'a']]],
    ['skips what may be in the books', [...begun, [3, 'giveUp', 'a'], [4, 'decide', 'a']]],
    ['is in the books twice', [...begun, [3, 'arrive'], [4, 'arrive']]],
  ] as const)('that %s is refused', (_what, steps) => {
    expect(refused(...history(...steps))).not.toEqual([]);
  });
});

test('the history of a run has every step of the specification', async () => {
  const seen = new Set<string>();
  for (const [erp, seed] of [
    ['look-up', 1],
    ['none', 2],
    ['native-key', 3],
  ] as const) {
    const run = await simulate({ seed, erp });
    expect(refusedBySpecification(run)).toEqual([]);
    for (const { what } of run.kernel.history.steps) seen.add(what);
  }
  // Time is filled in, and what a restored database leaves to a person happens in restored worlds only.
  const beside = ['pass', 'outlive', 'parkInDoubt', 'sayAbsent'];
  expect(Object.keys(protocol.STEPS).filter((step) => !seen.has(step) && !beside.includes(step))).toEqual([]);
});
