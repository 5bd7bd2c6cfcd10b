// Changed rules over everything on record: which journals change, by account and document, and nothing is written.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rehearsal } from '../../../src/operations/rehearsal/rehearsal.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { run, type World } from '../../unit/cli/run-cli.js';

describe('a rehearsal', () => {
  let bed: Bed;
  let world: World;

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 10, costs: 6, seed: 'rehearsal', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    });
    await bed.settled();
    world = {
      cwd: bed.directory,
      env: {
        ...{
          LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
          LEDGERBRIDGE_DATA: bed.settings.dataDirectory,
        },
        ...{ DATABASE_URL: bed.database.url.reveal(), SANDBOX_CODE: bed.sandbox.maintCode },
        KEY_hraun: bed.sandbox.accounts[0]!.apiKey,
      },
    };
  });
  afterAll(() => bed.close());

  const rehearsal = async (...more: string[]): Promise<Rehearsal> => {
    const { out, err, code } = await run(['rehearse', 'hraun', '--json', ...more], world);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out) as Rehearsal;
  };

  test('of this version against the journals on record changes nothing', async () => {
    expect(await rehearsal()).toMatchObject({
      examined: 16,
      same: 16,
      changed: 0,
      accounts: [],
      documents: [],
    });
    expect(await rehearsal('--since', '2100-01-01')).toMatchObject({ examined: 0, changed: 0 });
  });

  test('of other rules names the accounts and documents that change, asks nobody and writes nothing', async () => {
    const rules = join(bed.directory, 'new.yaml');
    const yaml = (text: string) => `extends: [default]\n${text}\n`;
    await writeFile(rules, yaml(`accounts:\n  receivable: '7999'`));
    const requests = bed.sandbox.control.requestCount();
    const audited = await bed.database.prisma.auditEntry.count();
    const result = await rehearsal('--rules', rules);
    expect(result.changed).toBe(10);
    expect(result.documents.every(({ kind }) => kind === 'invoice')).toBe(true);
    expect(result.accounts.map(({ account }) => account).sort()).toEqual(['1500', '7999']);
    expect(result.accounts.find(({ account }) => account === '7999')?.before).toBe('0');
    expect(bed.sandbox.control.requestCount()).toBe(requests);
    expect(await bed.database.prisma.auditEntry.count()).toBe(audited);
  });

  test('and the description of the bookkeeping is kept when it changed, and only then', async () => {
    const described = await run(['describe', 'hraun'], world);
    expect(described.out).toContain('Lýsing á sjálfvirku bókhaldi: Fyrirtækið hraun');
    const keep = () =>
      run(['describe', 'hraun', '--keep', '--by', 'sigga', '-r', 'for the files', '--json'], world);
    expect(JSON.parse((await keep()).out)).toMatchObject({ kept: true });
    expect(JSON.parse((await keep()).out)).toMatchObject({ kept: false, changes: [] });
    const kept = await bed.database.prisma.auditEntry.findMany({ where: { action: 'tenant.described' } });
    expect(kept).toMatchObject([{ actor: 'sigga', reason: 'for the files', subject: 'hraun is' }]);
  });
});
