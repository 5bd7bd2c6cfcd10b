// Nobody is left untold: each way of being stuck is an incident, a line of the log and a message to a real receiver; once,
// however many documents and rounds; and again when it is over.
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BridgeEvent } from '../../../src/domain/bridge-event.js';
import { Secret } from '../../../src/domain/secret.js';
import { type Channel, channelsOf } from '../../../src/notifications/channel.js';
import { createOperations, type Operations } from '../../../src/operations/operations.js';
import { appendAudit } from '../../../src/store/audit.js';
import { readAnchors, readAuditHeads } from '../../../src/store/audit-anchor.js';
import { createDispatchStore } from '../../../src/store/dispatch-store.js';
import { createFollowedIncidents } from '../../../src/store/incidents.js';
import { createNotificationStore } from '../../../src/store/notification-store.js';
import { createOperationRecords } from '../../../src/store/operations/act-records.js';
import { notificationsFile } from '../../../src/tenants/notification-schema.js';
import type { Tenant } from '../../../src/tenants/tenant.js';
import { startNotifier, tellNews } from '../../../src/worker/notifier.js';
import { createLook } from '../../../src/worker/watchman.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { mailReceiver, webReceiver } from '../../support/receivers.js';
import { storedDocument } from '../../support/stored-document.js';

const SIGNING = `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`;
const MINUTE = 60_000;

const [web, mail] = [await webReceiver(), await mailReceiver()];
afterAll(() => Promise.all([web.close(), mail.close()]));
let database: TestDatabase;
let prisma: TestDatabase['prisma'];
let db: TestDatabase['db'];
let operations: Operations;
let look: () => Promise<void>;

// Quiet hours and digests are reckoned by the clock that the notifier is given, whatever time of day the test runs at.
const noon = new Date('2026-06-17T12:00:30.000Z');
const ago = (ms: number) => new Date(Date.now() - ms);
const fileOf = (name: string) =>
  ({
    ...{ name, title: `${name} ehf.`, paused: false, file: `${name}.yaml`, cutOver: '2026-01-01' },
    ...{ erp: { adapter: 'file' }, schedule: { cron: '*/5 * * * *', timeZone: 'Atlantic/Reykjavik' } },
  }) as unknown as Tenant;
const FILES = new Map(['hraun', 'fell'].map((name) => [name, fileOf(name)]));
const operationsOn = () =>
  createOperations({
    files: null,
    records: createOperationRecords(database),
    connections: { names: () => [...FILES.keys()], tenant: (name: string) => FILES.get(name) ?? null },
    clock: { now: () => new Date() },
    outgoing: {},
    language: 'en',
  } as unknown as Parameters<typeof createOperations>[0]);

const secrets: Record<string, string> = { 'env:SIGNING': SIGNING, 'env:SMTP': mail.url };
const reveal = (reference: string) => new Secret(secrets[reference] ?? '');

function channels(more: Record<string, unknown> = {}): Channel[] {
  const notifications = notificationsFile.parse({
    webhooks: [{ url: `${web.url}/hook`, signingSecret: 'env:SIGNING' }],
    slack: [{ url: `${web.url}/slack` }],
    email: [{ to: ['anna@example.is'] }],
    ...more,
  });
  const smtp = { url: 'env:SMTP', from: 'bridge@example.is', reveal };
  return channelsOf({ tenant: null, notifications, smtp, reveal });
}

const events: BridgeEvent[] = [];
const notifierOf = (now = new Date(), to = channels()) => ({
  ...{ owner: 'test', userAgent: 'test', now: () => now },
  dispatch: createDispatchStore(database),
  store: createNotificationStore(db),
  incidents: createFollowedIncidents(db),
  channels: () => Promise.resolve(to),
  figures: async () =>
    (await operations.overview()).tenants.map(({ name: tenant, ...figures }) => ({ tenant, ...figures })),
  heads: (moment: Date) => readAuditHeads(database.db, moment),
  tenantTitle: (name: string) => FILES.get(name)?.title ?? name,
  tell: (event: BridgeEvent) => void events.push(event),
  onError: (error: unknown) => expect.unreachable(String(error)),
  timing: { everyMs: 1, graceMs: 0, retryMs: 0 },
});
const lookOn = () =>
  createLook({
    ...notifierOf(),
    overview: () => operations.overview(),
    brokenFiles: () => [],
  });
