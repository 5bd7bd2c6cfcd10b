// A client of the ledger for these tests only: it signs by the words of the contract, not by the ledger's own code.
import { createHash, createHmac } from 'node:crypto';
import { request } from 'undici';
import {
  startErpLedger,
  type ErpLedger,
  type ErpLedgerOptions,
} from '../../../lab/sandbox/erp-ledger/server.js';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export interface LedgerClient extends ErpLedger {
  send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    target: string,
    body?: unknown,
    options?: SendOptions,
  ): Promise<Reply>;
  post(key: string, change?: Record<string, unknown>, options?: SendOptions): Promise<Reply>;
}

export interface SendOptions {
  readonly secret?: string;
  readonly timestampSeconds?: number;
  readonly timeoutMs?: number;
  readonly headers?: Record<string, string>;
}

export async function ledgerClient(options: ErpLedgerOptions = {}): Promise<LedgerClient> {
  const ledger = await startErpLedger(options);
  const send: LedgerClient['send'] = async (method, target, body, sending = {}) => {
    const text = body === undefined ? '' : Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const reply = await request(ledger.url + target, {
      method,
      headers: {
        ...signed(method, target, text, sending),
        'content-type': 'application/json',
        ...sending.headers,
      },
      ...(method === 'GET' ? {} : { body: text }),
      ...(sending.timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(sending.timeoutMs) }),
    });
    const answer = await reply.body.text();
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: answer.startsWith('{') ? JSON.parse(answer) : answer,
    };
  };
  return {
    ...ledger,
    send,
    post: (key, change = {}, sending = {}) =>
      send('POST', '/v1/journals', journal(key, change), {
        ...sending,
        headers: { 'idempotency-key': key, ...sending.headers },
      }),
  };
}

function signed(
  method: string,
  target: string,
  body: string | Buffer,
  options: SendOptions,
): Record<string, string> {
  if (options.secret === undefined) return {};
  const timestamp = String(options.timestampSeconds ?? Math.floor(Date.now() / 1000));
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const hmac = createHmac('sha256', options.secret).update(`${timestamp}.${method}.${target}.${bodyHash}`);
  return { 'x-ledgerbridge-timestamp': timestamp, 'x-ledgerbridge-signature': `v1=${hmac.digest('hex')}` };
}

export function journal(key: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    key,
    documentNo: 'SR1001',
    externalReference: '00000000-0000-4000-8000-000000000001',
    postingDate: '2025-03-10',
    documentDate: '2025-03-10',
    description: 'Þjónusta í mars',
    currency: 'ISK',
    exchangeRate: '1',
    lines: [
      { account: '1500', debit: '124000', credit: '0', counterparty: '4101212040', text: 'Dæmi ehf.' },
      { account: '3000', debit: '0', credit: '100000', vatCode: 'U24', text: 'Þjónusta' },
      { account: '2500', debit: '0', credit: '24000', vatCode: 'U24', vatBase: '-100000', text: 'VSK' },
    ],
    ...change,
  };
}

/** What a client that gives up or is cut off sees: the name of the failure, never a reply. */
export async function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (reply) => `answered ${JSON.stringify(reply)}`,
    (error: unknown) => {
      if (!(error instanceof Error)) return 'no error';
      return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    },
  );
}
