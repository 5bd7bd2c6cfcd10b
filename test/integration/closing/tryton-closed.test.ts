// The certificate of a period against a real Tryton: green while service, bridge and books agree, red when an entry is deleted behind
// Tryton's back, when an invoice number is missing, and when a cost is edited afterwards; and a late approval reopens the period.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { TrytonRpc } from '../../support/erp/tryton-rpc.js';
import {
  startTryton,
  TRYTON_PASSWORD,
  TRYTON_USER,
  type TrytonServer,
} from '../../support/erp/tryton-server.js';
import { TRYTON_ACCOUNT, trytonTenant } from '../../support/erp/tryton-tenant.js';
import { has } from '../../support/services.js';
import { run, type World } from '../../unit/cli/run-cli.js';

interface Made {
  readonly verdict: string;
  readonly differences: readonly { readonly code: string; readonly params: Record<string, unknown> }[];
  readonly entries: { readonly bridge: number; readonly erp: number };
}

/** As somebody with the database's file can, and nobody else. */
const DELETE_MOVE = `
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=30) as books:
    books.execute('DELETE FROM account_move_line WHERE move = ?', (sys.argv[2],))
    books.execute('DELETE FROM account_move WHERE id = ?', (sys.argv[2],))
`;

describe.skipIf(!has('trytond'))('a period that is closed against Tryton', () => {
  let tryton: TrytonServer;
  let bed: Bed;
  let world: World;

  const close = async (): Promise<Made> => {
    const { out, err, code } = await run(['close', 'hraun', '2026-03', '-r', 'the month', '--json'], world);
    if (out === '') throw new Error(err);
    const { summary } = JSON.parse(out) as { summary: Made };
    expect(code).toBe(summary.verdict === 'green' ? 0 : 3);
    return summary;
  };
  const difference = ({ differences }: Made, code: string) =>
    differences.find((one) => one.code === code)?.params;
  const carried = async () => {
    await bed.bridge.tenants.requestSweep('hraun');
    await bed.settled();
  };
  const invoice = (day: string) => {
    const guid = bed.sandbox.control.issueInvoice('hraun', { issueDate: `2026-03-${day}` });
    return { guid, number: bed.sandbox.control.invoice('hraun', guid).number };
  };
  const cost = (day: string) =>
    bed.sandbox.control.createCost('hraun', {
      ...{
        date: `2026-03-${day}`,
        description: 'Rafmagn',
        amount: 12_400,
        tax: 'S',
        category: 'Rafmagn og hiti',
      },
    });

  beforeAll(async () => {
    tryton = await startTryton();
    bed = await bridgeBed({
      accounts: [TRYTON_ACCOUNT],
      tenants: [trytonTenant(tryton, { partners: { create: true } })],
      env: { TRYTON_PASSWORD },
    });
    for (const day of ['03', '04', '05']) invoice(day);
    bed.sandbox.control.approveCost('hraun', cost('06'));
    await carried();
    world = {
      cwd: bed.directory,
      env: {
        ...{ TRYTON_PASSWORD, USER: 'sigga', LEDGERBRIDGE_CONFIG: bed.settings.configDirectory },
        ...{ LEDGERBRIDGE_DATA: bed.settings.dataDirectory, DATABASE_URL: bed.database.url.reveal() },
        ...{ SANDBOX_CODE: bed.sandbox.maintCode, KEY_hraun: bed.sandbox.accounts[0]!.apiKey },
      },
    };
  }, 240_000);
  afterAll(async () => {
    await bed.close();
    await tryton.stop();
  });

  test('is green while all three agree', async () => {
    expect(await bed.states()).toEqual({ acknowledged: 4 });
    expect(await close()).toMatchObject({
      verdict: 'green',
      differences: [],
      entries: { bridge: 4, erp: 4 },
    });
  });

  test('is reopened by a late approval and says so, and is green again when it is closed again', async () => {
    const late = cost('30');
    await carried();
    const listed = () => run(['certificates', 'hraun'], world);
    expect((await listed()).out).not.toContain('reopened');
    bed.sandbox.control.approveCost('hraun', late);
    await carried();
    const { out, code } = await listed();
    expect(code).toBe(3);
    expect(out).toContain('reopened: 1 changed');
    expect(await close()).toMatchObject({ verdict: 'green', entries: { erp: 5 } });
    const again = await listed();
    expect(again.code).toBe(0);
    expect(again.out).toContain('closed again later');
  });

  test('is red when a cost is edited afterwards, and names it', async () => {
    const { guid } = bed.sandbox.control.documents('hraun', { kind: 'cost' })[0]!;
    const { amount } = bed.sandbox.control.cost('hraun', guid);
    bed.sandbox.control.editCost('hraun', guid, { amount: amount + 500 });
    const made = await close();
    expect(made.verdict).toBe('red');
    expect(difference(made, 'CLOSE_AMOUNT_CHANGED')).toMatchObject({ kind: 'cost', number: guid });
    bed.sandbox.control.editCost('hraun', guid, { amount });
    expect((await close()).verdict).toBe('green');
  });

  test('is red when an entry was deleted behind its back, and names the document and the accounts', async () => {
    const judge = await TrytonRpc.login(tryton.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
    judge.use({ company: 1 });
    const gone = await bed.database.prisma.posting.findFirstOrThrow({
      where: { kind: 'invoice' },
      include: { document: true },
    });
    const [move] = await judge.search('account.move', [['description', 'like', `${gone.key}%`]]);
    await expect(judge.call('model.account.move.delete', [move])).rejects.toThrow();
    expect((await close()).verdict).toBe('green');
    execFileSync('python3', ['-c', DELETE_MOVE, tryton.databaseFile, String(move)]);
    const made = await close();
    expect(made).toMatchObject({ verdict: 'red', entries: { bridge: 5, erp: 4 } });
    expect(difference(made, 'CLOSE_ENTRY_MISSING')).toMatchObject({
      ...{ kind: 'invoice', number: gone.document.number, entry: gone.erpNumber },
    });
    expect(difference(made, 'CLOSE_ACCOUNT_DIFFERS')).toBeDefined();
  });

  test('is red when an invoice number was never handed over', async () => {
    const missing = invoice('12');
    invoice('13');
    bed.sandbox.control.deleteDocument('hraun', 'invoice', missing.guid);
    await carried();
    expect(difference(await close(), 'CLOSE_NUMBER_MISSING')).toMatchObject({
      ...{ numbers: missing.number, count: 1 },
    });
  });
});
