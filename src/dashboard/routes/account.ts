// Everybody's own account: password, second factor, browsers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import { errorText } from '../../language/coded.js';
import { remedyText } from '../../language/remedies.js';
import type { Language } from '../../language/say.js';
import { takeSession } from '../access/cookies.js';
import type { RouteContext } from '../route-context.js';
import { enrolPage } from './sign-in.js';
import { accountContent, type Told } from '../views/users-page.js';
import { field, sendHtml, sendPage } from './answer.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const ENROLLING = { config: { access: 'viewer', enrolling: true } } as const;
export const QUIET: Told = { problem: null, done: null, token: null };

/** What was refused stands on the page, not on one of its own. */
export async function toldBy(language: Language, work: () => Promise<Partial<Told>>): Promise<Told> {
  try {
    return { ...QUIET, ...(await work()) };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { ...QUIET, problem: `${errorText(language, error)} ${remedyText(language, error)}` };
  }
}

export async function showAccount(
  { users, ...context }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  told: Told,
  codes: readonly string[] | null = null,
): Promise<FastifyReply> {
  const me = request.visit.user?.login ?? '';
  const [state, begun] = await Promise.all([users.secondFactor.state(me), users.secondFactor.begun(me)]);
  const external = request.visit.user?.external ?? false;
  const status = told.problem === null ? 200 : 400;
  if (request.visit.user?.mustEnrol === true) {
    const part = { state, begun, codes, external: false };
    return sendHtml(reply, enrolPage(request.visit, context.assets, told.problem, part), status);
  }
  const content = accountContent(request.visit, told, { state, begun, codes, external });
  const frame = { title: request.visit.text.nav.account, here: 'account', content } as const;
  return sendPage(request, reply, { users, ...context }, frame, status);
}

export function addAccount(app: FastifyInstance, context: RouteContext): void {
  const { users, cookies } = context;
  app.get('/account', ENROLLING, (request, reply) => showAccount(context, request, reply, QUIET));
  app.post('/account/password', VIEWER, async (request, reply) => {
    const { visit, body } = request;
    const me = visit.user?.login ?? '';
    const told = await toldBy(visit.language, async () => {
      if (!(await users.isPassword(me, new Secret(field(body, 'current', 200)), request.ip)))
        return { problem: visit.text.users.wrongPassword };
      await users.setPassword(me, new Secret(field(body, 'password', 201)), me);
      return { done: visit.text.users.changed };
    });
    if (told.problem !== null) return showAccount(context, request, reply, told);
    takeSession(reply, cookies);
    return reply.redirect('/login', 303);
  });
  app.post('/account/sign-out', VIEWER, async (request, reply) => {
    const me = request.visit.user?.login ?? '';
    await users.signOutEverywhere(me, me);
    takeSession(reply, cookies);
    return reply.redirect('/login', 303);
  });
}
