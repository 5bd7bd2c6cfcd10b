// Tells people about incidents: a signed webhook per tenant, queued and retried. What cannot be delivered stays visible on the
// dashboard, which is why a notification is given up after a few tries and an incident never is.
import { createHmac } from 'node:crypto';
import { createHttpClient } from '../http/http-client.js';
import type { DispatchStore } from '../store/dispatch-store.js';
import type { IncidentReader } from '../store/incident-reader.js';
import type { Secret, SecretReference } from '../domain/secret.js';
import type { Tenant, TenantWebhook } from '../tenants/tenant.js';
import type { WakeUp } from './queues.js';

export interface Notifier {
  handle(wakeUp: WakeUp): Promise<void>;
}

export interface NotifierOptions {
  readonly dispatch: DispatchStore;
  readonly incidents: IncidentReader;
  readonly tenant: (name: string) => Tenant | null;
  readonly secret: (tenant: Tenant, reference: SecretReference) => Secret;
  readonly userAgent: string;
}

const TRIES_MAX = 6;
const RETRY_MS = 30_000;
const DEADLINE_MS = 10_000;

export function createNotifier(options: NotifierOptions): Notifier {
  return {
    handle: async ({ id }) => {
      const request = await options.dispatch.outboxPayload(id);
      if (!request) return;
      const delivered = await deliver(options, request.tenantName, request.payload);
      if (delivered || request.tries >= TRIES_MAX) await options.dispatch.finishOutbox(id);
      else await options.dispatch.failOutbox(id, RETRY_MS * 2 ** request.tries);
    },
  };
}

async function deliver(
  options: NotifierOptions,
  tenantName: string | null,
  payload: unknown,
): Promise<boolean> {
  const tenant = tenantName === null ? null : options.tenant(tenantName);
  const webhooks = tenant?.notifications.webhooks.filter((webhook) => webhook.on.includes('incident')) ?? [];
  if (!tenant || webhooks.length === 0) return true;
  const incident = await options.incidents.byId((payload as { incidentId: string }).incidentId);
  if (!incident) return true;
  const body = JSON.stringify({ event: 'incident', tenant: tenant.name, incident });
  const results = await Promise.all(webhooks.map((webhook) => send(options, tenant, webhook, body)));
  return results.every(Boolean);
}

async function send(
  options: NotifierOptions,
  tenant: Tenant,
  webhook: TenantWebhook,
  body: string,
): Promise<boolean> {
  const reveal = (reference: string) => options.secret(tenant, reference).reveal();
  const url = new URL(/^(env|file):/.test(webhook.url) ? reveal(webhook.url) : webhook.url);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (webhook.signingSecret !== undefined) {
    const signature = createHmac('sha256', reveal(webhook.signingSecret)).update(body).digest('hex');
    headers['x-ledgerbridge-signature'] = `v1=${signature}`;
  }
  const client = createHttpClient({ origins: [url.origin], userAgent: options.userAgent, connections: 1 });
  try {
    const answer = await client.send({
      method: 'POST',
      url,
      headers,
      body,
      deadlineMs: DEADLINE_MS,
      bodyBytesMax: 64 * 1024,
    });
    return answer.outcome === 'response' && answer.status >= 200 && answer.status < 300;
  } finally {
    await client.close();
  }
}
