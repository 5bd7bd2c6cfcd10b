// People and tokens, for admins.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Secret } from '../../domain/secret.js';
import type { Reach } from '../../operations/access/reach.js';
import { companyRoles } from '../../operations/users/company-roles.js';
import { USER_ROLES, type UserRole } from '../../operations/users/user-records.js';
import type { RouteContext } from '../route-context.js';
import { type Told, usersContent } from '../views/users-page.js';
import { QUIET, toldBy } from './account.js';
import { field, sendPage } from './answer.js';

const ADMIN = { config: { access: 'admin', everywhere: true } } as const;
/** An open browser alone makes no admins, tokens or passwords. */
const PROVEN_ADMIN = { config: { ...ADMIN.config, proven: '/users' } } as const;
/** A thousand companies with their roles. */
const COMPANIES_CHARACTERS_MAX = 60_000;

interface OneUser {
  Params: { login: string };
}

type Work = (request: FastifyRequest, me: string) => Promise<Partial<Told>>;

export function addUsers(app: FastifyInstance, context: RouteContext): void {
  addPeople(app, context);
  addTokens(app, context);
}

async function showUsers(context: RouteContext, request: FastifyRequest, reply: FastifyReply, told: Told) {
  const { operations } = request.within;
  const [users, tokens, news] = await Promise.all([
    context.users.list(),
    operations.tokens(),
    operations.security(),
  ]);
  const content = usersContent(request.visit, { users, tokens, news }, told);
  const { title } = request.visit.text.users;
  return sendPage(
    request,
    reply,
    context,
    { title, here: 'users', content },
    told.problem === null ? 200 : 400,
  );
}

/** Does it and shows the page with what came of it; what was refused stands on the page, not on one of its own. */
function thenShow(context: RouteContext, work: Work) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const told = await toldBy(request.visit.language, () => work(request, request.visit.user?.login ?? ''));
    return showUsers(context, request, reply, told);
  };
}

function addPeople(app: FastifyInstance, context: RouteContext): void {
  const { users } = context;
  app.get('/users', ADMIN, (request, reply) => showUsers(context, request, reply, QUIET));
  app.post(
    '/users',
    PROVEN_ADMIN,
    thenShow(context, async (request, me) => {
      const { body, visit } = request;
      const reach = await readReach(request, roleOf(body));
      await users.create(field(body, 'login', 60), roleOf(body), passwordOf(body), me, reach);
      return { done: visit.text.users.added };
    }),
  );
  const on = (name: string, work: (login: string, request: FastifyRequest, me: string) => Promise<void>) =>
    app.post<OneUser>(
      `/users/:login/${name}`,
      PROVEN_ADMIN,
      thenShow(context, async (request, me) => {
        await work((request.params as OneUser['Params']).login, request, me);
        return { done: request.visit.text.users.changed };
      }),
    );
  on('role', (login, { body }, me) => users.setRole(login, roleOf(body), me));
  on('companies', async (login, request, me) => {
    await users.setReach(login, await readReach(request, roleOf(request.body)), me);
  });
  on('password', (login, { body }, me) => users.setPassword(login, passwordOf(body), me));
  on('second-factor-off', async (login, _request, me) => {
    await users.secondFactor.end(login, me);
  });
  on('disable', (login, _request, me) => users.disable(login, me));
  on('enable', (login, _request, me) => users.enable(login, me));
  on('sign-out', async (login, _request, me) => {
    await users.signOutEverywhere(login, me);
  });
}

function addTokens(app: FastifyInstance, context: RouteContext): void {
  app.post(
    '/tokens',
    PROVEN_ADMIN,
    thenShow(context, async (request, me) => {
      const { body, within } = request;
      const reach = await readReach(request, roleOf(body));
      const name = field(body, 'name', 60).trim();
      const act = { actor: me, reason: `token ${name}`, identity: `login:${me}` as const };
      const { value } = await within.operations.createToken(
        { name, role: roleOf(body), ...(reach && { companies: [...reach.keys()] }) },
        act,
      );
      return { token: value };
    }),
  );
  app.post<{ Params: { id: string } }>(
    '/tokens/:id/revoke',
    PROVEN_ADMIN,
    thenShow(context, async ({ params, visit, within }, me) => {
      const act = { actor: me, reason: visit.text.users.revoke };
      await within.operations.revokeToken((params as { id: string }).id, act);
      return { done: visit.text.users.revoked };
    }),
  );
}

function passwordOf(body: unknown): Secret {
  return new Secret(field(body, 'password', 201));
}

/** The companies that were written; null: all of them. */
async function readReach({ body, within }: FastifyRequest, usual: UserRole): Promise<Reach | null> {
  const { tenants } = await within.pulse.latest();
  return companyRoles(
    field(body, 'companies', COMPANIES_CHARACTERS_MAX),
    usual,
    tenants.map(({ name }) => name),
  );
}

function roleOf(body: unknown): UserRole {
  return USER_ROLES.find((role) => role === field(body, 'role')) ?? 'viewer';
}
