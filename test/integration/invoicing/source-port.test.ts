// The port over both surfaces: the same promises, whichever one a tenant uses. Each test runs on the credential surface,
// on the agent surface with HTTP Basic, and on the agent surface with a bearer token.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { checkSource } from '../../../src/service/check-source.js';
import { connectSource } from '../../../src/service/connect-source.js';
import type { InvoicingSource, ListQuery } from '../../../src/service/invoicing-source.js';
import type { SourceServices } from '../../../src/service/source-services.js';
import type { SourceSettings } from '../../../src/service/source-settings.js';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { credentials, testServices } from '../../support/invoicing/connections.js';
import { MemoryGrantStore } from '../../support/invoicing/memory-grant-store.js';
import { signInAtSandbox } from '../../support/invoicing/oauth-tenant.js';

const SURFACES = ['credential', 'agent with Basic', 'agent with a token'] as const;
type SurfaceName = (typeof SURFACES)[number];

async function settingsFor(
  surface: SurfaceName,
  sandbox: Sandbox,
): Promise<[SourceSettings, SourceServices]> {
  if (surface === 'agent with a token') {
    const scopes = ['nav', 'cost', 'manage_customers', 'dashboard_data'] as const;
    const { settings, services } = await signInAtSandbox(sandbox, new MemoryGrantStore(), { scopes });
    return [settings, services];
  }
  const { username, apiKey } = sandbox.accounts[0]!;
  const auth = { username, apiKey: new Secret(apiKey) };
  const agent = surface === 'credential' ? {} : ({ surface: 'agent', agentId: 'bridge' } as const);
  return [credentials(sandbox.url, { ...auth, ...agent }), testServices()];
}

