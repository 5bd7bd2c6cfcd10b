import type { FastifyInstance } from 'fastify';
import { CHART_SPANS, type ChartSpan, type Pace } from '../../operations/history.js';
import type { RouteContext } from '../route-context.js';
import type { Within } from '../access/throttle.js';
import { shown, type Visit } from '../visit.js';
import { field, sendPage } from './answer.js';
import type { Overview, TenantOverview } from '../../operations/views/overview.js';
import { html, type Html, json } from '../html.js';
import { banner } from '../views/condition-banner.js';
import { age, code, empty, link, live, titleOf } from '../views/parts.js';
import { worstTenants } from '../views/tenant-list.js';
import { count, moment } from '../language/format.js';

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

// The first page: what needs a person, what waits, and proof that the rest is fine.

interface OverviewFacts {
  readonly overview: Overview;
  readonly pace: Pace;
  readonly span: ChartSpan;
}

function overviewContent(visit: Visit, { overview, pace, span }: OverviewFacts): Html {
  const { text } = visit;
  if (overview.tenants.length === 0) {
    return html`<h1>${text.overview.title}</h1>
      ${empty(text.overview.noTenants, text.overview.noTenantsMore, code(visit, 'ledgerbridge tenant init'))}`;
  }
  const shown = overview.tenants.filter(({ name }) => visit.tenant === null || name === visit.tenant);
  return html`<h1 class="hidden">${text.overview.title}</h1>
    ${banner(visit, overview)} ${figures(visit, overview, shown)} ${charts(visit, pace, span)}
    ${worstTenants(visit, shown)}`;
}

function figures(visit: Visit, overview: Overview, shown: readonly TenantOverview[]): Html {
  const { text, tenant } = visit;
  const prefix = tenant === null ? 'totals' : `tenants.${tenant}`;
  const sum = (of: (one: TenantOverview) => number) => shown.reduce((total, one) => total + of(one), 0);
  const oldest = shown.flatMap(({ oldestWaitingAt }) => oldestWaitingAt ?? []).sort()[0] ?? null;
  const incidents = tenant === null ? overview.totals.openIncidents : sum((one) => one.openIncidents);
  const figure = (name: string, value: Html, path: string) =>
    html`<a class="figure" href="${path}"><span>${name}</span><strong>${value}</strong></a>`;
  const group = (name: string) => link(visit, '/documents', { group: name });
  return html`<div class="figures">
    ${figure(
      text.overview.waiting,
      live(
        `${prefix}.waiting`,
        sum((one) => one.waiting),
      ),
      group('waiting'),
    )}
    ${figure(
      text.overview.postedToday,
      live(
        `${prefix}.postedToday`,
        sum((one) => one.postedToday),
      ),
      group('posted'),
    )}
    ${figure(text.overview.oldest, age(visit, oldest), group('waiting'))}
    ${figure(
      text.overview.inBooks,
      live(
        `${prefix}.inBooks`,
        sum((one) => one.inBooks),
      ),
      group('posted'),
    )}
    ${figure(text.overview.incidents, live(`${prefix}.openIncidents`, incidents), link(visit, '/incidents'))}
  </div>`;
}

// Documents by outcome and how long they take, over the last hour or day.
const SERIES = ['posted', 'parked', 'rejected', 'skipped'] as const;
const SPANS = Object.keys(CHART_SPANS) as ChartSpan[];
const LINES_MAX = 8;

function charts(visit: Visit, pace: Pace, span: ChartSpan): Html {
  const { overview } = visit.text;
  return html`<div class="charts-head">
      <nav class="spans" aria-label="${overview.span}">
        ${SPANS.map(
          (one) =>
            html`<a href="${link(visit, '/', { span: one })}" ${one === span && html`aria-current="page"`}
              >${overview.spans[one]}</a
            >`,
        )}
      </nav>
    </div>
    <div class="charts">${outcomes(visit, pace)} ${lag(visit, pace)}</div>`;
}

function outcomes(visit: Visit, { steps }: Pace): Html {
  const { overview } = visit.text;
  const quiet = steps.every((step) => SERIES.every((name) => step[name] === 0));
  const data = {
    at: steps.map(({ from }) => Date.parse(from) / 1000),
    series: SERIES.map((name) => ({
      name,
      label: overview.series[name],
      values: steps.map((step) => step[name]),
    })),
  };
  return html`<section class="chart-section">
    <h2>${overview.throughput}</h2>
    ${
      quiet
        ? html`<p class="dim">${overview.noThroughput}</p>`
        : html`<div
              class="chart chart-stacked"
              data-chart="${json(data)}"
              role="img"
              aria-label="${overview.throughput}"
            ></div>
            <details>
              <summary>${overview.table}</summary>
              ${asTable(visit, steps)}
            </details>`
    }
  </section>`;
}

/** One line a tenant: steps in which nothing was posted are gaps, not zeros. */
function lag(visit: Visit, { steps, lag: points }: Pace): Html | null {
  const { overview } = visit.text;
  if (points.length === 0) return null;
  const names = [...new Set(points.map(({ tenantName }) => tenantName))].sort().slice(0, LINES_MAX);
  const slowest = new Map(
    points.map(({ tenantName, from, slowestMs }) => [`${tenantName} ${from}`, slowestMs]),
  );
  const data = {
    at: steps.map(({ from }) => Date.parse(from) / 1000),
    lines: names.map((name) => ({
      label: titleOf(visit, name),
      values: steps.map(({ from }) => {
        const ms = slowest.get(`${name} ${from}`);
        return ms === undefined ? null : ms / 1000;
      }),
    })),
  };
  return html`<section class="chart-section">
    <h2>${overview.lag} <span class="dim">${overview.lagUnit}</span></h2>
    <div class="chart" data-chart="${json(data)}" role="img" aria-label="${overview.lag}"></div>
  </section>`;
}

function asTable(visit: Visit, steps: Pace['steps']): Html {
  const { series, hour } = visit.text.overview;
  const busy = steps.filter((step) => SERIES.some((name) => step[name] > 0));
  return html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          <th>${hour}</th>
          ${SERIES.map((name) => html`<th class="num">${series[name]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${busy.map(
          (step) =>
            html`<tr>
              <td>${moment(step.from)}</td>
              ${SERIES.map((name) => html`<td class="num">${count(step[name])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
