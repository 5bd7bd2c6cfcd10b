// A way to people: where it goes, what it wants to hear, and when it wants to be left alone. Secrets are read when a message
// leaves and kept no longer.
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { Language } from '../language/say.js';
import type { NotificationEvent, Notifications, NotificationsFile } from '../tenants/notification-schema.js';
import type { AuditHead } from '../domain/audit-head.js';
import type { ConditionText } from '../language/conditions/table.js';
import { incidentText } from '../language/incidents/incident-text.js';
import type { SecurityNews } from '../domain/security-news.js';
import { securityText } from '../language/security-text.js';

export type Reveal = (reference: SecretReference) => Secret;

export type Destination =
  | { readonly type: 'webhook'; readonly url: string; readonly signingSecret: SecretReference | null }
  | { readonly type: 'slack'; readonly url: string }
  | { readonly type: 'email'; readonly to: readonly string[]; readonly smtp: SmtpServer | null };

export interface SmtpServer {
  readonly url: SecretReference;
  readonly from: string;
  readonly reveal: Reveal;
}

export interface Channel {
  /** Its place in the configuration, which tells nothing secret: `hraun/email/1`, `(all)/webhook/2`. */
  readonly name: string;
  /** null: it hears of every tenant and of the bridge itself. */
  readonly tenant: string | null;
  readonly destination: Destination;
  readonly on: readonly NotificationEvent[];
  readonly severity: Severity;
  readonly language: Language;
  readonly quietHours: { readonly from: string; readonly to: string } | null;
  readonly digest: string | null;
  readonly timeZone: string;
  readonly reveal: Reveal;
}

export interface ChannelSource {
  readonly tenant: string | null;
  readonly notifications: Notifications | NotificationsFile;
  readonly smtp: SmtpServer | null;
  readonly reveal: Reveal;
}

export function channelsOf({ tenant, notifications, smtp, reveal }: ChannelSource): Channel[] {
  const { language, timeZone } = notifications;
  const shared = {
    ...{ tenant, language, timeZone, reveal },
    quietHours: notifications.quietHours ?? null,
    digest: notifications.digest ?? null,
  };
  const named = (type: string, index: number) => `${tenant ?? '(all)'}/${type}/${index + 1}`;
  return [
    ...notifications.webhooks.map(({ url, signingSecret, on, severity }, index): Channel => ({
      ...{ ...shared, on, severity, name: named('webhook', index) },
      destination: { type: 'webhook', url, signingSecret: signingSecret ?? null },
    })),
    ...notifications.slack.map(({ url, on, severity }, index): Channel => ({
      ...{ ...shared, on, severity, name: named('slack', index) },
      destination: { type: 'slack', url },
    })),
    ...notifications.email.map(({ to, on, severity }, index): Channel => ({
      ...{ ...shared, on, severity, name: named('email', index) },
      destination: { type: 'email', to, smtp },
    })),
  ];
}

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 };

/** Whether this channel wants to hear of it. */
export function wants(channel: Channel, item: NewsItem): boolean {
  if (channel.tenant !== null && channel.tenant !== item.tenant) return false;
  if (RANK[item.severity] < RANK[channel.severity]) return false;
  return channel.on.includes(eventOf(item));
}

function eventOf({ what, code }: NewsItem): NotificationEvent {
  if (what === 'happened') return 'security';
  if (what === 'ended') return 'recovery';
  if (code === 'TENANT_PAUSED') return 'tenant-paused';
  return code.startsWith('RECONCILIATION') ? 'reconciliation' : 'incident';
}

/** How long a message that is not critical waits: until the quiet hours are over. */
export function quietForMs(
  { quietHours, timeZone }: Pick<Channel, 'quietHours' | 'timeZone'>,
  now: Date,
): number {
  if (quietHours === null) return 0;
  const [from, to, at] = [minutesOf(quietHours.from), minutesOf(quietHours.to), minuteOfDay(now, timeZone)];
  const within = from <= to ? at >= from && at < to : at >= from || at < to;
  return within ? ((to - at + DAY_MINUTES) % DAY_MINUTES) * 60_000 - (now.getTime() % 60_000) : 0;
}

/** The digest of today is due when its time has come and none was written since midnight, there. */
export function isDigestDue(
  { digest, timeZone, on }: Pick<Channel, 'digest' | 'timeZone' | 'on'>,
  now: Date,
  last: Date | null,
): boolean {
  if (digest === null || !on.includes('digest') || minuteOfDay(now, timeZone) < minutesOf(digest))
    return false;
  return isFirstOfDay({ timeZone }, now, last);
}

/** The first message of the day, there. */
export function isFirstOfDay({ timeZone }: Pick<Channel, 'timeZone'>, now: Date, last: Date | null): boolean {
  return last === null || dayOf(last, timeZone) !== dayOf(now, timeZone);
}

const DAY_MINUTES = 24 * 60;

function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function minuteOfDay(now: Date, timeZone: string): number {
  const format = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return minutesOf(new Intl.DateTimeFormat('en-GB', format).format(now));
}

function dayOf(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(moment);
}

// What is told, as values: kept in the records like this, and made into words when it is sent, in the language of the channel.

type Severity = 'info' | 'warning' | 'critical';

/** An incident that began or ended; or what happened once, and is no incident: nothing waits for its end. */
export interface NewsItem {
  readonly what: 'opened' | 'ended' | 'happened';
  /** Of what happened: its entry in the audit. */
  readonly incidentId: string;
  readonly code: string;
  readonly tenant: string | null;
  /** What people call the tenant. */
  readonly title: string;
  readonly severity: Severity;
  readonly count: number;
  readonly at: string;
  readonly params: Readonly<Record<string, unknown>> | null;
  /** As it was written, where it has no values. */
  readonly written: ConditionText;
}

export interface TenantFigures {
  readonly tenant: string;
  readonly title: string;
  readonly postedToday: number;
  readonly waiting: number;
  readonly needsYou: number;
}

export type Content =
  | { readonly kind: 'news'; readonly items: readonly NewsItem[] }
  | {
      readonly kind: 'digest';
      readonly tenants: readonly TenantFigures[];
      readonly items: readonly NewsItem[];
    }
  /** Of the audit, to be kept by who gets it. */
  | { readonly kind: 'anchor'; readonly heads: readonly AuditHead[] }
  | { readonly kind: 'test'; readonly channel: string };

export function itemText(language: Language, item: NewsItem): ConditionText {
  const { what, code, tenant: tenantName, params, written, title } = item;
  if (what === 'happened') return securityText(language, params as unknown as SecurityNews);
  return incidentText(language, { code, tenantName, params, ...written }, title);
}
