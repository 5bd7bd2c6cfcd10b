// The queues, and bull-board inside: behind the same door, and to look at only. What moves documents is an act with a person
// and a reason, never a button that pushes a job.
import type { IServerAdapter } from '@bull-board/api/typings/app';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { BOARD_PAGES, secureHeaders } from '../access/security-headers.js';
import { inTime } from '../../http/in-time.js';
import type { RouteContext } from '../route-context.js';
import { queuesContent } from '../views/queues-page.js';
import { sendPage } from './answer.js';

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
  let board: Promise<FastifyInstance> | null = null;
  const route = {
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    config: { access: 'operator', everywhere: true },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      secureHeaders(reply, context.cookies.secure, BOARD_PAGES);
      if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(403).send();
    },
    handler: async ({ method, url }: FastifyRequest, reply: FastifyReply) => {
      board ??= openBoard(context);
      const { statusCode, headers, rawPayload } = await (await board).inject({ method: asRead(method), url });
      const { 'content-type': type = 'application/octet-stream', 'cache-control': kept } = headers;
      const isPage = String(type).startsWith('text/html');
      if (kept !== undefined) reply.header('cache-control', kept);
      return reply
        .code(statusCode)
        .header('content-type', type)
        .send(isPage ? withoutForeignLinks(rawPayload.toString('utf8')) : rawPayload);
    },
  } satisfies Omit<RouteOptions, 'url'>;
  app.route({ ...route, url: `${BOARD}/` });
  app.route({ ...route, url: `${BOARD}/*` });
  app.addHook('onClose', async () => (await board)?.close());
}

const asRead = (method: string) => (method === 'HEAD' ? 'HEAD' : 'GET');

/** Loaded by the first who looks at it: with all that it needs it is as large as the rest of the dashboard. */
async function openBoard({ queues }: RouteContext): Promise<FastifyInstance> {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }, { fastify }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
    import('fastify'),
  ]);
  const pages = new FastifyAdapter();
  pages.setBasePath(BOARD);
  createBullBoard({
    queues: queues.bull.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    // Two copies of the same types are installed; only their private parts differ.
    serverAdapter: pages as unknown as IServerAdapter,
    options: { uiConfig: { boardTitle: 'ledgerbridge', hideRedisDetails: true } },
  });
  const inside = fastify();
  await inside.register(pages.registerPlugin(), { prefix: BOARD });
  return inside;
}

/** The board's page asks a font server; ours stays among ourselves. */
function withoutForeignLinks(page: string): string {
  return page.replace(/<link[^>]+href="https?:[^>]*>/g, '');
}
