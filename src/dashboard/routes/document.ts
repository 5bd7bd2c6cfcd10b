// One document, and what a person does to it.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Act } from '../../operations/act.js';
import { type Action, ACTIONS, type ActInput, actNamed } from '../../operations/acts.js';
import { readText } from '../../operations/fields.js';
import type { Story } from '../../operations/views/document.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { FILES, secureHeaders } from '../access/security-headers.js';
import type { RouteContext } from '../route-context.js';
import { actForm } from '../views/act-dialog.js';
import { documentContent, nameOf } from '../views/document-page.js';
import { sourceNow } from '../views/document-parts.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const EXPORT = { config: { access: 'viewer', exports: 'original' } } as const;
/** A document has a few, and as many again for each time it was posted anew. */
const ORIGINALS_MAX = 50;
const OPERATOR = { config: { access: 'operator' } } as const;

interface OneDocument {
  Params: { id: string };
}
interface OneOriginal {
  Params: { id: string; original: string };
}
interface OneAct {
  Params: { id: string; action: string };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SHOWN = ['application/pdf', 'image/jpeg', 'image/png', 'image/gif'];

/** What the ERP calls the accounts of its journals; nothing where there is no journal. */
async function readNames({ within }: FastifyRequest, { document, journal, settlement }: Story) {
  const lines = [...(journal?.lines ?? []), ...(settlement?.lines ?? [])];
  const accounts = [...new Set(lines.map(({ account }) => account))];
  return accounts.length === 0 ? {} : within.tenants.accountNames(document.tenantName, accounts);
}

export function addDocument(app: FastifyInstance, context: RouteContext): void {
  app.get<OneDocument>('/documents/:id', VIEWER, async (request, reply) => {
    const story = await request.within.operations.explain(request.params.id);
    const { kinds } = request.visit.text;
    const title = `${kinds[story.document.kind]} ${nameOf(story)}`;
    const originals = await context.originals.list({
      postingId: story.document.postingId,
      limit: ORIGINALS_MAX,
    });
    const names = await readNames(request, story);
    const content = documentContent(request.visit, story, originals, names);
    return sendPage(request, reply, context, { title, here: 'documents', content, watches: true });
  });

  app.get<OneDocument>('/documents/:id/source', VIEWER, async (request, reply) => {
    const story = await request.within.operations.explain(request.params.id, { askSource: true });
    const content = sourceNow(request.visit, story);
    if (request.visit.partial) return sendHtml(reply, content);
    const { title } = request.visit.text.documents;
    return sendPage(request, reply, context, { title, here: 'documents', content });
  });

  app.get<OneOriginal>('/documents/:id/originals/:original', EXPORT, async (request, reply) => {
    const { id, original } = request.params;
    // Throws for a document of a company that this person does not see.
    const { document } = await request.within.operations.explain(id);
    const file = UUID.test(original) ? await context.originals.file(document.postingId, original) : null;
    if (file === null) {
      reply.callNotFound();
      return reply;
    }
    request.exportedFrom = document.tenantName;
    secureHeaders(reply, context.cookies.secure, FILES);
    // Shown where a browser only draws it; what it could run or link is handed over to be saved.
    const place = SHOWN.includes(file.contentType) ? 'inline' : 'attachment';
    void reply.header(
      'content-disposition',
      `${place}; filename*=UTF-8''${encodeURIComponent(file.fileName)}`,
    );
    return reply.type(file.contentType).send(Buffer.from(file.content));
  });

  app.get<OneAct>('/documents/:id/act/:action', OPERATOR, async (request, reply) => {
    const story = await request.within.operations.explain(request.params.id);
    const form = actForm(request.visit, story, actionOf(request.params.action));
    if (request.visit.partial) return sendHtml(reply, form);
    const { title } = request.visit.text.documents;
    return sendPage(request, reply, context, { title, here: 'documents', content: form });
  });

  app.post<OneAct>('/documents/:id/act/:action', OPERATOR, async (request, reply) => {
    await perform(request, actionOf(request.params.action));
    context.pulse.touch();
    return goTo(request, reply, `/documents/${request.params.id}`);
  });
}

function actionOf(text: string): Action {
  const action = ACTIONS.find((known) => known === text);
  if (!action) throw coded('ACT_NOT_POSSIBLE', message('NO_SUCH_ACT', { act: text.slice(0, 40) }));
  return action;
}

export function actOf(request: FastifyRequest): Act {
  const { user } = request.visit;
  const login = user?.login ?? '';
  return {
    actor: login,
    ...(login === '' ? {} : { identity: `login:${login}` as const }),
    role: user?.role ?? 'viewer',
    reason: field(request.body, 'reason', 500),
  };
}

/** What was entered in the dialog. */
export function actInput(body: unknown, action: Action): ActInput<Action> {
  const { input } = actNamed(action);
  const given = Object.entries(input).filter(([, { page }]) => page);
  return Object.fromEntries(
    given.map(([key, one]) => [key, readText(one, field(body, key, one.charactersMax))]),
  );
}

async function perform(request: FastifyRequest<OneAct>, action: Action): Promise<void> {
  const { operations } = request.within;
  const input = actInput(request.body, action);
  const result = await operations.act(action, [request.params.id], input, actOf(request));
  const [first] =
    'done' in result && 'refused' in result && Array.isArray(result.refused) ? result.refused : [];
  if (first) throw new CodedError('ACT_NOT_POSSIBLE', first.why);
}
