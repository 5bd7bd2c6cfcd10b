// Whose account it is, asked by every client of a tenant before its first call, and again with every other token.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { Secret } from '../../../src/domain/secret.js';
import { connectSource, connectTarget } from '../../../src/service/connect-source.js';
import { beginLogin, finishLogin, readCallback } from '../../../src/service/oauth/login.js';
import { TokenKeyring } from '../../../src/service/oauth/token-keyring.js';
import { connectReports } from '../../../src/service/service-reports.js';
import type { TargetRequest } from '../../../src/service/invoicing-target.js';
import type { SourceServices } from '../../../src/service/source-services.js';
import { AGENT_SCOPES } from '../../../src/service/source-settings.js';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { credentials, testServices } from '../../support/invoicing/connections.js';
import { consentAsAPerson } from '../../support/invoicing/consent.js';
import { MemoryGrantStore } from '../../support/invoicing/memory-grant-store.js';
import { tokenKey } from '../../support/invoicing/oauth-tenant.js';

const created = { kind: 'invoice', accountingStatus: 'Created' } as const;
const WHO = /^(hello|GET \/status)$/;
const REDIRECT = 'https://bridge.example.is/callback';
const CUSTOMER: TargetRequest = {
  act: 'create',
  kind: 'customer',
  body: { registration_no: '4910080160', name: 'Hraun ehf.', email: 'a@b.is' },
};

describe('a tenant whose documents came from one account', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    const accounts = ['own', 'stranger'].map((username) => ({ username, invoices: 2, costs: 1 }));
    sandbox = await startSandbox({ accounts });
  });
  afterEach(() => sandbox.close());

  const accountOf = (username: string) => sandbox.accounts.find((one) => one.username === username)!;
  const keyOf = (username: string) => {
    const { apiKey } = accountOf(username);
    return credentials(sandbox.url, { username, apiKey: new Secret(apiKey) });
  };
  /** As the records are asked: the account of the tenant is `own`. */
  const ownOnly = (services: SourceServices): SourceServices => ({
    ...services,
    ownAccount: {
      mustBe: (registrationNo) =>
        registrationNo === accountOf('own').registrationNo
          ? Promise.resolve()
          : Promise.reject(new CodedError('SOURCE_ACCOUNT_CHANGED', 'another account')),
    },
  });
  const calls = (account: string) => sandbox.control.journal({ account }).map(({ endpoint }) => endpoint);
  const changed = { code: 'SOURCE_ACCOUNT_CHANGED' };

  it('asks once for a connection, however many calls begin it at once', async () => {
    const source = connectSource(keyOf('own'), ownOnly(testServices()));
    await Promise.all([source.count(created), source.count(created), source.list(created, 1)]);
    await source.count(created);
    expect(calls('own').filter((call) => WHO.test(call))).toHaveLength(1);
    await source.close();
  });

  it('neither reads nor writes anything of another account, in either direction', async () => {
    const services = ownOnly(testServices());
    const source = connectSource(keyOf('stranger'), services);
    await expect(source.count(created)).rejects.toMatchObject(changed);
    await expect(source.updateStatus('invoice', 'x', 'Posted', '')).rejects.toMatchObject(changed);
    const target = connectTarget(keyOf('stranger'), services);
    const leaveBy = new Date(Date.now() + 60_000);
    // Surely not sent: nobody has to search for it.
    expect(await target.send(CUSTOMER, leaveBy)).toMatchObject({
      ...{ outcome: 'not-sent', why: 'refused-credentials' },
    });
    const file = { fileName: 'a.pdf', content: new Uint8Array([37, 80, 68, 70]) };
    expect(await target.upload(file as never, leaveBy)).toMatchObject({ outcome: 'not-sent' });
    const reports = connectReports(keyOf('stranger'), services, () => undefined);
    await expect(reports.summary('2026-01-01', '2026-01-31')).rejects.toMatchObject(changed);
    expect(calls('stranger').filter((call) => !WHO.test(call))).toEqual([]);
    for (const end of [source, target, reports]) await end.close();
  });

  it('writes nothing while the service cannot say whose account it is, and goes on when it can', async () => {
    const target = connectTarget(keyOf('own'), ownOnly(testServices()));
    const { id } = sandbox.control.addFault({ kind: 'lost-reply', endpoint: 'hello' });
    const limited = connectTarget(keyOf('own'), ownOnly(testServices({ lines: [] }, { deadlineMs: 300 })));
    const leaveBy = () => new Date(Date.now() + 60_000);
    expect(await limited.send(CUSTOMER, leaveBy())).toMatchObject({ outcome: 'not-sent', why: 'away' });
    expect(calls('own').filter((call) => !WHO.test(call))).toEqual([]);
    sandbox.control.removeFault(id);
    expect(await target.send(CUSTOMER, leaveBy())).toMatchObject({ outcome: 'accepted' });
    await limited.close();
    await target.close();
  });

  it('asks again when somebody else signs in meanwhile, and goes on when the right one does', async () => {
    const { client_id: clientId } = sandbox.control.addClient({
      ...{ name: 'App', redirectUri: REDIRECT, app: true, isPublic: true },
    });
    const auth = { type: 'oauth', clientId, redirectUri: REDIRECT, scopes: AGENT_SCOPES } as const;
    const settings = { environment: 'production', baseUrl: sandbox.url, auth } as const;
    const grants = { store: new MemoryGrantStore(), keyring: new TokenKeyring(tokenKey()) };
    const services = testServices({ lines: [] }, {}, grants);
    const signIn = async (username: string) => {
      const attempt = beginLogin(settings, auth);
      const callback = await consentAsAPerson(attempt.address, accountOf(username));
      await finishLogin(settings, auth, services, attempt, readCallback(attempt, auth, callback));
    };
    await signIn('own');
    const source = connectSource(settings, ownOnly(services));
    expect(await source.count(created)).toBeGreaterThanOrEqual(0);
    await signIn('stranger');
    // What this process keeps works still; the new tokens come with the next refresh, or when these are refused.
    const next = connectSource(settings, ownOnly(services));
    await expect(next.count(created)).rejects.toMatchObject(changed);
    sandbox.control.addFault({ kind: 'expired-token', account: 'own', times: 1 });
    await expect(source.count(created)).rejects.toMatchObject(changed);
    expect(calls('stranger').filter((call) => /invoices/.test(call))).toEqual([]);
    await signIn('own');
    expect(await next.count(created)).toBeGreaterThanOrEqual(0);
    expect(await source.count(created)).toBeGreaterThanOrEqual(0);
    await source.close();
    await next.close();
  });
});