/** A look at how everything is, and the round of the notifier that follows. */
async function round(now?: Date, to?: Channel[]): Promise<void> {
  await look();
  await tellNews(notifierOf(now, to));
}

const hooks = () => web.received.filter(({ path }) => path === '/hook');
const rooms = () => web.received.filter(({ path }) => path === '/slack');
const opened = () => events.flatMap((event) => (event.event === 'incident.opened' ? [event.code] : []));

async function tenant(name: string, more: Record<string, unknown> = {}): Promise<void> {
  const facts = {
    environment: 'development',
    createdAt: ago(90 * MINUTE),
    planConfirmedAt: ago(60 * MINUTE),
  };
  await prisma.tenant.create({ data: { name, ...facts, ...more } });
}

async function documents(tenantName: string, count: number, state: string, reason?: string): Promise<void> {
  const some = Array.from({ length: count }, () => storedDocument(tenantName));
  await prisma.document.createMany({ data: some });
  const [seen, ids] = [
    { stateSince: new Date(), discoveredAt: new Date(), warnings: [] },
    some.map(({ id }) => id),
  ];
  await prisma.posting.createMany({
    data: ids.map((id) => ({
      id,
      documentId: id,
      tenantName,
      kind: 'invoice',
      key: id,
      state: 'discovered',
      ...seen,
    })),
  });
  if (reason === undefined) return;
  const why = { reason, reasonSubject: '', reasonParams: '{}' };
  await prisma.posting.updateMany({ where: { id: { in: ids } }, data: { state, ...why } });
}

beforeEach(async () => {
  database = await testDatabase();
  ({ prisma, db } = database);
  operations = operationsOn();
  look = lookOn();
  [web.received.length, mail.mails.length, events.length] = [0, 0, 0];
  [web.answers, mail.refusal] = [() => 204, null];
  const until = new Date(Date.now() + 60 * MINUTE);
  await prisma.lease.create({ data: { name: 'dispatch', owner: 'test', until } });
});
afterEach(() => database.close());

/** Each with the state of the records that means it, and the one that ends it. */
const SILENCES: Record<string, { begin: () => Promise<unknown>; end: () => Promise<unknown>; says: RegExp }> =
  {
    'parked documents': {
      begin: () => documents('hraun', 19, 'parked', 'ERP_REFUSED'),
      end: () => prisma.posting.updateMany({ data: { state: 'discovered', reason: null } }),
      says: /19 documents of hraun ehf\. need a person: The ERP refused the journal/,
    },
    'held documents': {
      begin: () => documents('hraun', 3, 'held', 'ERP_PERIOD_CLOSED'),
      end: () => prisma.posting.updateMany({ data: { state: 'discovered', reason: null } }),
      says: /3 documents of hraun ehf\. wait: The ERP has closed the period/,
    },
    'rejected documents': {
      begin: () => documents('hraun', 2, 'rejected', 'SOURCE_UNREADABLE'),
      end: () => prisma.posting.updateMany({ data: { state: 'discovered', reason: null } }),
      says: /2 documents of hraun ehf\. need a person/,
    },
    'an ERP that is dead for minutes': {
      begin: () => breaker('erp', 'open', 'connect ECONNREFUSED'),
      end: () => prisma.breaker.updateMany({ data: { state: 'closed' } }),
      says: /The ERP of hraun ehf\. does not answer since .*ECONNREFUSED/s,
    },
    'a source in maintenance': {
      begin: () => breaker('source', 'open', 'HTTP 503, probably a maintenance page'),
      end: () => prisma.breaker.updateMany({ data: { state: 'closed' } }),
      says: /The invoicing service of hraun ehf\. does not answer since .*maintenance page/s,
    },
    'refused credentials': {
      begin: () => breaker('source', 'refused', 'Invalid api_key'),
      end: () => prisma.breaker.updateMany({ data: { state: 'closed' } }),
      says: /The invoicing service refuses the credentials of hraun ehf\./,
    },
    'documents behind a plan that nobody confirmed': {
      begin: async () => {
        await prisma.tenant.updateMany({ data: { planConfirmedAt: null } });
        await documents('hraun', 67, 'discovered');
      },
      end: () => prisma.tenant.updateMany({ data: { planConfirmedAt: new Date() } }),
      says: /The plan of hraun ehf\. is not confirmed: 67 documents wait/,
    },
    'sweeps that fail': {
      begin: () => sweep('failed', ago(20 * MINUTE)),
      end: () => sweep('complete', new Date()),
      says: /The costs of hraun ehf\. could not be read since it was connected/,
    },
    'a pause': {
      begin: () =>
        prisma.tenant.updateMany({
          data: { pausedAt: new Date(), pausedBy: 'anna', pausedReason: 'an audit' },
        }),
      end: () => prisma.tenant.updateMany({ data: { pausedAt: null } }),
      says: /hraun ehf\. is paused by anna/,
    },
  };

