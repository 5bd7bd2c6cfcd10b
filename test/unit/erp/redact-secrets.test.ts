// Whatever an ERP repeats, no answer of an adapter and no error of it carries a secret of this process.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { keptWords } from '../../../src/domain/message.js';
import { Secret } from '../../../src/domain/secret.js';
import { coded } from '../../../src/language/coded.js';
import { message } from '../../../src/language/messages.js';
import { connect, REDACT_SECRETS, withDeadline } from '../../../src/erp/connect.js';
import type { ErpAdapter, ErpEntry } from '../../../src/erp/erp-adapter.js';
import type { Journal } from '../../../src/domain/journal.js';
import { observeErp } from '../../../src/telemetry/metrics/counters.js';

const KEY = new Secret('canary-of-an-erp').reveal();
const said = `login failed for ${KEY}`;
const CLEAN = 'login failed for ***';
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
  const erp = connect(blabbing(), [REDACT_SECRETS]);

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
    const hooks = [REDACT_SECRETS, withDeadline(1_000)];
    const entry = { key: 'k' } as ErpEntry;
    const wrapped = observeErp(connect(matching, hooks), 'fake', { called: () => undefined });
    await wrapped.match?.(entry, {} as Journal);
    expect(asked).toEqual(['k']);
    expect(observeErp(connect(blabbing(), hooks), 'fake', { called: () => undefined })).not.toHaveProperty(
      'match',
    );
  });

  it('throws what the adapter threw, without secrets', async () => {
    const failure = { code: 'ERP_ADAPTER_UNKNOWN', message: 'login failed for ***' };
    await expect(erp.findByKey('k')).rejects.toMatchObject(failure);
    const entries = erp.entries({ from: '2026-01-01', to: '2026-01-31' })[Symbol.asyncIterator]();
    await expect(entries.next()).rejects.toMatchObject(failure);
  });

  it('throws nothing with a secret in what is kept or logged of it: the value, the details, the causes', async () => {
    const thrown = coded('ERP_ADAPTER_UNKNOWN', message('AS_SAID', { text: said }), {
      details: { answer: said, tries: 2 },
      cause: new Error(said),
    });
    const failing = { ...blabbing(), findByKey: () => Promise.reject(thrown) } as unknown as ErpAdapter;
    const error: unknown = await connect(failing, [REDACT_SECRETS])
      .findByKey('k')
      .catch((failure: unknown) => failure);
    expect(error).toBe(thrown);
    expect(keptWords(thrown)).toBe(keptWords({ message: '', said: message('AS_SAID', { text: CLEAN }) }));
    expect(thrown.details).toEqual({ answer: CLEAN, tries: 2 });
    expect((thrown.cause as Error).message).toBe(CLEAN);
    expect(inspect(thrown, { depth: 10 })).not.toContain(KEY);
  });

  it('says of a posted entry that it could not be matched, and of a finding what to do, without secrets', async () => {
    const unmatched = { message: said, said: message('AS_SAID', { text: said }) };
    const posted = { outcome: 'posted', reference: { id: '1' }, unmatched };
    const finding = {
      severity: 'error',
      message: said,
      remedy: said,
      cure: message('AS_SAID', { text: said }),
    };
    const answering = {
      ...blabbing(),
      post: () => Promise.resolve(posted),
      validate: () => Promise.resolve([finding]),
    } as unknown as ErpAdapter;
    const telling = connect(answering, [REDACT_SECRETS]);
    const clean = message('AS_SAID', { text: CLEAN });
    expect(await telling.post({ key: 'k', request: '{}' })).toEqual({
      ...posted,
      unmatched: { message: CLEAN, said: clean },
    });
    expect(await telling.validate({ accounts: [], vatCodes: [], dimensions: {} })).toEqual([
      { severity: 'error', message: CLEAN, remedy: CLEAN, cure: clean },
    ]);
  });
});
