// Stands between the bridge and a real server, passes everything on, and remembers the tokens and secrets it saw. Where it
// is told to, it answers itself: with an error that repeats whatever it was told and everything it knows.
import { json, type Reply, type SeenRequest, startScriptedServer } from './scripted-server.js';

export interface TalkativeProxy {
  readonly url: string;
  /** Access tokens, refresh tokens and client secrets that went by. */
  readonly overheard: Set<string>;
  /** The body of an error to answer with, given what to say in it; null: the request is passed on. */
  interrupt: (request: SeenRequest, said: string) => { status: number; body: unknown } | null;
  close(): Promise<void>;
}

/** How a message of the proxy is told from any other. */
export const GOSSIP = 'heard-on-the-wire';

export async function startTalkativeProxy(
  target: string,
  canaries: readonly string[],
): Promise<TalkativeProxy> {
  const overheard = new Set<string>();
  const server = await startScriptedServer((request, response) => {
    const heard = `${request.headers.authorization ?? ''} ${request.query.toString()} ${request.body}`;
    const said = `${GOSSIP} ${canaries.join(' ')} ${[...overheard].join(' ')} ${heard}`;
    const answer = proxy.interrupt(request, said);
    return answer === null
      ? passOn(target, overheard)(request, response)
      : json(answer.body, answer.status)(request, response);
  });
  const proxy: TalkativeProxy = {
    url: server.url,
    overheard,
    interrupt: () => null,
    close: () => server.close(),
  };
  return proxy;
}

const NOT_PASSED_ON = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']);
const TOKENS = /"(?:access_token|refresh_token|client_secret)":\s*"([^"]+)"/g;

function passOn(target: string, overheard: Set<string>): Reply {
  return async (request, response) => {
    const query = request.query.size === 0 ? '' : `?${request.query.toString()}`;
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      NOT_PASSED_ON.has(name) || value === undefined ? [] : [[name, String(value)]],
    );
    const answer = await fetch(target + request.path + query, {
      method: request.method,
      headers,
      redirect: 'manual',
      ...(request.body !== '' && { body: Buffer.from(request.body, 'latin1') }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    for (const [, token] of body.toString('utf8').matchAll(TOKENS)) overheard.add(token ?? '');
    response.writeHead(
      answer.status,
      [...answer.headers].filter(([name]) => !NOT_PASSED_ON.has(name)).flat(),
    );
    response.end(body);
  };
}
