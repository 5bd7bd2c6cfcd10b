// A small real HTTP server that answers from a script and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Reply = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

export interface ScriptedServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  reply: Reply;
  close(): Promise<void>;
}

export async function startScriptedServer(reply: Reply): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://server');
      const request: SeenRequest = {
        method: incoming.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('latin1'),
      };
      seen.push(request);
      void running.reply(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const running: ScriptedServer = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    seen,
    reply,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return running;
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Answers by path; anything else is a 404 page, as a web server would give. */
export function routes(table: Record<string, Reply>): Reply {
  return (request, response) => {
    const reply = table[request.path];
    if (reply) return reply(request, response);
    response.writeHead(404, { 'content-type': 'text/html' });
    response.end('<h1>Not Found</h1>');
  };
}
