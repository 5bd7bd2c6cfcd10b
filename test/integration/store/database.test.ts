import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { openDatabase, type Database } from '../../../src/store/database.js';
import { testDatabase } from '../../support/database.js';

const database = await testDatabase();
afterAll(() => database.close());

function open(databaseUrl: string): Promise<Database> {
  return openDatabase({ databaseUrl, dataDirectory: '/nonexistent', role: 'bridge' });
}

function changed(change: (url: URL) => void): string {
  const url = new URL(database.url.reveal());
  change(url);
  return url.href;
}

async function refusal(url: string): Promise<CodedError> {
  const error: unknown = await open(url).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CodedError)) throw new Error(`expected a coded error, got ${inspect(error)}`);
  return error;
}

describe('a database named by DATABASE_URL', () => {
  it('is used as it is, by any number of bridges, and nothing is started', async () => {
    const bridges = await Promise.all([open(database.url.reveal()), open(database.url.reveal())]);
    for (const bridge of bridges) {
      expect(bridge.embedded).toBe(false);
      expect(await (await bridge.models()).legalMove.count()).toBeGreaterThan(40);
      await bridge.close();
    }
  });

  it('may be closed twice', async () => {
    const bridge = await open(database.url.reveal());
    await Promise.all([bridge.close(), bridge.close()]);
    await bridge.close();
  });

  it('that does not accept the password is refused for good, and the password is not shown', async () => {
    const error = await refusal(changed((url) => (url.password = 'letmein-7f3a')));
    expect(error.code).toBe('DATABASE_REFUSED');
    expect(error.definition.disposition).toBe('stop');
    expect(error.message).toContain('password authentication failed');
    expect(inspect(error, { depth: 10 })).not.toContain('letmein-7f3a');
  });

  it('that does not exist is named', async () => {
    const error = await refusal(changed((url) => (url.pathname = '/elsewhere')));
    expect(error.code).toBe('DATABASE_REFUSED');
    expect(error.message).toContain('database "elsewhere" does not exist');
  });

  it('whose server does not run is tried again later', async () => {
    const error = await refusal('postgresql://bridge:secret@127.0.0.1:1/books');
    expect(error.code).toBe('DATABASE_UNREACHABLE');
    expect(error.definition.disposition).toBe('retry');
    expect(error.message).toBe(
      'The database at 127.0.0.1:1/books cannot be reached: connect ECONNREFUSED 127.0.0.1:1.',
    );
  });

  it('that is not PostgreSQL at all is given up on', async () => {
    const impostor = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    const { port } = impostor.address() as AddressInfo;
    const error = await refusal(`postgresql://bridge:secret@127.0.0.1:${String(port)}/books`);
    expect(error.code).toBe('DATABASE_UNREACHABLE');
    impostor.close();
  });

  it('must keep UTF-8', async () => {
    const name = `${database.name}_latin`;
    await database.prisma.$executeRawUnsafe(
      `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
    );
    try {
      const error = await refusal(changed((url) => (url.pathname = `/${name}`)));
      expect(error.code).toBe('DATABASE_ENCODING');
      expect(error.message).toContain('is encoded in LATIN1');
    } finally {
      await database.prisma.$executeRawUnsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it.each(['', 'localhost:5432/books', 'mysql://root@localhost/books'])(
    'must be an address: %j',
    async (url) => {
      expect((await refusal(url)).code).toBe('DATABASE_URL_INVALID');
    },
  );
});
