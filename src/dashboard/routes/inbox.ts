// The inbox: what is missing, what the file would be with it, and saving that.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import { errorText } from '../../language/coded.js';
import { remedyText } from '../../language/remedies.js';
import type { RouteContext } from '../route-context.js';
import { inboxContent, mendContent } from '../views/inbox-page.js';
import { field, fields, goTo, sendPage } from './answer.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const ADMIN = { config: { access: 'admin' } } as const;
const FILLS_MAX = 500;

export function addInbox(app: FastifyInstance, context: RouteContext): void {
  app.get('/inbox', VIEWER, async (request, reply) => {
    const { visit } = request;
    const rows = await request.within.operations.inbox(visit.tenant ?? undefined);
    const facts = { rows, editable: context.filesEditable, saved: field(request.query, 'saved') !== '' };
    const { title } = visit.text.inbox;
    const content = inboxContent(visit, facts);
    return sendPage(request, reply, context, { title, here: 'inbox', content, watches: true });
  });
  app.post('/inbox/preview', ADMIN, (request, reply) => showChange(context, request, reply, null));
  app.post('/inbox/save', ADMIN, async (request, reply) => {
    const { body, visit } = request;
    const tenant = field(body, 'tenant', 60);
    const act = { actor: visit.user?.login ?? '', reason: field(body, 'reason') };
    try {
      await request.within.operations.mend(tenant, fillsOf(body), field(body, 'base', 40), act);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const problem = `${errorText(visit.language, error)} ${remedyText(visit.language, error)}`;
      return showChange(context, request, reply, problem);
    }
    context.pulse.touch();
    return goTo(request, reply, `/inbox?tenant=${encodeURIComponent(tenant)}&saved=yes`);
  });
}

async function showChange(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: string | null,
): Promise<FastifyReply> {
  const { visit, body } = request;
  const fills = fillsOf(body);
  const preview = await request.within.operations.previewMend(field(body, 'tenant', 60), fills);
  const content = mendContent(visit, preview, fills, problem);
  const status = problem === null && preview.problems.length === 0 ? 200 : 400;
  return sendPage(request, reply, context, { title: visit.text.inbox.title, here: 'inbox', content }, status);
}

/** Cause → what was written; what was left empty is left out. */
function fillsOf(body: unknown): Map<string, string> {
  const [ids, values] = [fields(body, 'id', FILLS_MAX), fields(body, 'value', FILLS_MAX)];
  return new Map(
    ids.map((id, index) => [id, values[index] ?? ''] as const).filter(([, value]) => value !== ''),
  );
}
