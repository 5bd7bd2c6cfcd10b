// A listener on this machine for the end of a sign-in. Redirect URIs must be https, so the browser reaches it in one of
// two ways: the registered page forwards its query to 127.0.0.1, or the listener itself speaks TLS with a given
// certificate. It also hands out the authorize address, so that a maintenance code need never be printed.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface LoopbackOptions {
  /** Where `/start` sends the browser. */
  readonly authorizeAt: URL;
  /** 0: any free port. */
  readonly port: number;
  /** The path of the redirect URI; `/callback` works as well. */
  readonly path: string;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

export interface Loopback {
  readonly origin: string;
  /** The query the browser came back with. Resolves once. */
  readonly query: Promise<string>;
  close(): Promise<void>;
}

export async function listenForLogin(options: LoopbackOptions): Promise<Loopback> {
  let arrive: (query: string) => void = () => undefined;
  const query = new Promise<string>((resolve) => (arrive = resolve));
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    reply(options, arrive, request, response);
  const server: Server = options.tls ? createHttpsServer(options.tls, answer) : createHttpServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${options.tls ? 'https' : 'http'}://127.0.0.1:${String(port)}`,
    query,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reply(
  options: LoopbackOptions,
  arrive: (query: string) => void,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const safe = {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-type': 'text/plain; charset=utf-8',
  };
  if (request.method === 'GET' && url.pathname === '/start') {
    response.writeHead(302, { ...safe, location: options.authorizeAt.href }).end();
    return;
  }
  const isCallback = url.pathname === options.path || url.pathname === '/callback';
  const carries = url.searchParams.has('code') || url.searchParams.has('error');
  if (request.method !== 'GET' || !isCallback || !carries) {
    response.writeHead(404, safe).end('Nothing here. Begin at /start.\n');
    return;
  }
  response.writeHead(200, safe).end('Received. You can close this window and go back to the terminal.\n');
  arrive(url.search);
}
