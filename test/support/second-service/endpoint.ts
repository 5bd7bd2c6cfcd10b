import type { Scope } from './enumerations.js';
import type { Fields, Json } from './fields.js';
import type { Made } from './invoices.js';
import type { Upload } from './wire.js';
import type { World } from './world.js';

/** What an endpoint is asked. */
export interface Ask {
  readonly world: World;
  readonly query: Fields;
  readonly body: Fields;
  /** What stands in the path for `{id}` or `{guid}`. */
  readonly id: string;
  readonly uploads: Readonly<Record<string, Upload>>;
  /** Whether the body came as a form (multipart) where JSON is possible too. */
  readonly isForm: boolean;
  /** Remembers fields that the documents do not know. */
  readonly ignore: (keys: readonly string[]) => void;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly scope?: Scope;
  /** "Success status is 200, except create-cost and create-cost-adv (201)." */
  readonly status?: number;
  /** The whole body of the answer. */
  readonly run: (ask: Ask) => Json;
}

export type Endpoints = Readonly<Record<string, Endpoint>>;

export const enveloped = (result: unknown, extra: Json = {}): Json => ({
  ...extra,
  result,
  message: '',
  status: true,
});

/** "→ status/message": no result at all. */
export const done = (message = 'OK'): Json => ({ message, status: true });

export const get = (run: Endpoint['run'], scope?: Scope): Endpoint => endpoint('GET', run, scope);
export const post = (run: Endpoint['run'], scope?: Scope): Endpoint => endpoint('POST', run, scope);
export const put = (run: Endpoint['run'], scope?: Scope): Endpoint => endpoint('PUT', run, scope);
export const remove = (run: Endpoint['run'], scope?: Scope): Endpoint => endpoint('DELETE', run, scope);

function endpoint(method: Endpoint['method'], run: Endpoint['run'], scope: Scope | undefined): Endpoint {
  return scope === undefined ? { method, run } : { method, run, scope };
}

/** What was made, after the fields that nobody knew were remembered. */
export function noted<Thing>(ask: Ask, { made, ignored }: Made<Thing>): Thing {
  ask.ignore(ignored);
  return made;
}
