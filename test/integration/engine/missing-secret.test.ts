// A tenant whose secret is not there: the others work, somebody is told, and it joins in when the secret is written.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentText } from '../../../src/language/incidents/incident-text.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { LEDGER_SECRET, type HttpErp, httpErp } from '../../support/http-erp.js';

describe('a tenant whose secret is missing', () => {
  let bed: Bed;
  let erp: HttpErp;
  const secretFile = () => join(bed.directory, 'config', 'secrets', 'ledger');

  beforeAll(async () => {
    erp = await httpErp();
    const account = (username: string) => ({ username, invoices: 3, costs: 0, seed: username });
    bed = await bridgeBed({
      accounts: [account('good'), account('late')],
      tenants: [{ name: 'good', account: 'good', erp: { adapter: 'file' } }],
      env: erp.env,
    });
    await mkdir(join(bed.directory, 'config', 'secrets'));
    await bed.writeTenant({
      name: 'late',
      account: 'late',
      erp: erp.erp({ secret: 'file:../secrets/ledger' }),
    });
  });
  afterAll(async () => {
    await bed.close();
    await erp.ledger.close();
  });

  const until = async (what: () => Promise<boolean> | boolean) => {
    while (!(await what())) await sleep(100);
  };
  const incident = () => bed.database.prisma.incident.findFirst({ where: { code: 'TENANT_NOT_CONNECTED' } });

  test('keeps nobody else from starting and working, and is said', async () => {
    await until(async () => (await incident()) !== null);
    expect(await incident()).toMatchObject({ tenantName: 'late', state: 'open', severity: 'critical' });
    expect((await incident())?.details).toContain(
      'late.yaml: The secret file:../secrets/ledger cannot be read',
    );
    const kept = (await incident())!;
    const { details, nextStep } = incidentText('is', {
      ...kept,
      params: JSON.parse(kept.params!) as Record<string, unknown>,
    });
    expect(details).toContain(
      'late.yaml: Ekki er hægt að lesa leyndarmálið file:../secrets/ledger (ENOENT).',
    );
    expect(nextStep).toContain('skrifaðu skrána sem skilaboðin nefna');
    await bed.restart();
    expect(bed.bridge.connections.names()).toEqual(['good']);
    await bed.settled();
    expect((await bed.states('good'))['acknowledged']).toBeGreaterThan(0);
  });

  test('joins in when the secret is written, without a restart; and a wrong one is mended the same way', async () => {
    await writeFile(secretFile(), 'a secret that the ledger does not know, and long', { mode: 0o600 });
    await until(() => bed.bridge.connections.names().includes('late'));
    await until(async () => (await incident())?.state === 'resolved');
    await bed.bridge.tenants.confirmPlan('late', 'test');
    await bed.bridge.tenants.requestSweep('late');
    const refused = () =>
      bed.database.prisma.breaker.findFirst({ where: { tenantName: 'late', state: 'refused' } });
    await until(async () => (await refused()) !== null);
    await rm(secretFile());
    await writeFile(secretFile(), LEDGER_SECRET, { mode: 0o600 });
    await until(async () => ((await bed.states('late'))['acknowledged'] ?? 0) > 0);
    expect(await refused()).toBeNull();
  });

  test('is said no longer when its file is deleted, while the bridge runs or while none does', async () => {
    const gone = (name: string) => join(bed.settings.tenantsDirectory, `${name}.yaml`);
    const about = (tenantName: string) =>
      bed.database.prisma.incident.findFirst({ where: { code: 'TENANT_NOT_CONNECTED', tenantName } });
    // Nothing in the environment has the keys of their accounts.
    for (const name of ['first', 'second', 'third'])
      await bed.writeTenant({ name, account: name, erp: { adapter: 'file' } });
    await until(async () => (await about('third'))?.state === 'open');
    await until(async () => (await about('first'))?.state === 'open');
    await rm(gone('first'));
    await until(async () => (await about('first'))?.state === 'resolved');
    expect((await about('first'))?.resolution).toContain('ITS_FILE_IS_GONE');
    await bed.bridge.close();
    await rm(gone('second'));
    await bed.restart();
    expect(await about('second')).toMatchObject({ state: 'resolved' });
    expect(await about('third')).toMatchObject({ state: 'open' });
  });

  test('a bridge that starts is another owner of leases than the one before it, with the same host and pid', async () => {
    const leader = async () =>
      (await bed.database.prisma.lease.findFirst({ where: { name: 'dispatch' } }))?.owner ?? null;
    await until(async () => (await leader()) !== null);
    const before = await leader();
    await bed.restart();
    await until(async () => ![before, null].includes(await leader()));
    expect(await leader()).not.toBe(before);
  });
});
