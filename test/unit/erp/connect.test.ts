// What stands around every adapter of the bridge hands each call on as it came, with the time that it may take.
import { describe, expect, it } from 'vitest';
import { connect, type ErpHook, REDACT_SECRETS, withDeadline } from '../../../src/erp/connect.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { budgetLeftMs } from '../../../src/http/pacer.js';
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import { observeErp, observeSource } from '../../../src/telemetry/metrics/counters.js';
import { pairOf } from '../../../src/worker/connections.js';

/** Answers each call with what it was called and given; remembers how long each was given. */
function echo(names: readonly string[]) {
  const leftMs = new Map<string, number>();
  const method =
    (name: string) =>
    async (...given: unknown[]) => {
      leftMs.set(name, budgetLeftMs());
      return Promise.resolve([name, ...given.filter((one) => one !== undefined)]);
    };
  return { leftMs, methods: Object.fromEntries(names.map((name) => [name, method(name)])) };
}

const ERP_CALLS = {
  health: [],
  validate: ['chart'],
  prepare: ['request'],
  post: ['prepared'],
  findByKey: ['key'],
  findByReference: ['reference'],
  resume: ['draft', 'prepared'],
  reverse: [{ original: { key: 'key' } }],
  attach: ['reference', 'file'],
  match: ['entry', 'journal'],
} as const;

const SOURCE_CALLS = {
  hello: [],
  list: ['query', 2],
  count: ['query'],
  get: ['cost', 'guid'],
  updateStatus: ['cost', 'guid', 'Posted', 'words'],
  moveCostToNew: ['guid'],
  customer: ['guid'],
  item: ['guid'],
  originals: ['cost', 'guid'],
} as const;

type Calls = Record<string, (...given: readonly unknown[]) => Promise<unknown>>;

async function answersOf(port: object, calls: Record<string, readonly unknown[]>) {
  const answers: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(calls)) answers[name] = await (port as Calls)[name]?.(...given);
  return answers;
}

const asCalled = (calls: Record<string, readonly unknown[]>) =>
  Object.fromEntries(Object.entries(calls).map(([name, given]) => [name, [name, ...given]]));

const nobody = { called: () => undefined };

describe('around an adapter and a source', () => {
  it('every call of the ERP goes through as it came', async () => {
    const { leftMs, methods } = echo(Object.keys(ERP_CALLS));
    const adapter = { ledger: 'books', capabilities: {}, ...methods } as unknown as ErpAdapter;
    const within = connect(adapter, [REDACT_SECRETS, withDeadline(5_000)], { callMsMax: 5_000 });
    const { erp } = pairOf({} as InvoicingSource, observeErp(within, 'fake', nobody));
    expect(await answersOf(erp, ERP_CALLS)).toEqual(asCalled(ERP_CALLS));
    expect(erp).toMatchObject({ ledger: 'books', capabilities: { callMsMax: 5_000 } });
    // A chart takes as long as it is.
    const bounded = Object.keys(ERP_CALLS).filter((name) => (leftMs.get(name) ?? 0) <= 5_000);
    expect(bounded).toEqual(Object.keys(ERP_CALLS).filter((name) => name !== 'validate'));
  });

  it('hooks run in their order, the last ones outermost, around one wrapper', async () => {
    const seen: string[] = [];
    const hook = (name: string): ErpHook => ({
      around: (call, act, key) => {
        seen.push(`${name} ${call} ${key ?? '-'}`);
        return act();
      },
    });
    const adapter = { ...echo(['post', 'health']).methods } as unknown as ErpAdapter;
    const erp = connect(connect(adapter, [hook('b'), hook('c')]), [hook('a')]);
    await erp.post({ key: 'k', request: '{}' });
    await erp.health();
    expect(seen).toEqual(['a post k', 'b post k', 'c post k', 'a health -', 'b health -', 'c health -']);
    expect(erp).not.toHaveProperty('match');
  });

  it('entries of a period come one by one, and whoever reads them is at it until the last', async () => {
    const adapter = {
      async *entries(period: unknown) {
        yield await Promise.resolve([1, period]);
        yield [2, period];
      },
    } as unknown as ErpAdapter;
    const within = connect(adapter, [REDACT_SECRETS, withDeadline(5_000)]);
    const pair = pairOf({} as InvoicingSource, observeErp(within, 'fake', nobody));
    const seen: unknown[] = [];
    for await (const entry of pair.erp.entries({ from: '2026-01-01', to: '2026-01-31' }))
      seen.push(entry, pair.isIdleFor(0));
    const period = { from: '2026-01-01', to: '2026-01-31' };
    expect([...seen, pair.isIdleFor(0)]).toEqual([[1, period], false, [2, period], false, true]);
  });

  it('every call of the source goes through as it came', async () => {
    const { methods } = echo(Object.keys(SOURCE_CALLS));
    const source = methods as unknown as InvoicingSource;
    const pair = pairOf(observeSource(source, 'agent', nobody), {} as ErpAdapter);
    expect(await answersOf(pair.source, SOURCE_CALLS)).toEqual(asCalled(SOURCE_CALLS));
  });
});
