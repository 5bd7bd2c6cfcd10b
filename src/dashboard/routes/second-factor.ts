// Turning the second factor of one's own account on and off. Both want the password again: a browser that was left open is
// not enough.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Secret } from '../../domain/secret.js';
import { readSession } from '../access/cookies.js';
import type { RouteContext } from '../route-context.js';
import { showAccount, toldBy } from './account.js';
import { field } from './answer.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const ENROLLING = { config: { access: 'viewer', enrolling: true } } as const;

interface Came {
  readonly problem?: string;
  readonly done?: string;
  readonly codes?: readonly string[];
}

export function addSecondFactor(app: FastifyInstance, context: RouteContext): void {
  const { users, cookies } = context;
  const on = (act: string, work: (request: FastifyRequest, me: string) => Promise<Came>) =>
    app.post(
      `/account/second-factor/${act}`,
      act === 'off' ? VIEWER : ENROLLING,
      async (request: FastifyRequest, reply: FastifyReply) => {
        const me = request.visit.user?.login ?? '';
        let codes: readonly string[] | null = null;
        const told = await toldBy(request.visit.language, async () => {
          const came = await work(request, me);
          codes = came.codes ?? null;
          return { problem: came.problem ?? null, done: came.done ?? null };
        });
        return showAccount(context, request, reply, told, codes);
      },
    );
  const isPassword = (me: string, { body, ip }: FastifyRequest) =>
    users.isPassword(me, new Secret(field(body, 'current', 200)), ip);
  on('begin', async (request, me) => {
    // Whoever must turn it on has just given it.
    const user = request.visit.user;
    const isKnown = user?.mustEnrol === true && user.proven;
    if (!isKnown && !(await isPassword(me, request)))
      return { problem: request.visit.text.users.wrongPassword };
    await users.secondFactor.begin(me);
    return {};
  });
  on('confirm', async (request, me) => {
    const session = readSession(request, cookies) ?? '';
    const codes = await users.secondFactor.confirm(me, field(request.body, 'code', 40), session);
    return codes === null ? { problem: request.visit.text.signIn.wrongCode } : { codes };
  });
  on('off', async (request, me) => {
    const { body, visit, ip } = request;
    if (!(await isPassword(me, request))) return { problem: visit.text.users.wrongPassword };
    if (!(await users.secondFactor.isCode(me, field(body, 'code', 40), ip)))
      return { problem: visit.text.signIn.wrongCode };
    await users.secondFactor.end(me, me);
    return { done: visit.text.secondFactor.ended };
  });
}
