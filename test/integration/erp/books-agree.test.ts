import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { compareEntry } from '../../../src/erp/compare-entry.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { trytonAdapter } from '../../../src/erp/tryton/index.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { beanCheck, hledger, hledgerBalances, ledger } from '../../support/erp/judges.js';
import { type MixedDocument, mixedDocuments } from '../../support/erp/mixed-journals.js';
import { TRYTON_AXIS, TRYTON_COMPANY } from '../../support/erp/tryton-company.js';
import { date, TrytonRpc } from '../../support/erp/tryton-rpc.js';
import {
  startTryton,
  TRYTON_DATABASE,
  TRYTON_PASSWORD,
  TRYTON_USER,
  type TrytonServer,
} from '../../support/erp/tryton-server.js';
import { has } from '../../support/services.js';

const DOCUMENTS = 300;
const SEED = 20260315;
const SLOW_MS = 900_000;
const isJudged = has('trytond') && has('hledger') && has('ledger') && has('bean-check');

async function postAll(erp: ErpAdapter, documents: readonly MixedDocument[], atOnce: number): Promise<void> {
  const waiting = [...documents];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const outcome = await erp.prepare(next);
        if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
        const posted = await erp.post(outcome.prepared);
        if (posted.outcome !== 'posted') throw new Error(JSON.stringify(posted));
      }
    }),
  );
}

async function trytonBalances(server: TrytonServer): Promise<Map<string, Decimal>> {
  const rpc = await TrytonRpc.login(server.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
  const [year] = await rpc.search('account.fiscalyear', [['start_date', '=', date('2026-01-01')]]);
  rpc.use({ company: 1, fiscalyear: year, posted: true });
  const ids = await rpc.search('account.general_ledger.account', []);
  const rows = await rpc.read('account.general_ledger.account', ids, ['account.code', 'debit', 'credit']);
  const amount = (value: unknown) => new Decimal((value as { decimal: string }).decimal);
  return new Map(
    rows
      .map((row): [string, Decimal] => {
        const { code } = row['account.'] as { code: string };
        return [code, amount(row['debit']).minus(amount(row['credit']))];
      })
      .filter(([, balance]) => !balance.isZero()),
  );
}

function shown(balances: ReadonlyMap<string, Decimal>): Record<string, string> {
  return Object.fromEntries([...balances].sort().map(([account, balance]) => [account, balance.toFixed(2)]));
}

describe.skipIf(!isJudged)(`the books of ${String(DOCUMENTS)} mixed documents`, () => {
  const documents = mixedDocuments(SEED, DOCUMENTS);
  const directory = temporaryDirectory();
  const books = join(directory, 'books');
  const files = fileAdapter.create(
    fileAdapter.configuration.parse({ formats: ['journal', 'beancount', 'csv'] }),
    erpServices({}, directory),
  );
  let server: TrytonServer;
  let tryton: ErpAdapter;

  beforeAll(async () => {
    server = await startTryton();
    const configuration = trytonAdapter.configuration.parse({
      baseUrl: server.url,
      database: TRYTON_DATABASE,
      user: TRYTON_USER,
      password: 'env:TRYTON_PASSWORD',
      company: TRYTON_COMPANY.kennitala,
      dimensions: { costLocation: { root: TRYTON_AXIS } },
      partners: { create: true },
    });
    tryton = trytonAdapter.create(configuration, erpServices({ 'env:TRYTON_PASSWORD': TRYTON_PASSWORD }));
    await postAll(files, documents, 16);
    await postAll(tryton, documents, 2);
  }, SLOW_MS);

  afterAll(async () => {
    await tryton.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('have the same trial balance in Tryton as hledger computes from the files', async () => {
    const inTryton = shown(await trytonBalances(server));
    expect(Object.keys(inTryton).length).toBeGreaterThan(12);
    expect(shown(await hledgerBalances(books))).toEqual(inTryton);
  });

  test('are accepted by hledger, ledger and beancount in their strictest modes', async () => {
    await hledger(books, 'check', '--strict');
    expect(await ledger(books, 'balance', '-B')).toMatch(/-+\n\s+0\n$/);
    await beanCheck(books);
  });

  test(
    'read back from Tryton as they were sent, each once',
    async () => {
      const wanted = new Map(documents.map(({ key, journal }) => [key, journal]));
      let listed = 0;
      for await (const entry of tryton.entries({ from: '2026-01-01', to: '2026-12-31' })) {
        expect(compareEntry(wanted.get(entry.key)!, entry, tryton.capabilities)).toEqual([]);
        wanted.delete(entry.key);
        listed++;
      }
      expect({ listed, missing: [...wanted.keys()] }).toEqual({ listed: DOCUMENTS, missing: [] });
    },
    SLOW_MS,
  );
});