function breaker(side: string, state: string, reason: string) {
  return prisma.breaker.create({
    data: { tenantName: 'hraun', side, state, failures: 9, reason, since: ago(4 * MINUTE) },
  });
}

function sweep(outcome: string, startedAt: Date) {
  const row = { id: randomUUID(), tenantName: 'hraun', kind: 'cost', mode: 'fast', message: 'HTTP 500' };
  return prisma.sweep.create({ data: { ...row, outcome, startedAt, finishedAt: startedAt } });
}

describe('each silence is broken, once, and its end is told', () => {
  test.each(Object.entries(SILENCES))('%s', async (_name, { begin, end, says }) => {
    await tenant('hraun');
    await round();
    expect([web.received, mail.mails]).toEqual([[], []]);
    await begin();
    for (let rounds = 0; rounds < 3; rounds++) await round();
    expect(await prisma.incident.findMany()).toMatchObject([{ tenantName: 'hraun', state: 'open' }]);
    expect(opened()).toHaveLength(1);
    expect(hooks()).toHaveLength(1);
    expect(rooms()).toHaveLength(1);
    expect(mail.mails).toHaveLength(1);
    const { data } = JSON.parse(hooks()[0]!.body) as { data: { subject: string; lines: string[] } };
    expect([data.subject, ...data.lines].join('\n')).toMatch(says);
    expect((JSON.parse(rooms()[0]!.body) as { text: string }).text).toContain('ledgerbridge ');
    expect(mail.mails[0]).toMatchObject({ to: ['anna@example.is'] });
    expect(mail.mails[0]!.text).toMatch(/^Subject: \[ledgerbridge\] /m);

    await end();
    for (let rounds = 0; rounds < 2; rounds++) await round();
    expect(await prisma.incident.findMany()).toMatchObject([{ state: 'resolved', resolvedBy: 'bridge' }]);
    expect(hooks()).toHaveLength(2);
    expect(hooks()[1]!.body).toContain('"subject":"Over: ');
    expect(mail.mails).toHaveLength(2);
  });
});

