// Tells people. One process at a time gathers what nobody was told of, writes one message a channel, and delivers what is due.
// It asks the records and not the queues, so that it still speaks when Redis is away. What cannot be delivered is tried again
// for hours, then given up and made an incident; the incident it was about stays on the dashboard whatever happens.
import type { AuditHead } from '../domain/audit-head.js';
import type { TenantName } from '../domain/ids.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TellEvent } from '../domain/bridge-event.js';
import type { Condition } from '../domain/condition.js';
import {
  type Channel,
  isDigestDue,
  isFirstOfDay,
  quietForMs,
  wants,
  type Content,
  type NewsItem,
  type TenantFigures,
} from '../notifications/channel.js';
import { send, type Sent } from '../notifications/send.js';
import type { DispatchStore } from '../store/dispatch-store.js';
import type { FollowedIncidents } from '../store/incidents.js';
import type {
  IncidentNews,
  NewNotification,
  NotificationStore,
  SecurityEntry,
  WaitingNotification,
} from '../store/notification-store.js';

export interface NotifierOptions {
  readonly owner: string;
  readonly dispatch: Pick<DispatchStore, 'take' | 'giveBack'>;
  readonly store: NotificationStore;
  readonly incidents: FollowedIncidents;
  readonly channels: () => Promise<readonly Channel[]>;
  /** Of every tenant, for names and for the daily summary. */
  readonly figures: () => Promise<readonly TenantFigures[]>;
  /** Of every chain of the audit. */
  readonly heads: (now: Date) => Promise<readonly AuditHead[]>;
  readonly tenantTitle: (name: string) => string;
  readonly userAgent: string;
  readonly now: () => Date;
  readonly tell: TellEvent;
  readonly onError: (error: unknown) => void;
  readonly timing?: NotifierTiming;
}

export interface NotifierTiming {
  readonly everyMs: number;
  /** What happens within this time is one message. */
  readonly graceMs: number;
  readonly retryMs: number;
}

export interface Notifier {
  stop(): Promise<void>;
}

const TIMING: NotifierTiming = { everyMs: 5_000, graceMs: 20_000, retryMs: 30_000 };
const RETRY_MS_MAX = 3_600_000;
/** Some six hours in all. */
const TRIES_MAX = 12;
const DUE_MAX = 100;
const OPEN_MAX = 50;
const LEASE_NAME = 'notify';
const LEASE_MS = 60_000;

