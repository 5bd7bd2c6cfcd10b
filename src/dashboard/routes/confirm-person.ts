// The password or code again, before people and tokens are changed: a browser that was left open is not enough.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Secret } from '../../domain/secret.js';
import { readSession } from '../access/cookies.js';
import type { RouteContext } from '../route-context.js';
import { confirmContent } from '../views/confirm-person.js';
import { field, ownPath, sendPage } from './answer.js';

const VIEWER = { config: { access: 'viewer' } } as const;

export function addConfirmPerson(app: FastifyInstance, context: RouteContext): void {
  const { users, cookies } = context;

  async function show(request: FastifyRequest, reply: FastifyReply, next: string, problem: string | null) {
    const { visit } = request;
    const { on } = await users.secondFactor.state(visit.user?.login ?? '');
    const elsewhere = visit.user?.external === true ? (context.identity?.name ?? null) : null;
    const content = confirmContent(visit, { next, problem, wantsCode: on, elsewhere });
    const frame = { title: visit.text.confirmPerson.title, here: 'account', content } as const;
    return sendPage(request, reply, context, frame, problem === null ? 200 : 400);
  }

  app.get('/account/confirm', VIEWER, (request, reply) =>
    show(request, reply, ownPath(field(request.query, 'next', 2_000)), null),
  );
  app.post('/account/confirm', VIEWER, async (request, reply) => {
    const { visit, body } = request;
    const next = ownPath(field(body, 'next', 2_000));
    const sessionId = readSession(request, cookies) ?? '';
    const proof = new Secret(field(body, 'proof', 200));
    const isRight = await users.prove(visit.user?.login ?? '', proof, sessionId, request.ip);
    return isRight ? reply.redirect(next, 303) : show(request, reply, next, visit.text.confirmPerson.wrong);
  });
}
