// The first page: what needs a person, what waits, and proof that the rest is fine.
import type { ChartSpan, Pace } from '../../operations/history.js';
import type { Overview, TenantOverview } from '../../operations/views/overview.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { banner } from './condition-banner.js';
import { charts } from './overview-charts.js';
import { age, ago, code, empty, healthChip, link, live } from './parts.js';

export interface OverviewFacts {
  readonly overview: Overview;
  readonly pace: Pace;
  readonly span: ChartSpan;
}

export function overviewContent(visit: Visit, { overview, pace, span }: OverviewFacts): Html {
  const { text } = visit;
  if (overview.tenants.length === 0) {
    return html`<h1>${text.overview.title}</h1>
      ${empty(text.overview.noTenants, text.overview.noTenantsMore, code(visit, 'ledgerbridge tenant init'))}`;
  }
  const shown = overview.tenants.filter(({ name }) => visit.tenant === null || name === visit.tenant);
  return html`<h1 class="hidden">${text.overview.title}</h1>
    ${banner(visit, overview)} ${figures(visit, overview, shown)} ${charts(visit, pace, span)}
    ${tenantTable(visit, shown)}`;
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

function tenantTable(visit: Visit, tenants: readonly TenantOverview[]): Html {
  const { overview } = visit.text;
  return html`<section>
    <h2 class="hidden">${visit.text.nav.tenants}</h2>
    <table class="rows tenants">
      <thead>
        <tr>
          <th>${overview.tenant}</th>
          <th>${overview.state}</th>
          <th>${overview.lastSweep}</th>
          <th class="num">${overview.waiting}</th>
          <th class="num">${overview.failed}</th>
          <th class="num">${overview.inBooks}</th>
          <th>${overview.next}</th>
        </tr>
      </thead>
      <tbody>
        ${tenants.map((tenant) => tenantRow(visit, tenant))}
      </tbody>
    </table>
  </section>`;
}

function tenantRow(visit: Visit, tenant: TenantOverview): Html {
  const { overview } = visit.text;
  const key = (name: string) => `tenants.${tenant.name}.${name}`;
  // Both kinds: the older one is when the source was last read completely.
  const swept = tenant.lastSweeps.map(({ finishedAt, startedAt }) => finishedAt ?? startedAt).sort()[0];
  const fails = tenant.failedSweeps.map(({ failingSince }) => failingSince).sort()[0];
  const paused = tenant.paused !== null || tenant.pausedInFile;
  return html`<tr data-href="/tenants/${tenant.name}">
    <td class="at-a"><a href="/tenants/${tenant.name}">${tenant.title}</a></td>
    <td class="at-b" title="${tenant.sentence}">${healthChip(visit, tenant.health)}</td>
    <td class="at-c" data-label="${overview.lastSweep}">
      ${ago(visit, swept ?? null, overview.never)}
      ${
        fails !== undefined && html`<small class="strong">${overview.sweepsFail} ${ago(visit, fails)}</small>`
      }
    </td>
    <td class="num at-d" data-label="${overview.waiting}">${live(key('waiting'), tenant.waiting)}</td>
    <td class="num at-d ${tenant.needsYou > 0 && 'strong'}" data-label="${overview.failed}">
      ${live(key('needsYou'), tenant.needsYou)}
    </td>
    <td class="num at-d" data-label="${overview.inBooks}">${live(key('inBooks'), tenant.inBooks)}</td>
    <td class="at-hide">
      ${
        tenant.health === 'unconfirmed'
          ? html`<a href="/plan?tenant=${tenant.name}">${overview.unconfirmed}</a>`
          : paused
            ? html`<span class="dim">${overview.paused}</span>`
            : ago(visit, tenant.nextRunAt)
      }
    </td>
  </tr>`;
}
