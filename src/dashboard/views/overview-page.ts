// The first page: what needs a person, what waits, and proof that the rest is fine.
import type { ChartSpan, Pace } from '../../operations/history.js';
import type { Overview, TenantOverview } from '../../operations/views/overview.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { banner } from './condition-banner.js';
import { charts } from './overview-charts.js';
import { age, code, empty, link, live } from './parts.js';
import { worstTenants } from './tenant-list.js';

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
