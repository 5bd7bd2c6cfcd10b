// bull-board over our queues, to look at only. A module of its own with plain imports: in the bundle, what is imported later from a
// CommonJS package has no names, only a default.
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { FastifyAdapter } from '@bull-board/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import type { DashboardDeps } from './deps.js';

/** A server that listens nowhere: the dashboard hands requests on to it. */
export function openQueueBoard(queues: DashboardDeps['queues'], prefix: string): FastifyInstance {
  const pages = new FastifyAdapter();
  pages.setBasePath(prefix);
  createBullBoard({
    queues: queues.bull.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    // Two copies of the same types are installed; only their private parts differ.
    serverAdapter: pages as unknown as IServerAdapter,
    options: { uiConfig: { boardTitle: 'ledgerbridge', hideRedisDetails: true } },
  });
  const inside = fastify();
  void inside.register(pages.registerPlugin(), { prefix });
  return inside;
}
