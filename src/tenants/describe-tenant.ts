// A tenant as people may see it: everything the file says and the defaults behind it, secrets as their reference with
// whether something stands there. The command line and the dashboard show the same.
import { dirname } from 'node:path';
import { isSecretReference } from '../domain/secret-reference.js';
import { isObject } from './schema-walk.js';
import { secretExists, type SecretPlaces } from './secrets.js';
import type { Tenant } from './tenant.js';

export interface TenantDescription {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly source: unknown;
  readonly cutOver: string | null;
  readonly schedule: unknown;
  readonly erp: unknown;
  readonly rules: { readonly version: string; readonly from: readonly string[] };
  readonly limits: unknown;
  readonly weight: number;
  readonly notifications: unknown;
  readonly paused: boolean;
}

export function describeTenant(
  tenant: Tenant,
  env: Readonly<Record<string, string | undefined>>,
): TenantDescription {
  const places = { env, baseDirectory: dirname(tenant.file) };
  return {
    name: tenant.name,
    title: tenant.title,
    file: tenant.file,
    source: masked(tenant.source, places),
    cutOver: tenant.cutOver,
    schedule: tenant.schedule,
    erp: masked(tenant.erp, places),
    rules: { version: tenant.rulesVersion, from: tenant.rulesFiles },
    limits: tenant.limits,
    weight: tenant.weight,
    notifications: masked(
      {
        ...tenant.notifications,
        webhooks: tenant.notifications.webhooks.map((hook) => ({ ...hook, url: withoutPath(hook.url) })),
        slack: tenant.notifications.slack.map((room) => ({ ...room, url: withoutPath(room.url) })),
      },
      places,
    ),
    paused: tenant.paused,
  };
}

function masked(value: unknown, places: SecretPlaces): unknown {
  if (typeof value === 'string') {
    return isSecretReference(value)
      ? `*** (${value}, ${secretExists(value, places) ? 'set' : 'not set'})`
      : value;
  }
  if (Array.isArray(value)) return value.map((item) => masked(item, places));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, places)]));
}

/** The path of a webhook is often its password. */
function withoutPath(url: string): string {
  return isSecretReference(url) || !URL.canParse(url) ? url : `${new URL(url).origin}/***`;
}
