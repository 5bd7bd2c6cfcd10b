import type { FastifyInstance } from 'fastify';
import type { Rooms } from '../rooms.js';
import { overviewContent } from '../views/overview-page.js';
import { sendPage } from './answer.js';

const HOURS = 24;

export function addOverview(app: FastifyInstance, rooms: Rooms): void {
  app.get('/', { config: { access: 'viewer' } }, async (request, reply) => {
    const { visit } = request;
    const [overview, throughput, lag] = await Promise.all([
      visit.overview ?? rooms.pulse.latest(),
      rooms.operations.throughput(visit.tenant, HOURS),
      rooms.history.lag(visit.tenant, HOURS),
    ]);
    const content = overviewContent(visit, { overview, throughput, lag });
    return sendPage(request, reply, rooms, {
      title: visit.text.overview.title,
      here: 'overview',
      content,
      charts: true,
    });
  });
}
