// The queues, and bull-board inside: behind the same door, and to look at only. What moves documents is an act with a person
// and a reason, never a button that pushes a job.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { BOARD_PAGES, secureHeaders } from '../access/security-headers.js';
import { inTime } from '../../http/in-time.js';
import type { RouteContext } from '../route-context.js';
import { sendPage } from './answer.js';
import { html, type Html } from '../html.js';
import { count } from '../language/format.js';
import type { Visit } from '../visit.js';
import { note } from '../views/parts.js';

const BOARD = '/queues/board';
/** A Redis that is away answers when it is back; a person does not wait for that. */
const ANSWER_MS_MAX = 2_000;

export function addQueues(app: FastifyInstance, context: RouteContext): void {
  app.get('/queues', { config: { access: 'operator', everywhere: true } }, async (request, reply) => {
    const asking = Promise.all(
      context.queues.bull.map(async (queue) => {
        const found = await queue.getJobCounts('waiting', 'active', 'failed', 'completed');
        const { waiting = 0, active = 0, failed = 0, completed = 0 } = found;
        return { name: queue.name, waiting, active, failed, completed };
      }),
    );
    const counts = await inTime(asking, ANSWER_MS_MAX).catch(() => null);
    const content = queuesContent(request.visit, context.queues.backend, counts);
    const { title } = request.visit.text.queues;
    return sendPage(request, reply, context, { title, here: 'queues', content });
  });

  addBoard(app, context);
}

function addBoard(app: FastifyInstance, context: RouteContext): void {
  let board: FastifyInstance | null = null;
  // It is as large as the rest of the dashboard, so it is loaded when it is first looked at.
  const opened = async () => {
    const { openQueueBoard } = await import('../queue-board.js');
    return (board ??= openQueueBoard(context.queues, BOARD));
  };
  const route = {
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    config: { access: 'operator', everywhere: true },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      secureHeaders(reply, context.cookies.secure, BOARD_PAGES);
      if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(403).send();
    },
    handler: async ({ method, url }: FastifyRequest, reply: FastifyReply) => {
      const { statusCode, headers, rawPayload } = await (
        await opened()
      ).inject({ method: asRead(method), url });
      const { 'content-type': type = 'application/octet-stream', 'cache-control': kept } = headers;
      if (kept !== undefined) reply.header('cache-control', kept);
      const isPage = String(type).startsWith('text/html');
      const body = isPage ? withoutForeignLinks(rawPayload.toString('utf8')) : rawPayload;
      return reply.code(statusCode).header('content-type', type).send(body);
    },
  } satisfies Omit<RouteOptions, 'url'>;
  app.route({ ...route, url: `${BOARD}/` });
  app.route({ ...route, url: `${BOARD}/*` });
  app.addHook('onClose', () => board?.close());
}

const asRead = (method: string) => (method === 'HEAD' ? 'HEAD' : 'GET');

/** The board's page asks a font server; ours stays among ourselves. */
function withoutForeignLinks(page: string): string {
  return page.replace(/<link[^>]+href="https?:[^>]*>/g, '');
}

interface QueueCounts {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  readonly completed: number;
}

function queuesContent(visit: Visit, backend: string, queues: readonly QueueCounts[] | null): Html {
  const { queues: text } = visit.text;
  const columns = ['waiting', 'active', 'failed', 'completed'] as const;
  const store = text.backends[backend] ?? backend;
  if (queues === null)
    return html`<h1>${text.title}</h1>
      ${note('error', text.away(store))}`;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro} ${text.backend} ${store}.</p>
    <table class="rows">
      <thead>
        <tr>
          <th>${text.name}</th>
          ${columns.map((name) => html`<th class="num">${text[name]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${queues.map(
          (queue) =>
            html`<tr data-href="/queues/board/queue/${queue.name}">
              <td class="at-a"><a href="/queues/board/queue/${queue.name}">${queue.name}</a></td>
              ${columns.map((name) => html`<td class="num at-d" data-label="${text[name]}">${count(queue[name])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
    <section>
      <div class="bar">
        <h2>${text.board}</h2>
        <a href="/queues/board/">${text.open}</a>
      </div>
      <iframe class="board" src="/queues/board/" title="${text.board}"></iframe>
    </section>`;
}