describe.each(SURFACES)('the port on the surface: %s', (surface) => {
  let sandbox: Sandbox;
  let source: InvoicingSource;
  let settings: SourceSettings;
  let services: SourceServices;
  let user: string;

  beforeAll(async () => {
    sandbox = await startSandbox({
      seed: 'port',
      accounts: [{ invoices: 150, costs: 25, from: '2026-01-01', to: '2026-02-28' }],
    });
    user = sandbox.accounts[0]!.username;
    [settings, services] = await settingsFor(surface, sandbox);
    source = connectSource(settings, services);
  });

  afterAll(async () => {
    await source.close();
    await sandbox.close();
  });

  async function sweep(query: ListQuery): Promise<string[]> {
    const guids: string[] = [];
    for (let page = 1; page <= 50; page++) {
      const listed = await source.list(query, page);
      guids.push(...listed.documents.map(({ guid }) => guid));
      if (listed.hasMore === false) return guids;
    }
    throw new Error('the sweep does not end');
  }

  it('says whose account it is, and how far the clocks are apart', async () => {
    const { name, registrationNo } = sandbox.accounts[0]!;
    const identity = await source.hello();
    expect(identity).toMatchObject({ name, registrationNo });
    expect(Math.abs(identity.clockSkewMs ?? Infinity)).toBeLessThan(5_000);
  });

  it.each(['invoice', 'cost'] as const)(
    'pages through every %s exactly once, as many as are counted',
    async (kind) => {
      const query = {
        kind,
        accountingStatus: 'Created',
        fromDate: '2026-01-10',
        toDate: '2026-02-20',
      } as const;
      const guids = await sweep(query);
      expect(guids.length).toBeGreaterThan(0);
      expect(new Set(guids).size).toBe(guids.length);
      expect(guids.length).toBe(await source.count(query));
    },
  );

  it('tells a repeated page by its fingerprint', async () => {
    const query = { kind: 'invoice', accountingStatus: 'Created' } as const;
    const [one, again] = [await source.list(query, 1), await source.list(query, 1)];
    expect(one.fingerprint).toBe(again.fingerprint);
    expect((await source.list(query, 99)).fingerprint).not.toBe(one.fingerprint);
  });

  it('fetches one document with a snapshot that keeps every digit and leaves the attachment out', async () => {
    const [cost] = sandbox.control.documents(user, { kind: 'cost', accountingStatus: 'Created', limit: 1 });
    const found = await source.get('cost', cost!.guid);
    if (found.outcome !== 'found' || found.document.kind !== 'cost') throw new Error(found.outcome);
    expect(found.document.guid).toBe(cost!.guid);
    expect(found.snapshot).not.toContain('"file":');
    expect(JSON.parse(found.snapshot)).toMatchObject({ guid: cost!.guid });
    const again = await source.get('cost', cost!.guid);
    expect(again.outcome === 'found' && again.snapshot).toBe(found.snapshot);
  });

  it('calls a document gone that is not there', async () => {
    expect(await source.get('invoice', '00000000-0000-4000-8000-000000000000')).toEqual({ outcome: 'gone' });
    expect(await source.get('cost', '00000000-0000-4000-8000-000000000000')).toEqual({ outcome: 'gone' });
  });

  it('writes a status back and hands on a refusal as the word of the service', async () => {
    const [cost] = sandbox.control.documents(user, { kind: 'cost', accountingStatus: 'Created', limit: 1 });
    const message = `Bókað ${'þ'.repeat(600)}`;
    expect(await source.updateStatus('cost', cost!.guid, 'Posted', message)).toEqual({ outcome: 'accepted' });
    expect(sandbox.control.cost(user, cost!.guid).accounting_status).toBe('Posted');
    const again = await source.updateStatus('cost', cost!.guid, 'Posted', message);
    expect(again).toMatchObject({ outcome: 'refused' });
    expect(await source.moveCostToNew(cost!.guid)).toMatchObject({ outcome: 'refused' });
  });

  it('moves a cost back to New', async () => {
    const [cost] = sandbox.control.documents(user, { kind: 'cost', accountingStatus: 'Created', limit: 1 });
    expect(await source.moveCostToNew(cost!.guid)).toEqual({ outcome: 'accepted' });
    expect(sandbox.control.cost(user, cost!.guid).accounting_status).toBe('New');
  });

  it('updates an invoice', async () => {
    const [invoice] = sandbox.control.documents(user, {
      kind: 'invoice',
      accountingStatus: 'Created',
      limit: 1,
    });
    expect(await source.updateStatus('invoice', invoice!.guid, 'Posted', 'ok')).toEqual({
      outcome: 'accepted',
    });
    expect(sandbox.control.invoice(user, invoice!.guid).accounting_status).toBe('Posted');
  });

  it('knows customers and items, and none that do not exist', async () => {
    const [listed] = (await source.list({ kind: 'invoice', accountingStatus: 'Created' }, 1)).documents;
    const invoice = await source.get('invoice', listed!.guid);
    if (invoice.outcome !== 'found' || invoice.document.kind !== 'invoice') throw new Error(invoice.outcome);
    const { customer } = invoice.document;
    expect(await source.customer(customer.guid)).toMatchObject({ guid: customer.guid, name: customer.name });
    const lines = invoice.document.items.filter(({ guid }) => guid !== '');
    const items = await Promise.all(lines.map(({ guid }) => source.item(guid)));
    expect(items.every((item) => item === null || item.itemNumber !== '')).toBe(true);
    expect(await source.customer('00000000-0000-4000-8000-000000000000')).toBeNull();
    expect(await source.item('00000000-0000-4000-8000-000000000000')).toBeNull();
  });

  it('fetches the file and the e-invoice of a cost, and the PDF of an invoice where the surface has one', async () => {
    const costs = sandbox.control.documents(user, { kind: 'cost', accountingStatus: 'Created' });
    const found = await Promise.all(costs.map(({ guid }) => source.originals('cost', guid)));
    const files = found.flatMap((each) => (each.outcome === 'found' ? each.files : []));
    expect(new Set(files.map(({ role }) => role))).toEqual(new Set(['file', 'ubl']));
    expect(files.every(({ content }) => (content?.byteLength ?? 0) > 0)).toBe(true);
    const [invoice] = sandbox.control.documents(user, { kind: 'invoice', limit: 1 });
    const pdf = await source.originals('invoice', invoice!.guid);
    if (surface !== 'credential') expect(pdf).toEqual({ outcome: 'unavailable' });
    else expect(pdf).toMatchObject({ outcome: 'found', files: [{ role: 'pdf' }] });
    for (const kind of ['invoice', 'cost'] as const) {
      const gone = await source.originals(kind, '00000000-0000-4000-8000-000000000000');
      expect(['gone', 'unavailable']).toContain(gone.outcome);
    }
  });

  it('refuses New among invoice filters before anything is sent, and goes on', async () => {
    const before = sandbox.control.requestCount();
    const query = { kind: 'invoice', accountingStatus: 'New' } as const;
    await expect(source.count(query)).rejects.toMatchObject({ code: 'SOURCE_PARAMETERS_INVALID' });
    await expect(source.list(query, 1)).rejects.toMatchObject({ code: 'SOURCE_PARAMETERS_INVALID' });
    expect(sandbox.control.requestCount()).toBe(before);
    expect(await source.count({ kind: 'cost', accountingStatus: 'New' })).toBeGreaterThan(0);
  });

  it('is refused when the tenant file names another account', async () => {
    const other = connectSource({ ...settings, registrationNo: '4504013150' }, services);
    await expect(other.hello()).rejects.toMatchObject({ code: 'SOURCE_WRONG_ACCOUNT' });
    await other.close();
  });

  it('can be checked: account, clock, scopes and lists in plain words', async () => {
    const report = await checkSource(settings, services);
    expect(report.account?.registrationNo).toBe(sandbox.accounts[0]?.registrationNo);
    expect(report.lists.every(({ waiting }) => waiting !== null)).toBe(true);
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(report.scopes === null).toBe(surface !== 'agent with a token');
  });
});

