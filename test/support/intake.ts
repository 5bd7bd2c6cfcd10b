// Whoever sends records over HTTP, as any library of Standard Webhooks would.
import { createHmac } from 'node:crypto';

export interface Sent {
  readonly url: string;
  readonly secret: string;
  readonly key: string;
  readonly body?: string;
  readonly method?: 'GET' | 'POST';
  readonly atSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function signatureOf(secret: string, key: string, timestamp: string, body: string): string {
  return `v1,${createHmac('sha256', secret).update(`${key}.${timestamp}.${body}`).digest('base64')}`;
}

export async function send({ url, secret, key, body = '', method = 'POST', atSeconds, headers }: Sent) {
  const timestamp = String(Math.floor(atSeconds ?? Date.now() / 1_000));
  const response = await fetch(url, {
    method,
    headers: {
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...{ 'webhook-id': key, 'webhook-timestamp': timestamp },
      'webhook-signature': signatureOf(secret, key, timestamp, body),
      ...headers,
    },
    ...(method === 'POST' ? { body } : {}),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, answer };
}
