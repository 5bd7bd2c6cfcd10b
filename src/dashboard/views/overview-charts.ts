// Documents by outcome and how long they take, over the last hour or day.
import { CHART_SPANS, type ChartSpan, type Pace } from '../../operations/history.js';
import { html, type Html, json } from '../html.js';
import { count, moment } from '../language/format.js';
import type { Visit } from '../visit.js';
import { link, titleOf } from './parts.js';

const SERIES = ['posted', 'parked', 'rejected', 'skipped'] as const;
const SPANS = Object.keys(CHART_SPANS) as ChartSpan[];
const LINES_MAX = 8;

export function charts(visit: Visit, pace: Pace, span: ChartSpan): Html {
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
