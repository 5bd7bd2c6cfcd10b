// Whatever an ERP repeats, no answer of an adapter and no error of it carries a secret of this process.
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { Secret } from '../../../src/domain/secret.js';
import { discreet } from '../../../src/erp/discreet-adapter.js';
import { bounded } from '../../../src/erp/bounded-adapter.js';
import type { ErpAdapter, ErpEntry } from '../../../src/erp/erp-adapter.js';
import type { Journal } from '../../../src/domain/journal.js';
import { observeErp } from '../../../src/telemetry/metrics/observed-ports.js';

const KEY = new Secret('canary-of-an-erp').reveal();
const said = `login failed for ${KEY}`;
const refusal = { outcome: 'rejected', code: 'invalid', message: said } as const;

function blabbing(): ErpAdapter {
  const refuse = () => Promise.resolve(refusal);
  const fail = () => Promise.reject(new CodedError('ERP_ADAPTER_UNKNOWN', said));
  return {
    ledger: 'books',
    health: refuse,
    post: refuse,
    validate: () => Promise.resolve([{ severity: 'error', message: said }]),
    findByKey: fail,
    entries: async function* () {
      yield await fail();
    },
  } as unknown as ErpAdapter;
}

describe('an adapter of the bridge', () => {
  const erp = discreet(blabbing());

  it('answers without secrets, otherwise as the ERP did', async () => {
    const clean = { ...refusal, message: 'login failed for ***' };
    expect(await erp.health()).toEqual(clean);
    expect(await erp.post({ key: 'k', request: '{}' })).toEqual(clean);
    const nothing = { accounts: [], vatCodes: [], dimensions: {} };
    expect(await erp.validate(nothing)).toEqual([{ severity: 'error', message: 'login failed for ***' }]);
    expect(erp.ledger).toBe('books');
  });

  it('has what the adapter has beyond the port, and nothing that it has not', async () => {
    const asked: string[] = [];
    const matching = { ...blabbing(), match: ({ key }: ErpEntry) => Promise.resolve(void asked.push(key)) };
    const bounds = { callMsMax: 1_000, heedsBudget: true };
    const entry = { key: 'k' } as ErpEntry;
    const wrapped = observeErp(discreet(bounded(matching, bounds)), 'fake', { called: () => undefined });
    await wrapped.match?.(entry, {} as Journal);
    expect(asked).toEqual(['k']);
    expect(
      observeErp(discreet(bounded(blabbing(), bounds)), 'fake', { called: () => undefined }),
    ).not.toHaveProperty('match');
  });

  it('throws what the adapter threw, without secrets', async () => {
    const failure = { code: 'ERP_ADAPTER_UNKNOWN', message: 'login failed for ***' };
    await expect(erp.findByKey('k')).rejects.toMatchObject(failure);
    const entries = erp.entries({ from: '2026-01-01', to: '2026-01-31' })[Symbol.asyncIterator]();
    await expect(entries.next()).rejects.toMatchObject(failure);
  });
});
