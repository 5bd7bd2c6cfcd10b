import type { SecondService } from '../../support/second-service/index.js';

export interface Spoken {
  readonly status: number;
  /** As JSON gives it: what it should be is what the tests assert. */
  readonly body: ReturnType<typeof JSON.parse>;
}

type Sent = Record<string, unknown>;

/** Speaks the credential API as Document 1 shows it: fields in the query of a GET, in the form of a POST. */
export function credentialTalk(service: SecondService) {
  const { username, apiKey: api_key } = service.account;
  const text = (fields: Sent): Record<string, string> =>
    Object.fromEntries(
      Object.entries({ username, api_key, ...fields }).map(([key, value]) => [
        key,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
  return {
    get: (name: string, fields: Sent = {}) =>
      answer(fetch(`${service.url}/api/v1/${name}?${new URLSearchParams(text(fields))}`)),
    post: (name: string, fields: Sent = {}) =>
      answer(
        fetch(`${service.url}/api/v1/${name}`, { method: 'POST', body: new URLSearchParams(text(fields)) }),
      ),
    upload: (name: string, fields: Sent, file: File) => {
      const form = new FormData();
      form.set('file', file);
      const all = text(fields);
      const inQuery = name === 'upload-file' ? `?${new URLSearchParams(all)}` : '';
      if (inQuery === '') for (const [key, value] of Object.entries(all)) form.set(key, value);
      return answer(fetch(`${service.url}/api/v1/${name}${inQuery}`, { method: 'POST', body: form }));
    },
  };
}

/** Speaks the agent API: JSON bodies, a bearer token. */
export function agentTalk(service: SecondService, token: string) {
  return (method: string, path: string, body?: Sent) =>
    answer(
      fetch(`${service.url}/api/v1/agent${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
}

export async function answer(sent: Promise<Response>): Promise<Spoken> {
  const response = await sent;
  return { status: response.status, body: await response.json() };
}

export const CUSTOMER = {
  output_select: '3',
  registration_no: '5902697199',
  name: 'Kaupandi ehf.',
  address: 'Austurstræti 1',
  zip: '101',
  city: 'Reykjavík',
  email: 'kaupandi@example.is',
  lang: 'is',
  currency: 'ISK',
};

export const LINE = {
  add_new: 1,
  item_number: 'SKU-1',
  description: 'Vinna',
  qty: 2,
  uom: 'HUR',
  unit_price: 10_000,
  tax: 'S',
};

export const invoiceFor = (customer: string, more: Sent = {}): Sent => ({
  amount: 24_800,
  currency: 'ISK',
  issue_date: '2026-11-02',
  due_date: '2026-11-05',
  settlement_date: '2026-11-09',
  type: 'invoice',
  items: [LINE],
  customer: { guid: customer },
  ...more,
});

export const orderFor = (kennitala: string, more: Sent = {}): Sent => ({
  amount: 24_800,
  currency: 'ISK',
  settlement_date: 7,
  kennitala,
  items: [LINE],
  ...more,
});
