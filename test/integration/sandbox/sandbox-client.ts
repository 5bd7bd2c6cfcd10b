// A bare HTTP client for the sandbox: it knows paths and bodies, never what an answer should be.
import { startSandbox, type Sandbox } from '../../../lab/sandbox/start-sandbox.js';
import type { SandboxOptions } from '../../../lab/sandbox/options.js';

export interface Answer {
  readonly http: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly text: string;
}

export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly username: string;
  readonly apiKey: string;
  readonly password: string;
  readonly get: (
    endpoint: string,
    query?: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  readonly post: (endpoint: string, fields?: Record<string, string>) => Promise<Answer>;
  readonly upload: (
    endpoint: string,
    fields: Record<string, string>,
    file: File,
    query?: string,
  ) => Promise<Answer>;
  readonly agent: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
}

export const NOW = '2026-03-10T12:00:00Z';

/** Two companies, a stopped clock. */
export async function openSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({
    now: NOW,
    frozen: true,
    accounts: [
      { username: 'anna', invoices: 40, costs: 40 },
      { username: 'bjorn', invoices: 10, costs: 10 },
    ],
    ...options,
  });
  const first = sandbox.accounts[0]!;
  return clientOf(sandbox, first);
}

export function clientOf(
  sandbox: Sandbox,
  { username, apiKey, password }: { username: string; apiKey: string; password: string },
): TestSandbox {
  const basic = `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`;
  const api = `${sandbox.url}/api/v1/`;
  return {
    sandbox,
    username,
    apiKey,
    password,
    get: (endpoint, query = {}, headers = {}) =>
      send(`${api}${endpoint}?${new URLSearchParams(query).toString()}`, {
        headers: { authorization: basic, ...headers },
      }),
    post: (endpoint, fields = {}) =>
      send(`${api}${endpoint}`, {
        method: 'POST',
        headers: { authorization: basic },
        body: new URLSearchParams(fields),
      }),
    upload: (endpoint, fields, file, query = '') => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('file', file);
      return send(`${api}${endpoint}${query}`, {
        method: 'POST',
        headers: { authorization: basic },
        body: form,
      });
    },
    agent: (method, path, body, headers = {}) =>
      send(`${api}agent${path}`, {
        method,
        headers: {
          authorization: basic,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    http: response.status,
    body: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {},
    headers: response.headers,
    text,
  };
}

export const PDF = new File([Buffer.from('%PDF-1.4\n%%EOF\n')], 'receipt.pdf', { type: 'application/pdf' });
/** A company and a person whose checksums hold. */
export const KENNITALA = '5902697199';

export function rowsOf(answer: Answer): Record<string, unknown>[] {
  return answer.body['result'] as Record<string, unknown>[];
}

export function resultOf(answer: Answer): Record<string, unknown> {
  return answer.body['result'] as Record<string, unknown>;
}

/** 2 × 1,000 with 24 % and 1 × 500.55 with 11 %: 2,000 + 480 + 500.55 + 55.0605 = 3,035.61. */
export function invoiceBody(customerGuid: string, changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    amount: 3035.61,
    currency: 'ISK',
    type: 'invoice',
    issue_date: '2026-03-01',
    due_date: '2026-03-15',
    settlement_date: '2026-03-20',
    items: [
      line({ item_number: 'SKU-1', qty: 2, unit_price: 1000, tax: 'S' }),
      line({ item_number: 'SKU-2', qty: 1, unit_price: 500.55, tax: 'AA' }),
    ],
    customer: { guid: customerGuid },
    ...changes,
  });
}

export function line(fields: Record<string, unknown>): Record<string, unknown> {
  return { add_new: 1, description: 'Vara', uom: 'C62', ...fields };
}
