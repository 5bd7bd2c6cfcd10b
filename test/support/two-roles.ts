// A database of two ordinary roles, as docs/how-to/deploy.md makes them: one owns it, the other is for the bridge and owns nothing.
import pg from 'pg';
import { Secret } from '../../src/domain/secret.js';
import { type TestDatabase, testDatabase } from './database.js';

export interface TwoRoles {
  /** As the administrator of the server. */
  readonly database: TestDatabase;
  readonly url: Secret;
  readonly ownerUrl: Secret;
  close(): Promise<void>;
}

export async function twoRoles(): Promise<TwoRoles> {
  const database = await testDatabase({ migrated: false });
  const [owner, runtime] = [`${database.name}_owner`, `${database.name}_runtime`];
  await asAdministrator(database, [
    ...[owner, runtime].map(
      (role) => `CREATE ROLE ${role} LOGIN PASSWORD 'p' NOSUPERUSER NOCREATEROLE NOCREATEDB`,
    ),
    `ALTER DATABASE ${database.name} OWNER TO ${owner}`,
  ]);
  const close = async () => {
    await asAdministrator(database, [
      ...[runtime, owner].map((role) => `DROP OWNED BY ${role} CASCADE`),
      `ALTER DATABASE ${database.name} OWNER TO CURRENT_USER`,
      `DROP ROLE ${owner}, ${runtime}`,
    ]);
    await database.close();
  };
  return {
    database: { ...database, close },
    url: signedInAs(database.url, runtime),
    ownerUrl: signedInAs(database.url, owner),
    close,
  };
}

function signedInAs(url: Secret, role: string): Secret {
  const other = new URL(url.reveal());
  other.username = role;
  other.password = 'p';
  return new Secret(other.href);
}

export async function asAdministrator({ url }: TestDatabase, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
