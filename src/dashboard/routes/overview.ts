import type { FastifyInstance } from 'fastify';
import { CHART_SPANS, type ChartSpan, type Pace } from '../../operations/history.js';
import type { RouteContext } from '../route-context.js';
import { overviewContent } from '../views/overview-page.js';
import type { Within } from '../access/within.js';
import { shown, type Visit } from '../visit.js';
import { field, sendPage } from './answer.js';

export function addOverview(app: FastifyInstance, context: RouteContext): void {
  app.get('/', { config: { access: 'viewer' } }, async (request, reply) => {
    const { visit } = request;
    const asked = field(request.query, 'span', 10);
    const [overview, shown] = await Promise.all([
      visit.overview ?? request.within.pulse.latest(),
      Object.hasOwn(CHART_SPANS, asked)
        ? readPace(request.within, visit, asked as ChartSpan)
        : telling(request.within, visit),
    ]);
    const content = overviewContent(visit, { overview, ...shown });
    return sendPage(request, reply, context, {
      title: visit.text.overview.title,
      here: 'overview',
      content,
      charts: true,
    });
  });
}

async function readPace({ history }: Within, visit: Visit, span: ChartSpan) {
  return { span, pace: await history.pace(shown(visit), span, visit.now) };
}

/** A day, unless everything happened within the last hour or two: then a day would be one bar. */
async function telling(within: Within, visit: Visit): Promise<{ span: ChartSpan; pace: Pace }> {
  const day = await readPace(within, visit, 'day');
  const earlier = day.pace.steps.slice(0, -2);
  const quiet = earlier.every(({ posted, parked, rejected }) => posted + parked + rejected === 0);
  return quiet ? readPace(within, visit, 'hour') : day;
}
