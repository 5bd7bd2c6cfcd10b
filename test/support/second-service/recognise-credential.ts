import { isCredentialValid, readBasic, type Account } from './account.js';
import type { Answer, Recognised } from './answer.js';
import { CREDENTIAL } from './credential-surface.js';
import type { Endpoint } from './endpoint.js';
import { Fields, type Json } from './fields.js';
import { Refusal } from './refusal.js';
import type { Arrived } from './wire.js';
import type { World } from './world.js';

/** `{base_url}/api/v1/<name>`; null when the documents have no such endpoint. */
export function recogniseCredential(world: World, account: Account, arrived: Arrived): Recognised | null {
  const name = /^\/api\/v1\/([a-z-]+)$/.exec(arrived.path)?.[1];
  if (name === undefined) return null;
  const endpoint = name === 'hello' ? hello(account) : CREDENTIAL[name];
  if (endpoint === undefined) return null;
  const query = new Fields(arrived.query, 'form');
  const body = new Fields(arrived.form, 'form');
  // "query string for GET, form fields for POST"; upload-file alone has them in the query string.
  const fields = endpoint.method === 'GET' || name === 'upload-file' ? query : body;
  const named = fields.has('username') ? 'fields' : null;
  return {
    surface: 'credential',
    operation: name,
    scope: null,
    credentials: named ?? (readBasic(arrived) === null ? 'none' : 'basic'),
    perform: (ignore) => {
      if (!isCredentialValid(account, fields, arrived)) {
        throw new Refusal('Invalid api_key', world.freedoms.credentialFailureStatus);
      }
      if (arrived.method !== endpoint.method)
        throw new Refusal(`Method not allowed — expected ${endpoint.method}`, 405);
      query.maybeText('en4_maint_code');
      const ask = { world, query, body, id: '', uploads: arrived.uploads, isForm: true, ignore };
      const answer: Answer = { status: endpoint.status ?? 200, body: endpoint.run(ask) };
      ignore(query.unread());
      return answer;
    },
    refuse: (message, status, extra): Answer => ({
      status,
      body: { ...extra, message, status: false } satisfies Json,
    }),
  };
}

function hello({ name, registrationNo, vatNo }: Account): Endpoint {
  return {
    method: 'GET',
    run: () => ({
      vat_no: vatNo,
      registration_no: registrationNo,
      name,
      message: 'Connection succeeded',
      status: true,
    }),
  };
}
