// The companies in one table, on the overview and on a page of their own: found by name, sorted by any column, so many at a
// time. A bridge may have a thousand of them.
import type { TenantOverview } from '../../operations/views/overview.js';
import { html, type Html } from '../html.js';
import { count } from '../language/format.js';
import type { Visit } from '../visit.js';
import { age, ago, code, empty, healthChip, link, live } from './parts.js';

export const TENANTS_SHOWN = 50;
export const TENANT_ORDERS = ['state', 'name', 'waiting', 'needs', 'books'] as const;
export type TenantOrder = (typeof TENANT_ORDERS)[number];

/** What stands in the address. */
export interface TenantFilter {
  readonly text: string;
  readonly order: TenantOrder;
  /** How many come before. */
  readonly from: number;
}

export const ALL_TENANTS: TenantFilter = { text: '', order: 'state', from: 0 };

type By = (a: TenantOverview, b: TenantOverview) => number;
const byTitle: By = (a, b) => COLLATOR.compare(a.title, b.title);
/** As the alphabet has it in Iceland. */
const COLLATOR = new Intl.Collator('is');
const ORDERS: Readonly<Record<TenantOrder, By | null>> = {
  // As the overview gives them: the worst first.
  state: null,
  name: byTitle,
  waiting: (a, b) => b.waiting - a.waiting || byTitle(a, b),
  needs: (a, b) => b.needsYou - a.needsYou || byTitle(a, b),
  books: (a, b) => b.inBooks - a.inBooks || byTitle(a, b),
};

export function chosenTenants(
  tenants: readonly TenantOverview[],
  { text, order }: Pick<TenantFilter, 'text' | 'order'>,
): readonly TenantOverview[] {
  const sought = text.toLocaleLowerCase('is');
  const found = tenants.filter(
    ({ name, title }) => name.includes(sought) || title.toLocaleLowerCase('is').includes(sought),
  );
  const by = ORDERS[order];
  return by === null ? found : found.toSorted(by);
}

export function tenantsContent(visit: Visit, all: readonly TenantOverview[], filter: TenantFilter): Html {
  const { tenants: text, overview, frame } = visit.text;
  if (all.length === 0)
    return html`<h1>${text.title}</h1>
      ${empty(overview.noTenants, overview.noTenantsMore, code(visit, 'ledgerbridge tenant init'))}`;
  const found = chosenTenants(all, filter);
  const shown = found.slice(filter.from, filter.from + TENANTS_SHOWN);
  const at = (from: number) => address(visit, { ...filter, from });
  return html`<h1>${text.title}</h1>
    ${(all.length > 10 || filter.text !== '') && searchForm(visit, filter)}
    ${shown.length === 0 ? empty(text.noneFits, text.noneFitsMore) : tenantTable(visit, shown, filter)}
    <div class="pager">
      <span class="dim">${text.shown(filter.from + 1, filter.from + shown.length, found.length)}</span>
      ${filter.from > 0 && html`<a href="${at(0)}">${frame.first}</a>`}
      ${
        filter.from + TENANTS_SHOWN < found.length &&
        html`<a href="${at(filter.from + TENANTS_SHOWN)}">${frame.next} →</a>`
      }
    </div>`;
}

function searchForm(visit: Visit, { text, order }: TenantFilter): Html {
  const { tenants, frame } = visit.text;
  return html`<form method="get" action="/tenants" class="filters">
    ${order !== 'state' && html`<input type="hidden" name="order" value="${order}" />`}
    <label>${tenants.search}<input name="text" value="${text}" maxlength="60" autocomplete="off" /></label>
    <button type="submit">${frame.filter}</button>
    <a class="button" href="/tenants">${frame.clear}</a>
  </form>`;
}

function address(visit: Visit, { text, order, from }: TenantFilter): string {
  const more = { text, order: order === 'state' ? '' : order, from: from === 0 ? '' : String(from) };
  return link({ ...visit, tenant: null }, '/tenants', more);
}

/** With a filter its heads sort; on the overview they only name. */
export function tenantTable(
  visit: Visit,
  tenants: readonly TenantOverview[],
  filter: TenantFilter | null = null,
): Html {
  const { overview } = visit.text;
  const head = (order: TenantOrder | null, name: string, number = false) => {
    if (filter === null || order === null) return html`<th class="${number && 'num'}">${name}</th>`;
    const here = filter.order === order;
    const descends = order !== 'name';
    return html`<th
      class="${number && 'num'}"
      aria-sort="${here ? (descends ? 'descending' : 'ascending') : 'none'}"
    >
      <a href="${address(visit, { ...filter, order, from: 0 })}"
        >${name}${here && (descends ? ' ↓' : ' ↑')}</a
      >
    </th>`;
  };
  return html`<table class="rows tenants">
    <thead>
      <tr>
        ${head('name', overview.tenant)} ${head('state', overview.state)} ${head(null, overview.lastSweep)}
        ${head('waiting', overview.waiting, true)} ${head('needs', overview.failed, true)}
        ${head('books', overview.inBooks, true)} ${head(null, overview.next)}
      </tr>
    </thead>
    <tbody>
      ${tenants.map((tenant) => tenantRow(visit, tenant))}
    </tbody>
  </table>`;
}

/** On the overview: the worst of many, and the way to the rest. */
export function worstTenants(visit: Visit, tenants: readonly TenantOverview[]): Html {
  const more = tenants.length - TENANTS_SHOWN;
  return html`<section>
    <h2 class="hidden">${visit.text.nav.tenants}</h2>
    ${tenantTable(visit, tenants.slice(0, TENANTS_SHOWN))}
    ${more > 0 && html`<p><a href="/tenants">${visit.text.tenants.more(count(more))}</a></p>`}
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
    <td class="at-a"><a href="/tenants/${tenant.name}">${tenant.title}</a> <small>${tenant.erp}</small></td>
    <td class="at-b" title="${tenant.sentence}">${healthChip(visit, tenant.health)}</td>
    <td class="at-c" data-label="${overview.lastSweep}">
      ${ago(visit, swept ?? null, overview.never)}
      ${
        fails !== undefined && html`<small class="strong">${overview.sweepsFail} ${age(visit, fails)}</small>`
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