describe.each([200, 401, 403])(
  'refused credentials that are answered with HTTP %i',
  (badCredentialsStatus) => {
    it('pause the tenant, whichever call meets them', async () => {
      const sandbox = await startSandbox({
        accounts: [{ invoices: 2, costs: 2 }],
        choices: { badCredentialsStatus },
      });
      const wrong = credentials(sandbox.url, { username: sandbox.accounts[0]!.username });
      const source = connectSource(wrong, testServices());
      const [cost] = sandbox.control.documents(sandbox.accounts[0]!.username, { kind: 'cost', limit: 1 });
      const paused = { definition: { disposition: 'pause-tenant' } };
      await expect(source.hello()).rejects.toMatchObject(paused);
      await expect(source.count({ kind: 'cost', accountingStatus: 'Created' })).rejects.toMatchObject(paused);
      await expect(source.get('cost', cost!.guid)).rejects.toMatchObject(paused);
      await expect(source.updateStatus('cost', cost!.guid, 'Posted', '')).rejects.toMatchObject(paused);
      const report = await checkSource(wrong, testServices());
      expect(report.findings).toHaveLength(1);
      expect(report.findings[0]).toMatchObject({ severity: 'error' });
      await source.close();
      await sandbox.close();
    });
  },
);

describe('a grant for nav and cost alone', () => {
  it('is used where the tenant file names the account, and says what is missing where it does not', async () => {
    const sandbox = await startSandbox({ accounts: [{ invoices: 2, costs: 2 }] });
    const { settings, services } = await signInAtSandbox(sandbox, new MemoryGrantStore(), {
      scopes: ['nav', 'cost'],
    });
    const unnamed = connectSource(settings, services);
    await expect(unnamed.hello()).rejects.toMatchObject({ code: 'SOURCE_ACCOUNT_UNKNOWN' });
    const { registrationNo } = sandbox.accounts[0]!;
    const named = connectSource({ ...settings, registrationNo }, services);
    const before = sandbox.control.requestCount();
    expect(await named.hello()).toMatchObject({ registrationNo });
    // One question that the grant may ask; the account's status is none.
    expect(sandbox.control.requestCount()).toBe(before + 1);
    const [invoice] = (await named.list({ kind: 'invoice', accountingStatus: 'Created' }, 1)).documents;
    const read = await named.get('invoice', invoice!.guid);
    if (read.outcome !== 'found' || read.document.kind !== 'invoice') throw new Error(read.outcome);
    const asked = sandbox.control.requestCount();
    expect(await named.customer(read.document.customer.guid)).toBeNull();
    expect(sandbox.control.requestCount()).toBe(asked);
    const report = await checkSource({ ...settings, registrationNo }, services);
    expect(report.findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
    expect(report.findings.map(({ message }) => message).join()).toContain('without manage_customers');
    // Signed in again for more: nothing has to be restarted.
    const { store } = services.grants!;
    const grant = (await store.read('acme'))!;
    const scopes = [...grant.scopes, 'manage_customers'];
    await store.save('acme', grant.clientId, { ...grant, scopes }, new Date());
    const knew = sandbox.control.requestCount();
    await named.customer(read.document.customer.guid);
    expect(sandbox.control.requestCount()).toBeGreaterThan(knew);
    await unnamed.close();
    await named.close();
    await sandbox.close();
  });
});
