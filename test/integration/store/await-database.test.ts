// A bridge that starts while PostgreSQL is away: it waits, says so, and gives up after a bounded time.
import { createServer, type AddressInfo, connect, type Server } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { awaitDatabase } from '../../../src/store/database.js';
import { testDatabase } from '../../support/database.js';

const database = await testDatabase();
afterAll(() => database.close());

const optionsOf = (url: URL) => ({
  databaseUrl: url.href,
  dataDirectory: '/nonexistent',
  role: 'bridge' as const,
});

/** A port that nobody listens on yet. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Passes everything on to the real server. */
function door(port: number, real: URL): Promise<Server> {
  const server = createServer((socket) => {
    const inside = connect(Number(real.port), real.hostname);
    socket.pipe(inside).pipe(socket);
    for (const end of [socket, inside]) end.on('error', () => socket.destroy());
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

describe('a database that is away at the start', () => {
  it('is waited for and used as soon as it answers', async () => {
    const real = new URL(database.url.reveal());
    const url = new URL(real);
    const port = await freePort();
    [url.hostname, url.port] = ['127.0.0.1', String(port)];
    const said: unknown[] = [];
    const opening = awaitDatabase(optionsOf(url), { waitMs: 30_000, onWaiting: (error) => said.push(error) });
    await expect.poll(() => said.length).toBe(1);
    const opened = await door(port, real);
    const found = await opening;
    expect(await (await found.models()).legalMove.count()).toBeGreaterThan(40);
    expect(said).toMatchObject([{ code: 'DATABASE_UNREACHABLE' }]);
    await found.close();
    opened.close();
  });

  it('is given up on after the time that was given, with the reason', async () => {
    const url = new URL(database.url.reveal());
    url.port = String(await freePort());
    const waiting = awaitDatabase(optionsOf(url), { waitMs: 1_500, onWaiting: () => undefined });
    await expect(waiting).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
  });

  it('is not waited for when it answers and refuses', async () => {
    const url = new URL(database.url.reveal());
    url.password = 'wrong';
    const said: unknown[] = [];
    const waiting = awaitDatabase(optionsOf(url), { waitMs: 30_000, onWaiting: (error) => said.push(error) });
    await expect(waiting).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
    expect(said).toEqual([]);
  });
});
