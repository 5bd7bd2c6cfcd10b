// Replay of a selection or of a whole cause: preview, start, progress.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Selection } from '../../operations/run-records.js';
import type { RouteContext } from '../route-context.js';
import { type Chosen, previewContent, runContent, runProgress, runsContent } from '../views/replay-page.js';
import { filtersOf, queryOf } from './lists.js';
import { field, fields, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const OPERATOR = { config: { access: 'operator' } } as const;
/** As many as one page of documents can choose. */
const CHOSEN_MAX = 500;

export function addReplay(app: FastifyInstance, context: RouteContext): void {
  const preview = async (request: FastifyRequest, reply: FastifyReply, chosen: Chosen) => {
    const content = previewContent(
      request.visit,
      await request.within.operations.previewReplay(selectionOf(chosen)),
      chosen,
    );
    const { title } = request.visit.text.replay;
    return sendPage(request, reply, context, { title, here: 'problems', content });
  };
  app.get('/replay', OPERATOR, (request, reply) => preview(request, reply, chosenOf(request.query)));
  app.post('/replay', OPERATOR, (request, reply) => preview(request, reply, chosenOf(request.body)));

  app.post('/replay/start', OPERATOR, async (request, reply) => {
    const perSecond = Number.parseInt(field(request.body, 'perSecond', 5), 10);
    const run = await request.within.operations.startReplay(
      selectionOf(chosenOf(request.body)),
      actOf(request),
      {
        ...(Number.isInteger(perSecond) ? { perSecond } : {}),
      },
    );
    // Whoever runs workers finds the run on record and works it off; this process need not be one of them.
    context.pulse.touch();
    return goTo(request, reply, `/replay/${run.id}`);
  });

  app.get('/replays', VIEWER, async (request, reply) => {
    const content = runsContent(request.visit, await request.within.operations.runs());
    const title = request.visit.text.replay.recent;
    return sendPage(request, reply, context, { title, here: 'problems', content });
  });

  app.get<{ Params: { id: string } }>('/replay/:id', VIEWER, async (request, reply) => {
    const run = await request.within.operations.run(request.params.id);
    if (request.visit.partial) return sendHtml(reply, runProgress(request.visit, run));
    const { title } = request.visit.text.replay;
    return sendPage(request, reply, context, {
      title,
      here: 'problems',
      content: runContent(request.visit, run),
    });
  });
}

function chosenOf(source: unknown): Chosen {
  return {
    ids: fields(source, 'id', CHOSEN_MAX),
    cause: field(source, 'cause', 400),
    tenant: field(source, 'tenant', 40),
    search: field(source, 'search', 2_000),
  };
}

function selectionOf({ ids, cause, tenant, search }: Chosen): Selection {
  if (search !== '') {
    // Read as the list reads its address, so that it is about the documents that were shown.
    const asked = Object.fromEntries(new URLSearchParams(search));
    const { after: _, order: __, ...found } = queryOf(filtersOf(asked), asked['tenant'] ?? null);
    return { search: found };
  }
  return {
    ...(ids.length > 0 ? { postingIds: ids } : {}),
    ...(cause === '' ? {} : { cause }),
    ...(tenant === '' ? {} : { tenant }),
  };
}
