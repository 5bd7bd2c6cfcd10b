// What the role of a running bridge may do, where the tables belong to another: read and write rows, add to the audit, and change neither
// tables nor what was audited. Checked first, since a grant that changes nothing still makes every session plan anew.
import pg from 'pg';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Secret } from '../domain/secret.js';
import { connect } from './connection.js';

const ORDINARY = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const READ_ONLY = ['SELECT'];
const NEVER_CHANGED = ['SELECT', 'INSERT', 'DELETE'];

/** By table; the links and heads of the audit are written by its trigger, which has the rights of the owner. */
const SPECIAL: ReadonlyMap<string, readonly string[]> = new Map([
  ['audit_entry', ['SELECT', 'INSERT']],
  ...['audit_link', 'audit_chain', 'audit_checkpoint', 'archive_file', 'legal_move'].map(
    (name) => [name, READ_ONLY] as const,
  ),
  // Removed with their time, and never changed.
  ...['audit_address', 'audit_address_secret'].map((name) => [name, NEVER_CHANGED] as const),
  // Of Prisma and of BullMQ.
  ...['_prisma_migrations', 'migration'].map((name) => [name, READ_ONLY] as const),
]);
const OF_SEQUENCES = ['SELECT', 'USAGE'];

export interface RightsAmiss {
  /** Of the schema, or of a table or sequence in it. */
  readonly name: string;
  readonly kind: 'SCHEMA' | 'TABLE' | 'SEQUENCE';
  readonly wanted: readonly string[];
  readonly missing: readonly string[];
  readonly tooMany: readonly string[];
}

interface HeldRow {
  readonly name: string;
  readonly kind: RightsAmiss['kind'];
  readonly held: string[];
}

/** Whoever signs in with this address. */
export function roleOf(url: Secret): string {
  return new pg.Client({ connectionString: url.reveal() }).user ?? '';
}

/** Tables are those that the session sees in its schema, or in the one that is named. */
export async function rightsAmiss(
  client: Pick<pg.Client, 'query'>,
  role: string,
  schema: string | null = null,
): Promise<RightsAmiss[]> {
  const { rows } = await client.query<HeldRow>(HELD, [role, schema]);
  return rows.flatMap(({ name, kind, held }) => {
    const wanted = wantedOn(kind, name);
    const missing = wanted.filter((right) => !held.includes(right));
    const tooMany = held.filter((right) => !wanted.includes(right));
    return missing.length + tooMany.length === 0 ? [] : [{ name, kind, wanted, missing, tooMany }];
  });
}

function wantedOn(kind: RightsAmiss['kind'], name: string): readonly string[] {
  if (kind === 'SCHEMA') return ['USAGE'];
  return kind === 'SEQUENCE' ? OF_SEQUENCES : (SPECIAL.get(name) ?? ORDINARY);
}

/** As the owner. What a role has by another (PUBLIC, a group) is not taken from it: `doctor` says so. */
export async function grantRights(
  client: pg.Client,
  role: string,
  schema: string | null = null,
): Promise<void> {
  const amiss = await rightsAmiss(client, role, schema);
  if (amiss.length === 0) return;
  const place = client.escapeIdentifier(schema ?? (await currentSchema(client)));
  const who = client.escapeIdentifier(role);
  const statements = amiss.flatMap(({ name, kind, wanted, tooMany }) => {
    const what = kind === 'SCHEMA' ? place : `${place}.${client.escapeIdentifier(name)}`;
    return [
      ...(tooMany.length === 0 ? [] : [`REVOKE ALL ON ${kind} ${what} FROM ${who}`]),
      `GRANT ${wanted.join(', ')} ON ${kind} ${what} TO ${who}`,
    ];
  });
  const future = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${place} GRANT`;
  await client.query(
    [
      'BEGIN',
      ...statements,
      `${future} ${ORDINARY.join(', ')} ON TABLES TO ${who}`,
      `${future} ${OF_SEQUENCES.join(', ')} ON SEQUENCES TO ${who}`,
      'COMMIT',
    ].join(';\n'),
  );
}

async function currentSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>('SELECT current_schema() AS schema');
  return rows[0]?.schema ?? 'public';
}

export interface RoleFacts {
  readonly isSuperuser: boolean;
  /** It may do to the audit what its owner may; null: there is none yet. */
  readonly ownsAudit: boolean | null;
}

export interface WorkingRole extends RoleFacts {
  readonly name: string;
  /** Of a role that owns nothing: what it has too little or too much of. */
  readonly amiss: readonly RightsAmiss[];
}

/** What whoever signs in with this address may do. */
export async function workingRole(url: Secret): Promise<WorkingRole> {
  const client = await connect(url, 'role');
  try {
    const [facts] = (await client.query<RoleFacts>(ROLE_FACTS)).rows;
    const { isSuperuser = false, ownsAudit = null } = facts ?? {};
    const role = roleOf(url);
    const amiss = isSuperuser || ownsAudit !== false ? [] : await rightsAmiss(client, role);
    return { name: role, isSuperuser, ownsAudit, amiss };
  } finally {
    await client.end();
  }
}

export const ROLE_FACTS = `SELECT rolsuper AS "isSuperuser", (SELECT pg_has_role(r.oid, c.relowner, 'MEMBER')
  FROM pg_class c WHERE c.oid = to_regclass('audit_entry')) AS "ownsAudit" FROM pg_roles r WHERE rolname = current_user`;

const HELD = `
  WITH place AS (SELECT oid, nspname FROM pg_namespace WHERE nspname = coalesce($2, current_schema()))
  SELECT nspname AS name, 'SCHEMA' AS kind,
    ARRAY(SELECT r FROM unnest(ARRAY['USAGE', 'CREATE']) r WHERE has_schema_privilege($1, place.oid, r)) AS held FROM place
  UNION ALL
  SELECT c.relname, 'TABLE', ARRAY(SELECT r FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) r
    WHERE has_table_privilege($1, c.oid, r)) FROM pg_class c JOIN place ON c.relnamespace = place.oid WHERE c.relkind IN ('r', 'p')
  UNION ALL
  SELECT c.relname, 'SEQUENCE', ARRAY(SELECT r FROM unnest(ARRAY['SELECT', 'USAGE', 'UPDATE']) r
    WHERE has_sequence_privilege($1, c.oid, r)) FROM pg_class c JOIN place ON c.relnamespace = place.oid WHERE c.relkind = 'S'
  ORDER BY 2, 1`;

const NO_RIGHT = '42501';
const NO_SUCH_ROLE = '42704';

/** What PostgreSQL refused for want of a right, said with what to do. */
export function sayRightsMissing(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    // A migration that names what is not there is another matter.
    if (code === NO_RIGHT || (code === NO_SUCH_ROLE && at === error))
      return new CodedError('DATABASE_RIGHTS_MISSING', `The database refuses: ${at.message}.`, {
        cause: error,
      });
  }
  return error;
}
