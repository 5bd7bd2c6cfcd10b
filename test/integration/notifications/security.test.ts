// Who may come in is news: people hear of locks, admins, tokens and second factors that are gone, once, and no page turns red for it.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { vaultOf } from '../../../src/bridge/serve-dashboard.js';
import { Secret } from '../../../src/domain/secret.js';
import { type Channel, channelsOf } from '../../../src/notifications/channel.js';
import { codeAt, stepAt } from '../../../src/operations/users/second-factor.js';
import { createUserAccounts, type UserAccounts } from '../../../src/operations/users/user-accounts.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import { createDispatchStore } from '../../../src/store/dispatch-store.js';
import { createFollowedIncidents } from '../../../src/store/incidents.js';
import { createNotificationStore } from '../../../src/store/notification-store.js';
import { createOperationRecords } from '../../../src/store/operations/act-records.js';
import { notificationsFile } from '../../../src/tenants/notification-schema.js';
import { tellNews } from '../../../src/worker/notifier.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { webReceiver } from '../../support/receivers.js';

const PASSWORD = new Secret('hross kind naut geit');
const ACT = { actor: 'gudrun', reason: 'for the test' };
const web = await webReceiver();
let database: TestDatabase;
let users: UserAccounts;
afterAll(() => web.close());

beforeEach(async () => {
  database = await testDatabase();
  const vault = vaultOf({ key: new Secret(randomBytes(32).toString('base64')), previousKey: null });
  users = createUserAccounts(createUserStore(database), { now: () => new Date() }, vault);
  web.received.length = 0;
  // What was before somebody is told of anything is no news.
  await users.create('gudrun', 'admin', PASSWORD, 'command line');
  await round();
  expect(heard()).toEqual([]);
  return () => database.close();
});

function channels(more: Record<string, unknown> = {}, tenant: string | null = null): Channel[] {
  const notifications = notificationsFile.parse({ webhooks: [{ url: `${web.url}/hook` }], ...more });
  return channelsOf({ tenant, notifications, smtp: null, reveal: () => new Secret('') });
}

const round = (to = channels(), graceMs = 0) =>
  tellNews({
    ...{ owner: 'test', userAgent: 'test', now: () => new Date(Date.now() + 1_000) },
    dispatch: createDispatchStore(database),
    store: createNotificationStore(database.db),
    incidents: createFollowedIncidents(database.db),
    channels: () => Promise.resolve(to),
    figures: () => Promise.resolve([]),
    heads: () => Promise.resolve([]),
    tenantTitle: (name) => name,
    tell: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
    timing: { everyMs: 1, graceMs, retryMs: 0 },
  });

interface Item {
  readonly event: string;
  readonly code: string;
  readonly severity: string;
  readonly title: string;
  readonly details: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const bodies = () =>
  web.received.map(({ body }) => JSON.parse(body) as { data: { subject: string; items: Item[] } });
const heard = () => bodies().flatMap(({ data }) => data.items);

describe('people hear', () => {
  test('of a lock, a new admin, a role that was raised, a new token and a second factor that is gone: each once', async () => {
    const records = createOperationRecords(database);
    await users.create('sigga', 'viewer', PASSWORD, 'gudrun');
    for (let tries = 0; tries < 5; tries++)
      await users.signIn('sigga', new Secret('wrong'), { browser: '', address: '10.0.0.1' });
    await users.setRole('sigga', 'admin', 'gudrun');
    await users.setRole('sigga', 'admin', 'gudrun');
    await users.create('ari', 'viewer', PASSWORD, 'gudrun', new Map([['hraun', 'admin']]));
    const token = { name: 'safn', role: 'operator' as const, companies: ['hraun'], hash: 'h' };
    await records.createToken(ACT, { ...token, expiresAt: new Date(Date.now() + 60_000) });
    const { secret } = await users.secondFactor.begin('ari');
    await users.secondFactor.confirm('ari', codeAt(secret, stepAt(new Date())), 'none');
    await users.secondFactor.end('ari', 'gudrun');
    await round();
    expect(heard().map(({ event, code, params }) => [event, code, params])).toEqual([
      ['security', 'ACCOUNT_LOCKED', { code: 'ACCOUNT_LOCKED', login: 'sigga', tries: 5 }],
      ['security', 'ADMIN_MADE', { code: 'ADMIN_MADE', login: 'sigga', by: 'gudrun', companies: [] }],
      ['security', 'ADMIN_MADE', { code: 'ADMIN_MADE', login: 'ari', by: 'gudrun', companies: ['hraun'] }],
      [
        ...['security', 'TOKEN_MADE'],
        { code: 'TOKEN_MADE', name: 'safn', role: 'operator', companies: ['hraun'], by: 'gudrun' },
      ],
      ['security', 'SECOND_FACTOR_OFF', { code: 'SECOND_FACTOR_OFF', login: 'ari', by: 'gudrun' }],
    ]);
    expect(bodies().map(({ data }) => data.subject)).toEqual(['5 changes of accounts or tokens']);
    expect(heard()[3]?.details).toBe('gudrun made it. Role: operator. Companies: hraun.');
    await round();
    expect(heard()).toHaveLength(5);
    // It is no incident: nothing waits for anybody, and nothing has to end.
    expect(await database.prisma.incident.count()).toBe(0);
    expect((await records.security(10)).map(({ news }) => news.code)).toEqual([
      ...['SECOND_FACTOR_OFF', 'TOKEN_MADE', 'ADMIN_MADE', 'ADMIN_MADE', 'ACCOUNT_LOCKED', 'ADMIN_MADE'],
    ]);
  });

  test('in Icelandic, where the channel is; and not where it wants other events, graver ones or those of one company', async () => {
    await users.create('unnur', 'admin', PASSWORD, 'gudrun');
    const hook = { url: `${web.url}/hook` };
    await round([
      ...channels({ language: 'is' }),
      ...channels({ webhooks: [{ ...hook, on: ['incident'] }] }),
      ...channels({ webhooks: [{ ...hook, severity: 'critical' }] }),
      ...channels({}, 'hraun'),
    ]);
    expect(bodies().map(({ data }) => data.subject)).toEqual(['unnur er nú stjórnandi']);
  });

  test('of a flood in few messages: what comes within the time of one message waits for the next', async () => {
    await users.create('a1', 'admin', PASSWORD, 'gudrun');
    await round(channels(), 0);
    await users.create('a2', 'admin', PASSWORD, 'gudrun');
    await users.create('a3', 'admin', PASSWORD, 'gudrun');
    await round(channels(), 60_000);
    expect(bodies()).toHaveLength(1);
    await round(channels(), 0);
    expect(bodies().map(({ data }) => data.items.length)).toEqual([1, 2]);
  });
});
