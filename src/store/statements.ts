// Named statements, for what is done for every document: the server plans each once a connection instead of once a call. They
// have few, fixed shapes. Behind a pooler in transaction mode names must be known to it (PgBouncer 1.21 with
// max_prepared_statements), or `?pgbouncer=true` in DATABASE_URL sends them without names.
import pg from 'pg';
import type { Secret } from '../domain/secret.js';
import { CONNECT_MS_MAX, IDLE_IN_TRANSACTION_MS_MAX } from './connection.js';

export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Statements {
  run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Told of every new connection: whoever answers there may be another server than before. */
  onConnect(listener: () => void): void;
  close(): Promise<void>;
}

/** PostgreSQL itself said so. When a connection is lost, or the server ends it, the statement may have been committed. */
export function isUndone(error: unknown): boolean {
  const { code = '' } = error instanceof pg.DatabaseError ? error : {};
  return code !== '' && !MAY_BE_DONE.test(code);
}

/** The connection (08), its end by the server (57P), trouble of the server itself (58, XX), and "statement completion unknown". */
const MAY_BE_DONE = /^(08|57P|58|XX|40003)/;
const CONNECTIONS = 4;
/** A batch waits for nobody's lock longer than this; then its documents go one by one, and only the one in question waits. */
const LOCK_MS_MAX = 3_000;

// Every statement here finds its rows by index. A plan made while the tables were empty would read them whole, and be kept. Whatever
// the values are, the plan is the same: it is made the first time, not five times for their sake.
const PLANS = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
  'plan_cache_mode=force_generic_plan',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** Whether what answers there knows a statement by its name the next time. */
export function takesNames(url: Secret): boolean {
  return new URL(url.reveal()).searchParams.get('pgbouncer') !== 'true';
}

export function openStatements(url: Secret): Statements {
  const named = takesNames(url);
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
    lock_timeout: LOCK_MS_MAX,
    application_name: `ledgerbridge statements pid=${process.pid}`,
    ...(named ? { options: PLANS } : {}),
  });
  // A lost connection is an error of the statement under way, not of the process.
  pool.on('error', () => undefined);
  return {
    run: async <Row extends object>({ name, text }: Statement, values: readonly unknown[]) => {
      const { rows } = await pool.query<Row>({ name: named ? name : undefined, text, values: [...values] });
      return rows;
    },
    onConnect: (listener) => void pool.on('connect', listener),
    close: () => pool.end(),
  };
}
