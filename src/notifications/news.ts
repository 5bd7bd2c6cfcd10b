// What is told, as values: kept in the records like this, and made into words when it is sent, in the language of the channel.
import type { AuditHead } from '../domain/audit-head.js';
import type { ConditionText } from '../language/conditions/table.js';
import { incidentText } from '../language/incidents/incident-text.js';
import type { SecurityNews } from '../domain/security-news.js';
import type { Language } from '../language/say.js';
import { securityText } from '../language/security-text.js';

export type Severity = 'info' | 'warning' | 'critical';

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
