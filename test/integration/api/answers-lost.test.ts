// An act under an Idempotency-Key of which something fails afterwards: the same request again does not do it a second time.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startHttpServer, type HttpServer } from '../../../src/api/server.js';
import type { Operations } from '../../../src/operations/operations.js';
import { createAnswerRecords } from '../../../src/store/operations/api-records.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

describe('an act whose', () => {
  let bed: Bed;
  let api: HttpServer;
  let token: string;
  let finishFails = 0;
  let actFails = false;
  const errors: unknown[] = [];

  beforeAll(async () => {
    bed = await bridgeBed({ accounts: [], tenants: [] });
    const { operations } = bed.bridge;
    const records = createAnswerRecords(bed.database);
    const act = { actor: 'test', reason: 'a token for the test' };
    token = (await operations.createToken({ name: 'the test', role: 'admin' }, act)).value;
    const failing: Operations = {
      ...operations,
      readBy: () => failing,
      createToken: async (...given) => {
        const made = await operations.createToken(...given);
        if (actFails) throw new Error('the connection was lost');
        return made;
      },
    };
    api = await startHttpServer({
      operations: failing,
      answers: {
        ...records,
        finish: (...given) =>
          finishFails-- > 0 ? Promise.reject(new Error('the database is away')) : records.finish(...given),
      },
      version: 'test',
      nowMs: Date.now,
      onError: (error) => void errors.push(error),
      askQueues: () => Promise.resolve(),
      queueStore: 'postgres',
      host: '127.0.0.1',
      port: 0,
    });
  });
  afterEach(() => {
    [finishFails, actFails] = [0, false];
    errors.length = 0;
  });
  afterAll(async () => {
    await api.close();
    await bed.close();
  });

  const make = async (name: string) => {
    const response = await fetch(`${api.url}/api/v1/tokens`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body: JSON.stringify({ name, role: 'viewer', reason: 'for the test' }),
    });
    const body = (await response.json()) as { readonly code?: string };
    return {
      status: response.status,
      code: body.code,
      isAgain: response.headers.has('idempotency-replayed'),
    };
  };
  const made = (name: string) => bed.database.prisma.apiToken.count({ where: { name } });
  const DONE = { status: 201, code: undefined, isAgain: false };
  const UNKNOWN = { status: 409, code: 'API_OUTCOME_UNKNOWN' };

  test('answer cannot be remembered at first is remembered all the same', async () => {
    finishFails = 1;
    expect(await make('at first')).toEqual(DONE);
    expect(await make('at first')).toMatchObject({ status: 201, isAgain: true });
    expect(await made('at first')).toBe(1);
  });

  test('answer cannot be remembered at all is answered, and done once', async () => {
    finishFails = 100;
    expect(await make('at all')).toEqual(DONE);
    expect(errors).toHaveLength(1);
    expect(await make('at all')).toMatchObject({ status: 409, code: 'API_KEY_RUNNING' });
    await bed.database.prisma
      .$executeRaw`UPDATE idempotency_key SET created_at = now() - interval '11 minutes'`;
    expect(await make('at all'), 'nobody works on it any more').toMatchObject(UNKNOWN);
    expect(await made('at all')).toBe(1);
  });

  test('end nobody foresaw is not repeated: somebody looks first', async () => {
    actFails = true;
    expect(await make('unforeseen')).toMatchObject({ status: 500 });
    actFails = false;
    expect(await make('unforeseen')).toMatchObject(UNKNOWN);
    expect(await made('unforeseen')).toBe(1);
  });
});
