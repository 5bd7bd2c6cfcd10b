import type { FastifyInstance } from 'fastify';
import type { Rooms } from '../rooms.js';
import { overviewContent } from '../views/overview-page.js';
import { sendPage } from './answer.js';

export function addOverview(app: FastifyInstance, rooms: Rooms): void {
  app.get('/', { config: { access: 'viewer' } }, async (request, reply) => {
    const { visit } = request;
    const [overview, throughput, problems] = await Promise.all([
      visit.overview ?? rooms.pulse.latest(),
      rooms.operations.throughput(visit.tenant),
      rooms.operations.problems(),
    ]);
    const needed = problems.reduce((sum, { needsPerson, count }) => sum + (needsPerson ? count : 0), 0);
    const content = overviewContent(visit, overview, throughput, needed);
    return sendPage(request, reply, rooms, {
      title: visit.text.overview.title,
      here: 'overview',
      content,
      charts: true,
    });
  });
}
