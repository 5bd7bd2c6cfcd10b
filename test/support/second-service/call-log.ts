import type { Fault } from './faults.js';
import type { Json } from './fields.js';

/** One call, as the service saw it. */
export interface Call {
  readonly at: Date;
  readonly surface: 'credential' | 'agent' | 'oauth';
  /** `create-invoice`, `POST /invoices`, `POST /strax/agent/token`. */
  readonly operation: string;
  readonly credentials: 'fields' | 'basic' | 'bearer' | 'none';
  /** The scope that the operation needs (agent); null when it needs none. */
  readonly scope: string | null;
  /** What was sent, without credentials; `data` decoded. */
  readonly sent: Json;
  /** Fields that the documents do not know there. */
  ignored: string[];
  fault: Fault['kind'] | null;
  status: number;
  /** Whether the service did what it was asked, also where nobody was told. */
  done: boolean;
  message: string;
}

const SECRET = new Set([
  'username',
  'api_key',
  'client_secret',
  'refresh_token',
  'code',
  'code_verifier',
  'access_token',
]);

/** Without what nobody should find in a log, and with `data` as what it holds. */
export function withoutCredentials(sent: Json): Json {
  const kept = Object.entries(sent).filter(([key]) => !SECRET.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, key === 'data' ? decode(value) : value]));
}

function decode(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
