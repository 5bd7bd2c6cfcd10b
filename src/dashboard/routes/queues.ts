// The queues, and bull-board inside: behind the same door, and to look at only. What moves documents is an act with a person
// and a reason, never a button that pushes a job.
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';
import { BOARD_PAGES, secureHeaders } from '../access/security-headers.js';
import { inTime } from '../../http/in-time.js';
import type { RouteContext } from '../route-context.js';
import { queuesContent } from '../views/queues-page.js';
import { sendPage } from './answer.js';

const BOARD = '/queues/board';
/** A Redis that is away answers when it is back; a person does not wait for that. */
const ANSWER_MS_MAX = 2_000;

export async function addQueues(app: FastifyInstance, context: RouteContext): Promise<void> {
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

  const board = new FastifyAdapter();
  board.setBasePath(BOARD);
  createBullBoard({
    queues: context.queues.bull.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    // Two copies of the same types are installed; only their private parts differ.
    serverAdapter: board as unknown as IServerAdapter,
    options: { uiConfig: { boardTitle: 'ledgerbridge', hideRedisDetails: true } },
  });
  await app.register(
    async (inside) => {
      inside.addHook('onRoute', (route) => {
        route.config = { ...route.config, access: 'operator', everywhere: true };
      });
      inside.addHook('onRequest', async (request, reply) => {
        secureHeaders(reply, context.cookies.secure, BOARD_PAGES);
        if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(403).send();
      });
      inside.addHook('onSend', (_request, reply, payload, done) => {
        const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
        done(null, isPage && typeof payload === 'string' ? withoutForeignLinks(payload) : payload);
      });
      await inside.register(board.registerPlugin(), { prefix: '' });
    },
    { prefix: BOARD },
  );
}

/** The board's page asks a font server; ours stays among ourselves. */
function withoutForeignLinks(page: string): string {
  return page.replace(/<link[^>]+href="https?:[^>]*>/g, '');
}
