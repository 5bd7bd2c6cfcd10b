// How one tenant is connected to the invoicing service, decoded: the `source:` part of a tenant file with its secrets
// resolved. The union makes a maintenance code on a production connection unrepresentable.
import type { SubmissionKind } from '../domain/submission.js';
import type { Secret } from '../domain/secret.js';

/** Document 2, "Authentication" 8. */
export const AGENT_SCOPES = [
  'dashboard_data',
  'manage_customers',
  'nav',
  'create_invoice',
  'recurring',
  'cost',
  'task',
  'sell_product',
  'bookkeeper',
] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];

/** What the unattended bridge needs and no more; `tenant check` adds dashboard_data only if it was granted. */
export const BRIDGE_SCOPES = ['nav', 'cost'] as const satisfies readonly AgentScope[];

/** What outbound calls besides, by kind of record; a customer is looked up, or made. */
const SCOPES_OF: Readonly<Record<SubmissionKind, readonly AgentScope[]>> = {
  invoice: ['create_invoice', 'manage_customers'],
  quote: ['create_invoice', 'manage_customers'],
  // The agent surface has no way to make these: nothing but their customers would be asked for.
  draft: ['manage_customers'],
  order: ['manage_customers'],
  customer: ['manage_customers'],
  item: ['nav'],
  cost: ['cost'],
  task: ['task', 'manage_customers'],
  hours: ['task'],
  subscription: ['recurring', 'manage_customers'],
};

export function outboundScopes(kinds: readonly SubmissionKind[]): readonly AgentScope[] {
  return [...new Set(kinds.flatMap((kind) => SCOPES_OF[kind]))];
}

export interface CredentialsAuth {
  readonly type: 'credentials';
  readonly username: string;
  readonly apiKey: Secret;
  /** Left out: the credential surface (Document 1). `agent`: Document 2 with HTTP Basic. */
  readonly surface?: 'credential' | 'agent';
  /** X-Agent-Id, for attribution in the audit log; only with `surface: agent`. */
  readonly agentId?: string;
}

/** The tokens themselves are in the grant store, under the tenant's name. */
export interface OAuthAuth {
  readonly type: 'oauth';
  readonly clientId: string;
  /** Confidential clients only. */
  readonly clientSecret?: Secret;
  /** https, exactly as registered. */
  readonly redirectUri: string;
  readonly scopes: readonly AgentScope[];
}

export type SourceAuth = CredentialsAuth | OAuthAuth;

interface Connection {
  /** Without /api/v1. https, or http on a loopback address. */
  readonly baseUrl: string;
  readonly auth: SourceAuth;
  /**
   * The kennitala of the account, where the tenant file names it: a connection to another account is then refused, and a
   * grant without dashboard_data, which cannot tell whose account it is, can be used.
   */
  readonly registrationNo?: string;
}

export interface ProductionSource extends Connection {
  readonly environment: 'production';
  /** Not even by way of a variable: objects with more fields than their type are only noticed where they are written. */
  readonly maintenanceCode?: never;
}

export interface DevelopmentSource extends Connection {
  readonly environment: 'development';
  /** `en4_maint_code`; sent to the origin of baseUrl and nowhere else. */
  readonly maintenanceCode: Secret;
}

export type SourceSettings = ProductionSource | DevelopmentSource;

export type Surface = 'credential' | 'agent';

export function surfaceOf(settings: SourceSettings): Surface {
  if (settings.auth.type === 'oauth') return 'agent';
  return settings.auth.surface ?? 'credential';
}
