// How routes answer: a whole page, a part of one for our script, or another address.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteContext } from '../route-context.js';
import type { Html } from '../html.js';
import { page, type PageFrame } from '../views/layout.js';

export function sendHtml(reply: FastifyReply, content: Html, status = 200): FastifyReply {
  return reply.code(status).header('content-type', 'text/html; charset=utf-8').send(content.text);
}

export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext,
  frame: PageFrame,
  status = 200,
): FastifyReply {
  return sendHtml(reply, page(request.visit, context.assets, frame), status);
}

/** After something was done: the browser goes on to another page, so that reloading does not repeat the act. */
export function goTo(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  if (request.visit.partial) return reply.code(200).header('hx-redirect', path).send();
  return reply.redirect(path, 303);
}

/** Where somebody wanted to go; only ever within these pages. */
export function ownPath(text: unknown): string {
  const isOwn = typeof text === 'string' && text.length < 2_000 && /^\/(?![/\\])[\x20-\x7e]*$/.test(text);
  return isOwn ? text : '/';
}

/** A field of a form or a query, as text, at most so long. */
export function field(source: unknown, name: string, charactersMax = 500): string {
  const value = (source as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value.slice(0, charactersMax) : '';
}

/** A field that may stand there several times. */
export function fields(source: unknown, name: string, countMax: number): string[] {
  const value = (source as Record<string, unknown> | null | undefined)?.[name];
  return [value]
    .flat()
    .filter((one): one is string => typeof one === 'string')
    .slice(0, countMax);
}
