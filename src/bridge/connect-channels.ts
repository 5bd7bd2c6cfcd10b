// The ways to people, from the files: `notifications.yaml` for all tenants, and what each tenant file says for its own.
import type { TenantName } from '../domain/ids.js';
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import { type Channel, channelsOf, type Reveal, type SmtpServer } from '../notifications/channel.js';
import { send } from '../notifications/send.js';
import type { ChannelTrial } from '../operations/views/act.js';
import type { Log } from '../telemetry/log.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { followNotifications } from '../tenants/load-sign-in.js';
import type { NotificationsFile } from '../tenants/notification-schema.js';
import { resolveSecret } from '../tenants/secrets.js';
import type { Tenant } from '../tenants/tenant.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';

export interface ChannelOptions {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly version: string;
}

interface Tenants {
  names(): readonly string[];
  tenant(name: string): Tenant | null;
}

interface Secrets {
  secret(tenant: Tenant, reference: SecretReference): Secret;
}

/** Reads the file anew when it changed. */
export function channelsFrom(
  { settings, env, log }: ChannelOptions,
  tenants: Tenants,
  secrets: Secrets,
): () => Promise<readonly Channel[]> {
  const reveal: Reveal = (reference) =>
    resolveSecret(reference, {
      env,
      baseDirectory: settings.configDirectory,
      warn: (message) => log.warn(message),
    });
  const read = followNotifications(settings.configDirectory, (problems) =>
    log.error({ problems }, 'notifications.yaml cannot be used; what was in it before goes on'),
  );
  return async () => {
    const all = await read();
    const smtp = serverOf(all, reveal);
    const own = tenants.names().flatMap((name) => {
      const tenant = tenants.tenant(name);
      if (!tenant) return [];
      const { notifications } = tenant;
      const source = { tenant: name, notifications, smtp };
      return channelsOf({ ...source, reveal: (reference) => secrets.secret(tenant, reference) });
    });
    return [...channelsOf({ tenant: null, notifications: all, smtp, reveal }), ...own];
  };
}

function serverOf({ smtp }: NotificationsFile, reveal: Reveal): SmtpServer | null {
  return smtp ? { ...smtp, reveal } : null;
}

/** A test message to every channel that hears of this tenant; null: to those that hear of all. */
export async function tryChannels(
  channels: () => Promise<readonly Channel[]>,
  tenant: TenantName | null,
  version: string,
): Promise<ChannelTrial[]> {
  const { clock, random } = SYSTEM_RUNTIME;
  const heard = (await channels()).filter((channel) => channel.tenant === tenant);
  return Promise.all(
    heard.map(async (channel) => {
      const content = { kind: 'test', channel: channel.name } as const;
      const envelope = { id: random.uuid(), at: clock.now(), content };
      const sent = await send(channel, envelope, `ledgerbridge/${version}`);
      return { channel: channel.name, type: channel.destination.type, ...sent };
    }),
  );
}
