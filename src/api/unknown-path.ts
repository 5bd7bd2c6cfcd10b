// What is asked for below /api/v1 and is not there. Without this the dashboard's door would answer, which knows no tokens:
// whoever brings a valid one is told in the API's own form that there is nothing, or not by this method.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../domain/errors/coded-error.js';
import { API_PREFIX } from './openapi.js';
import { ROUTES } from './routes.js';

type Refuse = (request: FastifyRequest, reply: FastifyReply, refusal: CodedError) => Promise<void>;

/** Pages of the API that are no routes of its document. */
const OPEN_PAGES = ['/openapi.json', '/docs'];

/** `refuse` sees to it that strangers are told nothing but that they are strangers. */
export function addUnknownPaths(app: FastifyInstance, refuse: Refuse): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = new URL(request.url, 'http://localhost').pathname.slice(API_PREFIX.length);
    // A part of a path may be too long for the route that would take it.
    const methods = methodsAt(path).filter((method) => method !== request.method);
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    await refuse(request, reply, refusalOf(request.method, path, methods));
    return reply;
  };
  const handler = () => undefined;
  // Before the body is read: it is nobody's.
  for (const url of [API_PREFIX, `${API_PREFIX}/*`]) app.all(url, { onRequest: answer }, handler);
}

function refusalOf(method: string, path: string, methods: readonly string[]): CodedError {
  const shown = `${API_PREFIX}${path}`.slice(0, 200);
  if (methods.length === 0) return new CodedError('API_PATH_UNKNOWN', `There is no ${shown}.`);
  return new CodedError('API_METHOD_UNKNOWN', `${shown} takes ${methods.join(' or ')}, not ${method}.`);
}

function methodsAt(path: string): readonly string[] {
  const found = ROUTES.filter((route) => fits(route.path, path)).map(({ method }) => method.toUpperCase());
  return OPEN_PAGES.includes(path) ? ['GET', ...found] : [...new Set(found)];
}

/** `{name}` stands for one part of a path. */
function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at])
  );
}
