// One connection outside of Prisma's pool: for migrations, which want a session of their own, and to say in words why a
// database cannot be reached.
import pg from 'pg';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Secret } from '../domain/secret.js';

export const CONNECT_MS_MAX = 10_000;
/** The server ends a session that began a transaction and says nothing for so long; its work comes back by its lease. */
export const IDLE_IN_TRANSACTION_MS_MAX = 15_000;

export async function connect(url: Secret, purpose: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: checkedUrl(url).href,
    application_name: `ledgerbridge ${purpose} pid=${process.pid}`,
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  // A lost connection is an error of the query under way, not of the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unreachable(error, url);
  }
}

export function checkedUrl(url: Secret): URL {
  const parsed = URL.canParse(url.reveal()) ? new URL(url.reveal()) : null;
  if (parsed === null || !['postgresql:', 'postgres:'].includes(parsed.protocol)) {
    throw new CodedError('DATABASE_URL_INVALID', 'DATABASE_URL is not a postgresql:// address.');
  }
  return parsed;
}

/** Where a database is, without who and with what password. */
export function whereabouts(url: Secret): string {
  const { hostname, port, pathname, searchParams } = checkedUrl(url);
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname);
  return `${host}:${port === '' ? '5432' : port}${pathname}`;
}

// Classes 28 (authorization) and 3D (no such database): the server answered, and asking again changes nothing.
const REFUSALS = /^(28|3D)/;

export function unreachable(error: unknown, url: Secret): CodedError {
  const { code, message } = describe(error);
  const refused = code !== undefined && REFUSALS.test(code);
  return new CodedError(
    refused ? 'DATABASE_REFUSED' : 'DATABASE_UNREACHABLE',
    refused
      ? `The database at ${whereabouts(url)} refused the bridge: ${message}.`
      : `The database at ${whereabouts(url)} cannot be reached: ${message}.`,
    { cause: error, details: { code } },
  );
}

function describe(error: unknown): { code: string | undefined; message: string } {
  // A host with several addresses fails with one error for each.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = first as { code?: string; message?: string };
  return { code, message: (message ?? String(first)).replace(/\.$/, '') };
}