export function startNotifier(options: NotifierOptions): Notifier {
  const { everyMs } = options.timing ?? TIMING;
  const stopped = new AbortController();
  const rounds = async () => {
    while (!stopped.signal.aborted) {
      try {
        if (await options.dispatch.take(LEASE_NAME, options.owner, LEASE_MS)) await tellNews(options);
      } catch (error) {
        options.onError(error);
      }
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    // The process that starts next tells at once, not when this lease has run out.
    await options.dispatch.giveBack(LEASE_NAME, options.owner).catch(options.onError);
  };
  const running = rounds();
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

/** One moment for the whole round: what it finds due now is due by the clock that said when. */
export async function tellNews(options: NotifierOptions): Promise<void> {
  const { store, tell } = options;
  const now = options.now();
  const channels = await options.channels();
  const { graceMs } = options.timing ?? TIMING;
  const news = await store.gather(now, graceMs, (found) => plan(options, now, channels, found));
  for (const { what, tenant, code, severity, title, nextStep, count } of news) {
    const event = what === 'opened' ? 'incident.opened' : 'incident.resolved';
    tell({ event, tenant, code, severity, title, whatToDo: nextStep, count });
  }
  await store.gatherSecurity(now, graceMs, (found) => messagesTo(channels, now, found.map(securityItem)));
  await writeDigests(options, now, channels);
  await writeAnchors(options, now, channels);
  await deliver(options, now, channels);
  await options.incidents.follow(['NOTIFICATION_UNDELIVERED'], await undeliveredOnes(store, options.now()));
}

function plan(
  options: NotifierOptions,
  now: Date,
  channels: readonly Channel[],
  news: readonly IncidentNews[],
): NewNotification[] {
  return messagesTo(
    channels,
    now,
    news.map((one) => itemOf(options, one)),
  );
}

function messagesTo(channels: readonly Channel[], now: Date, items: readonly NewsItem[]): NewNotification[] {
  return channels.flatMap((channel) => {
    const wanted = items.filter((item) => wants(channel, item));
    if (wanted.length === 0) return [];
    const isUrgent = wanted.some(({ severity, what }) => severity === 'critical' && what === 'opened');
    const dueAt = new Date(now.getTime() + (isUrgent ? 0 : quietForMs(channel, now)));
    const content = JSON.stringify({ kind: 'news', items: wanted } satisfies Content);
    return [{ tenant: channel.tenant, channel: channel.name, kind: 'news', content, dueAt }];
  });
}

function itemOf({ tenantTitle }: NotifierOptions, news: IncidentNews): NewsItem {
  const { what, id, code, tenant, severity, count, params, title, details, nextStep, at } = news;
  return {
    ...{ what, incidentId: id, code, tenant, count, params, at: at.toISOString() },
    severity: severity as NewsItem['severity'],
    title: tenant === null ? '' : tenantTitle(tenant),
    written: { title, details, nextStep },
  };
}

/** What lets somebody in is graver than what keeps somebody out. */
function securityItem({ id, at, news }: SecurityEntry): NewsItem {
  const isViewer = news.code === 'TOKEN_MADE' && news.role === 'viewer';
  return {
    ...{ what: 'happened', incidentId: id, code: news.code, tenant: null, title: '', count: 1 },
    ...{ severity: isViewer ? 'info' : 'warning', at: at.toISOString(), params: { ...news } },
    written: { title: '', details: '', nextStep: '' },
  };
}

async function writeDigests(
  options: NotifierOptions,
  now: Date,
  channels: readonly Channel[],
): Promise<void> {
  const { store } = options;
  const withDigest = channels.filter(({ digest }) => digest !== null);
  if (withDigest.length === 0) return;
  const last = await store.latest('digest');
  const due = withDigest.filter((channel) => isDigestDue(channel, now, last.get(channel.name) ?? null));
  if (due.length === 0) return;
  const [figures, open] = await Promise.all([options.figures(), store.open(OPEN_MAX)]);
  await store.add(
    now,
    due.map((channel): NewNotification => {
      const about = (tenant: TenantName | null) => channel.tenant === null || tenant === channel.tenant;
      const content: Content = {
        kind: 'digest',
        tenants: figures.filter(({ tenant }) => about(tenant)),
        items: open.filter(({ tenant }) => about(tenant)).map((one) => itemOf(options, one)),
      };
      const row = { tenant: channel.tenant, channel: channel.name, kind: 'digest' as const };
      return { ...row, content: JSON.stringify(content), dueAt: now };
    }),
  );
}

async function writeAnchors(
  { store, heads: read }: NotifierOptions,
  now: Date,
  channels: readonly Channel[],
): Promise<void> {
  const wanting = channels.filter(({ on }) => on.includes('audit'));
  if (wanting.length === 0) return;
  const last = await store.latest('anchor');
  const due = wanting.filter((channel) => isFirstOfDay(channel, now, last.get(channel.name) ?? null));
  if (due.length === 0) return;
  const heads = await read(now);
  const added = due.flatMap((channel): NewNotification[] => {
    const own = heads.filter(({ chain }) => channel.tenant === null || chain === channel.tenant);
    if (own.length === 0) return [];
    const content = JSON.stringify({ kind: 'anchor', heads: own } satisfies Content);
    const dueAt = new Date(now.getTime() + quietForMs(channel, now));
    return [{ tenant: channel.tenant, channel: channel.name, kind: 'anchor', content, dueAt }];
  });
  await store.add(now, added);
}

async function deliver(options: NotifierOptions, now: Date, channels: readonly Channel[]): Promise<void> {
  const due = await options.store.due(now, DUE_MAX);
  const names = [...new Set(due.map(({ channel }) => channel))];
  await Promise.all(
    names.map(async (name) => {
      const rows = due.filter((row) => row.channel === name);
      const channel = channels.find((one) => one.name === name);
      if (!channel) {
        await options.store.failed(now, idsOf(rows), 'The channel is not configured any more.', null);
        return;
      }
      for (const message of messagesOf(rows)) await deliverOne(options, channel, message);
    }),
  );
}

/** What waited together, as after quiet hours, goes as one. What was tried before keeps its id and its content. */
function messagesOf(rows: readonly WaitingNotification[]): readonly WaitingNotification[][] {
  const fresh = rows.filter(({ kind, tries }) => kind === 'news' && tries === 0);
  const others = rows.filter((row) => !fresh.includes(row)).map((row) => [row]);
  return fresh.length === 0 ? others : [...others, [...fresh]];
}

async function deliverOne(
  options: NotifierOptions,
  channel: Channel,
  rows: readonly WaitingNotification[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const content = merged(rows.map((row) => JSON.parse(row.content) as Content));
  const envelope = { id: first.id, at: first.createdAt, content };
  const result = await send(channel, envelope, options.userAgent);
  await settle(options, channel, rows, result);
}

function merged(contents: readonly Content[]): Content {
  const [first] = contents;
  if (first?.kind !== 'news') return first ?? { kind: 'news', items: [] };
  return { kind: 'news', items: contents.flatMap((one) => (one.kind === 'news' ? one.items : [])) };
}

async function settle(
  { store, tell, now: clock, timing = TIMING }: NotifierOptions,
  channel: Channel,
  rows: readonly WaitingNotification[],
  { delivered, answer }: Sent,
): Promise<void> {
  const [ids, now] = [idsOf(rows), clock()];
  const about = { tenant: channel.tenant, channel: channel.destination.type, about: channel.name };
  if (delivered) {
    await store.sent(now, ids, answer);
    tell({ event: 'notification.sent', ...about, reason: answer });
    return;
  }
  const tries = Math.max(...rows.map((row) => row.tries)) + 1;
  const wait = Math.min(timing.retryMs * 2 ** (tries - 1), RETRY_MS_MAX);
  const againAt = tries >= TRIES_MAX ? null : new Date(now.getTime() + wait);
  await store.failed(now, ids, answer, againAt);
  const event = againAt === null ? 'notification.abandoned' : 'notification.delayed';
  tell({ event, ...about, reason: answer });
}

async function undeliveredOnes(store: NotificationStore, now: Date): Promise<Condition[]> {
  return (await store.undelivered(now)).map(({ channel, count, reason, lastAt }) => ({
    ...{ code: 'NOTIFICATION_UNDELIVERED', tenant: null, subject: channel, severity: 'critical' },
    ...{ needsPerson: true, lastAt: lastAt.toISOString(), params: { channel, count, reason } },
  }));
}

function idsOf(rows: readonly WaitingNotification[]): string[] {
  return rows.map(({ id }) => id);
}
