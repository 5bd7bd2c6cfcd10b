// Names of accounts for a page: asked for once, kept for a while, and never waited for.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AccountNames } from '../../../src/operations/account-names.js';
import type { ConnectedTenants } from '../../../src/operations/connected-tenants.js';
import { sampleRules } from '../mapping/build.js';

interface Erp {
  asked: string[][];
  /** null: it does not answer. */
  answer: () => Promise<Record<string, string> | null>;
}

function namesFrom(erp: Erp) {
  let now = Date.parse('2026-11-16T08:00:00Z');
  const connections = {
    get: () =>
      Promise.resolve({
        rules: sampleRules,
        erp: {
          validate: async ({ accounts }: { accounts: string[] }) => {
            erp.asked.push(accounts);
            const accountNames = await erp.answer();
            return accountNames === null
              ? [{ severity: 'error', message: 'away' }]
              : [{ severity: 'ok', message: '', accountNames }];
          },
        },
      }),
  } as unknown as ConnectedTenants;
  const names = new AccountNames(connections, { now: () => new Date(now) });
  return { of: (...accounts: string[]) => names.of('hraun', accounts), later: (ms: number) => (now += ms) };
}

describe('the names of accounts', () => {
  it('are asked for once, with all that the rules use, and again after an hour or for an account that is new', async () => {
    const erp: Erp = { asked: [], answer: () => Promise.resolve({ '7777': 'Ýmislegt' }) };
    const { of, later } = namesFrom(erp);
    const many = await Promise.all([of('7777'), of('7777'), of('7777')]);
    for (const names of many) expect(names).toEqual({ '7777': 'Ýmislegt' });
    await of('7777');
    expect(erp.asked).toHaveLength(1);
    expect(erp.asked[0]!.length).toBeGreaterThan(5);
    await of('8888');
    expect(erp.asked).toHaveLength(2);
    expect(erp.asked[1]).toEqual(expect.arrayContaining(['7777', '8888']));
    later(61 * 60_000);
    await of('7777');
    expect(erp.asked).toHaveLength(3);
  });

  it('are not waited for when the ERP is slow, and are there for the next page', async () => {
    let answered = (_: Record<string, string>): void => undefined;
    const erp: Erp = { asked: [], answer: () => new Promise((resolve) => (answered = resolve)) };
    const { of } = namesFrom(erp);
    const began = performance.now();
    expect(await of('7777')).toEqual({});
    expect(performance.now() - began).toBeLessThan(5_000);
    answered({ '7777': 'Ýmislegt' });
    await sleep(0);
    expect(await of('7777')).toEqual({ '7777': 'Ýmislegt' });
    expect(erp.asked).toHaveLength(1);
  });

  it('that are known stay when the ERP is away, which is not asked for every page', async () => {
    const erp: Erp = { asked: [], answer: () => Promise.resolve({ '7777': 'Ýmislegt' }) };
    const { of, later } = namesFrom(erp);
    await of('7777');
    erp.answer = () => Promise.resolve(null);
    later(61 * 60_000);
    for (let page = 0; page < 5; page++) expect(await of('7777')).toEqual({ '7777': 'Ýmislegt' });
    expect(erp.asked).toHaveLength(2);
    later(61_000);
    erp.answer = () => Promise.reject(new Error('away'));
    expect(await of('7777')).toEqual({ '7777': 'Ýmislegt' });
    expect(erp.asked).toHaveLength(3);
  });
});
