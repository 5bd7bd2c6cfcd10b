// What people see when something is refused, missing or broken: what it was, and what to do next.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type Refuse } from '../access/guard.js';
import type { RouteContext } from '../route-context.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { errorText } from '../../language/coded.js';
import { remedyText } from '../../language/remedies.js';
import { makeVisit, type Visit } from '../visit.js';
import { note } from '../views/parts.js';
import { errorPage } from './sign-in.js';
import { goTo, sendHtml } from './answer.js';

interface Said {
  readonly status: number;
  readonly title: string;
  readonly more: string;
  readonly number: string | null;
}

export function addErrorPages(app: FastifyInstance, context: RouteContext): Refuse {
  const visitOf = (request: FastifyRequest): Visit =>
    Object.hasOwn(request, 'visit')
      ? request.visit
      : makeVisit(request, { user: null, csrf: '', now: context.clock.now(), overview: null });

  const say = (request: FastifyRequest, reply: FastifyReply, { status, title, more, number }: Said) => {
    const visit = visitOf(request);
    if (visit.partial) {
      // A form shows what went wrong where it is, so that nothing that was written is lost.
      const place = request.method === 'POST' ? '.act-error' : '#flash';
      void reply.headers({ 'hx-retarget': place, 'hx-reswap': 'innerHTML' });
      return sendHtml(
        reply,
        note('error', [title, ' – ', more, number === null ? '' : ` ${number}`]),
        status,
      );
    }
    return sendHtml(reply, errorPage(visit, context.assets, title, more, number), status);
  };

  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const visit = visitOf(request);
    if (error instanceof Refusal && error.why === 'anonymous') return atTheDoor(request, reply);
    if (error instanceof Refusal && error.why === 'enrol') return atEnrolment(request, reply);
    if (hasAsked(error) && request.method === 'POST') return goTo(request, reply, '/approvals?asked=yes');
    const said = describe(error, visit, request.id);
    if (said.status >= 500) context.log.error({ err: error, reqId: request.id }, 'a page failed');
    return say(request, reply, said);
  };
  app.setErrorHandler((error, request, reply) => answer(error, request, reply));

  app.setNotFoundHandler((request, reply) => {
    const visit = visitOf(request);
    if (!visit.user) return atTheDoor(request, reply);
    const { notFound, notFoundMore } = visit.text.errors;
    return say(request, reply, { status: 404, title: notFound, more: notFoundMore, number: null });
  });
  return (request, reply, refusal) => answer(refusal, request, reply);
}

/** The act is on record and waits for a second person: that is no failure. */
function hasAsked(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'SECOND_PERSON_NEEDED' && 'approval' in error.details;
}

/** A person is asked to sign in and then goes on; anything else gets the plain refusal. */
function atTheDoor(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reads = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  const partial = request.headers['hx-request'] === 'true';
  const door = `/login?next=${encodeURIComponent(request.url)}`;
  if (partial) return reply.code(401).header('hx-redirect', '/login').send();
  return reads ? reply.redirect(door, 303) : reply.code(401).send();
}

/** Whatever they wanted, it is closed until their second factor is on. */
function atEnrolment(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reads = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  if (request.headers['hx-request'] === 'true')
    return reply.code(403).header('hx-redirect', '/account').send();
  return reads ? reply.redirect('/account', 303) : reply.code(403).send();
}

/** What a page cannot do is a conflict, unless the error itself says that it is forbidden, missing or too much. */
function pageStatus({ definition }: CodedError): number {
  const { status = 409 } = definition;
  return [403, 404, 429].includes(status) ? status : 409;
}

function describe(error: unknown, { text, language }: Visit, id: string): Said {
  const { errors } = text;
  if (error instanceof Refusal) {
    if (error.why === 'too-many')
      return { status: 429, title: errors.failed, more: text.signIn.tooMany, number: null };
    if (error.why === 'foreign')
      return { status: 403, title: errors.stale, more: errors.staleMore, number: null };
    if (error.why === 'reach')
      return { status: 403, title: errors.forbidden, more: errors.forbiddenReach, number: null };
    const role = error.needs && error.needs !== 'anyone' ? text.users.roles[error.needs] : '–';
    return { status: 403, title: errors.forbidden, more: errors.forbiddenMore(role), number: null };
  }
  if (error instanceof CodedError) {
    const more = `${errorText(language, error)} ${remedyText(language, error)}`;
    const status = pageStatus(error);
    return { status, title: status === 404 ? errors.notFound : errors.failed, more, number: error.code };
  }
  const { statusCode, name } = error as { statusCode?: number; name?: string };
  if (statusCode !== undefined && statusCode < 500)
    return { status: statusCode, title: errors.failed, more: errors.notFoundMore, number: null };
  if (name?.startsWith('PrismaClient') || name === 'DriverAdapterError' || name === 'DatabaseFailure')
    return { status: 503, title: errors.unavailable, more: errors.unavailableMore, number: id };
  return { status: 500, title: errors.failed, more: errors.failedMore, number: id };
}
