// Clients of many tenants share the sockets to one server; what each of them may do at once stays its own.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.js';

let server: Server;
let opened: number;
let open: Set<Socket>;
let waiting: ServerResponse[];
let answersAtOnce: boolean;
let clients: HttpClient[];
let url: URL;

beforeEach(async () => {
  [opened, waiting, clients, answersAtOnce] = [0, [], [], true];
  const ofThisServer = (open = new Set<Socket>());
  server = createServer((_request, response) => {
    if (answersAtOnce) response.end('{}');
    else waiting.push(response);
  });
  server.on('connection', (socket) => {
    opened++;
    ofThisServer.add(socket);
    socket.on('close', () => ofThisServer.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function client(connections = 8): HttpClient {
  const made = createHttpClient({ origins: [url.origin], userAgent: 'test', connections, deadlineMs: 5_000 });
  clients.push(made);
  return made;
}

const get = (from: HttpClient) => from.send({ method: 'GET', url });

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
}

describe('connections', () => {
  it('are shared: a hundred tenants that ask one after the other need a socket or two', async () => {
    for (let tenant = 0; tenant < 100; tenant++)
      expect(await get(client())).toMatchObject({ outcome: 'response' });
    // An answer is heard a moment before its socket is free again.
    expect(opened).toBeLessThanOrEqual(3);
  });

  it('are bounded for each client, and nobody waits for the slow calls of another', async () => {
    answersAtOnce = false;
    const [slow, quick] = [client(2), client(2)];
    const asked = Array.from({ length: 5 }, () => get(slow));
    await until(() => waiting.length === 2);
    const other = get(quick);
    await until(() => waiting.length === 3);
    waiting[2]?.end('{}');
    expect(await other).toMatchObject({ outcome: 'response' });
    answersAtOnce = true;
    for (const response of waiting) response.end('{}');
    expect((await Promise.all(asked)).map(({ outcome }) => outcome)).toEqual(Array(5).fill('response'));
  });

  it('stay open for the others when a client closes; what it had sent may have arrived', async () => {
    answersAtOnce = false;
    const [leaving, staying] = [client(1), client(1)];
    const [sent, inLine, others] = [get(leaving), get(leaving), get(staying)];
    await until(() => waiting.length === 2);
    await leaving.close();
    expect(await sent).toMatchObject({ outcome: 'failure', reached: 'maybe-sent', reason: 'aborted' });
    expect(await inLine).toMatchObject({ outcome: 'failure', reached: 'not-sent', reason: 'aborted' });
    expect(await get(leaving)).toMatchObject({ outcome: 'failure', reached: 'not-sent', reason: 'aborted' });
    for (const response of waiting) response.end('{}');
    expect(await others).toMatchObject({ outcome: 'response' });
  });

  it('are all closed when the last client closes', async () => {
    await Promise.all([get(client()), get(client())]);
    await Promise.all(clients.map((one) => one.close()));
    await until(() => open.size === 0);
    expect(await get(client())).toMatchObject({ outcome: 'response' });
  });
});