describe('a message', () => {
  test('is signed by the Standard Webhooks specification, so that another library accepts it', async () => {
    await tenant('hraun');
    await documents('hraun', 1, 'parked', 'ERP_REFUSED');
    await round();
    const { body, headers } = hooks()[0]!;
    expect(new Webhook(SIGNING).verify(body, headers)).toMatchObject({ type: 'ledgerbridge.news' });
    expect(() => new Webhook(SIGNING).verify(body.replace('hraun', 'fell'), headers)).toThrow();
  });

  test('that is not taken is sent again under the same id, while the other channels are not told twice', async () => {
    await tenant('hraun');
    await documents('hraun', 2, 'parked', 'ERP_REFUSED');
    web.answers = ({ path }) => (path === '/hook' && hooks().length < 3 ? 503 : 204);
    for (let rounds = 0; rounds < 5; rounds++) await round();
    expect(hooks()).toHaveLength(3);
    expect(new Set(hooks().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect([rooms().length, mail.mails.length]).toEqual([1, 1]);
    expect(events.filter(({ event }) => event === 'notification.delayed')).toHaveLength(2);
  });

  test('that nobody takes for hours is given up, and that is an incident of its own for the others', async () => {
    await tenant('hraun');
    await documents('hraun', 1, 'parked', 'ERP_REFUSED');
    mail.refusal = 'mailbox unavailable';
    for (let rounds = 0; rounds < 14; rounds++) await round();
    expect(opened()).toEqual(['DOCUMENTS_REST', 'NOTIFICATION_UNDELIVERED']);
    expect(hooks().at(-1)!.body).toContain('could not be delivered to (all)/email/1');
    expect(hooks()).toHaveLength(2);
  });

  test('is one for everything that happens together, of all tenants', async () => {
    await tenant('hraun');
    await tenant('fell');
    await documents('hraun', 100, 'parked', 'ERP_REFUSED');
    await documents('fell', 7, 'parked', 'OUTCOME_UNKNOWN');
    await breaker('erp', 'open', 'timeout');
    await round();
    expect(hooks()).toHaveLength(1);
    const { data } = JSON.parse(hooks()[0]!.body) as {
      data: { subject: string; items: { count: number }[] };
    };
    expect(data.subject).toBe('3 things need a look');
    expect(data.items.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
      [0, 7, 100].map((n) => n || 1),
    );
  });

  test('is one line for a hundred documents that were each parked with an alarm', async () => {
    await tenant('hraun');
    await documents('hraun', 100, 'parked', 'OUTCOME_UNKNOWN');
    const postings = await prisma.posting.findMany({ select: { id: true } });
    const alarm = { tenantName: 'hraun', code: 'OUTCOME_UNKNOWN', severity: 'critical', state: 'open' };
    const texts = {
      title: 'Unknown',
      details: '',
      nextStep: 'Look',
      firstSeenAt: ago(1),
      lastSeenAt: ago(1),
    };
    await prisma.incident.createMany({
      data: postings.map(({ id }) => ({
        ...alarm,
        ...texts,
        id: randomUUID(),
        postingId: id,
        fingerprint: id,
      })),
    });
    await round();
    await prisma.incident.updateMany({
      data: { state: 'resolved', resolvedAt: new Date() },
      where: { postingId: { not: null } },
    });
    await round();
    expect(hooks()).toHaveLength(1);
    expect(hooks()[0]!.body).toContain('100 documents of hraun ehf. need a person');
    expect((JSON.parse(hooks()[0]!.body) as { data: { items: unknown[] } }).data.items).toHaveLength(1);
  });

  test('goes to the people of its tenant only, in their language, if it is grave enough for them', async () => {
    await tenant('hraun');
    await tenant('fell');
    const own = (name: string, more: Record<string, unknown>) =>
      channelsOf({
        ...{ tenant: name, smtp: null, reveal },
        notifications: notificationsFile.parse({
          webhooks: [{ url: `${web.url}/${name}`, ...more }],
          language: 'is',
        }),
      });
    const to = [...own('hraun', {}), ...own('fell', { severity: 'critical' })];
    await documents('hraun', 1, 'parked', 'ERP_REFUSED');
    await documents('fell', 1, 'parked', 'ERP_REFUSED');
    await round(new Date(), to);
    expect(web.received.map(({ path }) => path)).toEqual(['/hraun']);
    expect(web.received[0]!.body).toContain('1 skjal hjá hraun ehf. þarf manneskju');
  });

  test('waits for the end of quiet hours unless it is critical; then all of the night is one', async () => {
    await tenant('hraun');
    const to = channels({ slack: [], email: [], quietHours: { from: '00:00', to: '23:59' } });
    await documents('hraun', 1, 'parked', 'ERP_REFUSED');
    await round(noon, to);
    await documents('hraun', 1, 'rejected', 'SOURCE_UNREADABLE');
    await round(noon, to);
    expect(hooks()).toEqual([]);
    const waiting = await prisma.notification.findMany();
    expect(waiting.map(({ dueAt }) => dueAt.getTime() - noon.getTime())).toEqual([43_110_000, 43_110_000]);
    await breaker('erp', 'open', 'timeout');
    await round(noon, to);
    expect(hooks()).toHaveLength(1);
    await round(new Date(noon.getTime() + 43_109_999), to);
    expect(hooks()).toHaveLength(1);
    await round(new Date(noon.getTime() + 43_110_000), to);
    expect(hooks()).toHaveLength(2);
    expect((JSON.parse(hooks()[1]!.body) as { data: { items: unknown[] } }).data.items).toHaveLength(2);
  });

  test('sums up the day, once a day, with what is still open', async () => {
    await tenant('hraun');
    await documents('hraun', 4, 'parked', 'ERP_REFUSED');
    const to = channels({
      slack: [],
      webhooks: [],
      digest: '12:00',
      email: [{ to: ['a@b.is'], on: ['digest'] }],
    });
    await round(new Date(noon.getTime() - MINUTE), to);
    expect(mail.mails).toEqual([]);
    for (let rounds = 0; rounds < 3; rounds++) await round(noon, to);
    await round(new Date('2026-06-17T23:59:59.999Z'), to);
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]!.text).toMatch(/Subject: \[ledgerbridge\] Daily summary: 4 documents need you/);
    expect(mail.mails[0]!.text).toMatch(/hraun ehf\.: 0 posted today, 0 waiting, 4 need a person/);
    await round(new Date('2026-06-18T12:00:00.000Z'), to);
    expect(mail.mails).toHaveLength(2);
  });

  test('carries the heads of the audit once a day to who wants to keep them, and again when they did not arrive', async () => {
    const at = (moment: string) => new Date(`2026-06-${moment}:00.000Z`);
    await database.db.tx(async (tx) => {
      for (const tenantName of ['hraun', 'fell'])
        await appendAudit(tx, { tenantName, actor: 'anna', action: 'x', subject: 's' });
    });
    await round(noon, channels());
    expect(hooks()).toEqual([]);
    const to = channels({
      webhooks: [{ url: `${web.url}/hook`, signingSecret: 'env:SIGNING', on: ['audit'] }],
      email: [{ to: ['a@b.is'], on: ['audit'] }],
    });
    web.answers = () => 500;
    await round(noon, to);
    expect(hooks()).toHaveLength(1);
    web.answers = () => 204;
    await round(at('17T12:30'), to);
    await round(at('17T23:59'), to);
    expect(hooks()).toHaveLength(2);
    expect(hooks()[1]!.headers['webhook-id']).toBe(hooks()[0]!.headers['webhook-id']);
    const sent = await readAuditHeads(database.db, noon);
    expect(JSON.parse(hooks()[1]!.body)).toMatchObject({
      type: 'ledgerbridge.anchor',
      data: { heads: sent },
    });
    expect(mail.mails).toHaveLength(1);
    expect(readAnchors(hooks()[1]!.body)).toEqual(sent);
    await round(at('18T00:01'), to);
    expect([hooks().length, mail.mails.length]).toEqual([3, 2]);
  });

  test('never carries a kennitala', async () => {
    await tenant('hraun');
    await breaker('erp', 'refused', 'no rights for 120174-3399');
    await round();
    expect(hooks()[0]!.body).toContain('kt:***');
    expect(mail.mails[0]!.text + rooms()[0]!.body + hooks()[0]!.body).not.toContain('120174');
  });
});

test('a process that stops lets the next one tell at once, without waiting for its lease', async () => {
  const dispatch = createDispatchStore(database);
  const first = startNotifier({ ...notifierOf(), owner: 'first' });
  await expect
    .poll(() => prisma.lease.findFirst({ where: { name: 'notify' } }))
    .toMatchObject({ owner: 'first' });
  expect(await dispatch.take('notify', 'second', 60_000)).toBe(false);
  await first.stop();
  expect(await dispatch.take('notify', 'second', 60_000)).toBe(true);
});
