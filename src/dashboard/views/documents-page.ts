// All documents: search, filters in the address, pages by key, and replay of what was chosen.
import { type Action, ACTIONS, actNamed } from '../../operations/acts.js';
import type { Field, FieldKind, PageKeys } from '../../operations/fields.js';
import { DOCUMENT_GROUPS, type DocumentGroup, DOCUMENTS } from '../../operations/document-list.js';
import type { Column } from '../../operations/list.js';
import type { DocumentPage, DocumentRow } from '../../operations/views/document.js';
import type { SavedView } from '../../operations/users/user-records.js';
import { html, type Html } from '../html.js';
import { day, kennitala } from '../language/format.js';
import { mayDo, type Visit } from '../visit.js';
import { ago, amount, csrfField, empty, link, note, stateChip, titleOf } from './parts.js';

/** Acts that take many documents, beside a replay; what is hard to take back comes last. */
export const CHOSEN_ACTS: readonly Action[] = ACTIONS.filter((name) => actNamed(name).atOnce > 1).sort(
  (a, b) => Number(actNamed(a).dangerous ?? false) - Number(actNamed(b).dangerous ?? false),
);

/** The text comes from the search box of every page. */
type PageFilter = 'text' | PageKeys<typeof DOCUMENTS.filters>;
const FILTERS: Readonly<Record<string, { readonly page?: boolean | string }>> = DOCUMENTS.filters;
export const PAGE_FILTERS = Object.keys(FILTERS).filter(
  (name) => name === 'text' || FILTERS[name]?.page,
) as PageFilter[];

/** What the address of the page says. */
export interface DocumentFilters {
  readonly group: DocumentGroup;
  readonly cause: string;
  readonly order: string;
  readonly after: string;
  /** As typed. */
  readonly typed: Readonly<Record<PageFilter, string>>;
}

function address(
  visit: Visit,
  filters: DocumentFilters,
  changed: Partial<DocumentFilters>,
  path = '/documents',
): string {
  const { typed, group, cause, order, after } = { ...filters, after: '', ...changed };
  const { text, kind } = typed;
  const rest = PAGE_FILTERS.map((name) => [addressOf(name), typed[name]] as const);
  return link(visit, path, {
    // Saved views are compared as text: these come first, in this order.
    ...{ text, group: group === 'all' ? '' : group, kind, cause },
    ...Object.fromEntries(rest),
    ...{ order, after },
  });
}

function queryOfAddress(visit: Visit, filters: DocumentFilters): string {
  return address(visit, filters, {}).split('?')[1] ?? '';
}

function addressOf(name: PageFilter): string {
  return DOCUMENTS.filters[name].address ?? name;
}

export function documentsContent(
  visit: Visit,
  filters: DocumentFilters,
  found: DocumentPage,
  views: readonly SavedView[],
): Html {
  const { documents } = visit.text;
  return html`<h1>${documents.title}</h1>
    ${tabs(visit, filters)} ${filterForm(visit, filters)} ${savedViews(visit, filters, views)}
    ${found.tooMany && note('info', documents.tooMany)}
    ${
      found.items.length === 0
        ? empty(documents.emptyTitle, documents.empty)
        : documentTable(visit, filters, found)
    }`;
}

function tabs(visit: Visit, filters: DocumentFilters): Html {
  const { documents } = visit.text;
  const names = Object.keys(DOCUMENT_GROUPS) as DocumentGroup[];
  return html`<nav class="tabs" aria-label="${documents.group}">
    ${names.map(
      (group) =>
        html`<a
          href="${address(visit, filters, { group })}"
          ${group === filters.group && html`aria-current="page"`}
          >${documents.groups[group] ?? group}</a
        >`,
    )}
  </nav>`;
}

function filterForm(visit: Visit, filters: DocumentFilters): Html {
  const { documents, frame } = visit.text;
  const { typed, group, order, cause } = filters;
  const hidden = (name: string, value: string) =>
    value !== '' && html`<input type="hidden" name="${name}" value="${value}" />`;
  const offered = PAGE_FILTERS.map(
    (name) => name !== 'text' && filterInput(visit, name, typed[name], documents.filters[name]),
  );
  return html`<form class="filters" method="get" action="/documents">
    ${hidden('tenant', visit.tenant ?? '')} ${hidden('group', group === 'all' ? '' : group)}
    ${hidden('text', typed.text)} ${hidden('order', order)} ${offered}
    ${
      cause !== '' &&
      html`<label>${documents.causeFilter}<input name="cause" value="${cause}" maxlength="400" /></label>`
    }
    <button type="submit">${frame.filter}</button>
    <a class="button" href="${link(visit, '/documents')}">${frame.clear}</a>
  </form>`;
}

const INPUTS: Readonly<Partial<Record<FieldKind, Html>>> = {
  amount: html`inputmode="decimal" size="10"`,
  currency: html`placeholder="ISK" pattern="[A-Za-z]{3}" size="4"`,
};

function filterInput(visit: Visit, name: PageFilter, value: string, label: string): Html {
  const { kind, charactersMax, values }: Field = DOCUMENTS.filters[name];
  const shown = addressOf(name);
  if (kind === 'day')
    return html`<label>${label}<input type="date" name="${shown}" value="${value}" /></label>`;
  if (kind !== 'choice')
    return html`<label
      >${label}<input name="${shown}" value="${value}" maxlength="${charactersMax}" ${INPUTS[kind]}
    /></label>`;
  const names: Readonly<Record<string, string>> = visit.text.kinds;
  const option = (one: string, said: string) =>
    html`<option value="${one}" ${one === value && html`selected`}>${said}</option>`;
  return html`<label class="whole"
    >${label}<select name="${shown}" data-submit>
      ${option('', visit.text.frame.all)} ${values.map((one) => option(one, names[one] ?? one))}
    </select></label
  >`;
}

/** What somebody looks at again and again. */
function savedViews(visit: Visit, filters: DocumentFilters, views: readonly SavedView[]): Html | null {
  const { documents } = visit.text;
  const query = queryOfAddress(visit, filters);
  if (views.length === 0 && query === '') return null;
  return html`<div class="views">
    ${views.map(
      (view) =>
        html`<span class="view"
          ><a href="/documents?${view.query}" ${view.query === query && html`aria-current="true"`}
            >${view.name}</a
          >
          <form method="post" action="/documents/views/${view.id}/drop" class="inline">
            ${csrfField(visit)}<button class="plain" aria-label="${documents.dropView} ${view.name}">
              ×
            </button>
          </form></span
        >`,
    )}
    ${
      query !== '' &&
      !views.some((view) => view.query === query) &&
      html`<details class="keep-view">
        <summary>${documents.keepView}</summary>
        <form method="post" action="/documents/views" class="inline">
          ${csrfField(visit)}<input type="hidden" name="query" value="${query}" />
          <input
            name="name"
            required
            maxlength="60"
            aria-label="${documents.viewName}"
            placeholder="${documents.viewName}"
          />
          <button class="small" type="submit">${documents.keepView}</button>
        </form>
      </details>`
    }
  </div>`;
}

/** How a cell of the table looks; a column without an entry is plain text. */
const CELLS: Readonly<Record<string, { readonly heading?: string; readonly cell: Cell }>> = {
  name: {
    cell: (visit, row, name) =>
      html`<td class="at-a clip" title="${name}">
        <a href="/documents/${row.postingId}">${name}</a> <small>${visit.text.kinds[row.kind]}</small>
      </td>`,
  },
  with: {
    cell: (_visit, row, name) =>
      html`<td class="at-c ellipsis middling">${row.counterpartyName === '' ? kennitala(name) : name}</td>`,
  },
  tenant: { cell: (visit, _row, name) => html`<td class="at-d clip">${titleOf(visit, name)}</td>` },
  amount: {
    heading: 'num',
    cell: (_visit, row, value) => html`<td class="num at-b">${amount(value, row.currency)}</td>`,
  },
  issueDate: { cell: (_visit, _row, value) => html`<td class="at-d nowrap">${day(value)}</td>` },
  discoveredAt: {
    heading: 'late',
    cell: (visit, _row, value) => html`<td class="at-hide nowrap late">${ago(visit, value)}</td>`,
  },
  state: { cell: (visit, row) => html`<td class="at-d">${stateChip(visit, row)}</td>` },
  why: {
    cell: (_visit, { reason }, sentence) =>
      html`<td class="at-c ellipsis wide" title="${sentence}">
        ${reason !== null && html`${sentence} <span class="code-name">${reason.subject}</span>`}
      </td>`,
  },
};
type Cell = (visit: Visit, row: DocumentRow, value: string) => Html;

function shownColumns(visit: Visit) {
  return DOCUMENTS.page.filter((name) => name !== 'tenant' || visit.tenant === null);
}

function documentTable(visit: Visit, filters: DocumentFilters, { items, next, order }: DocumentPage): Html {
  const { actions, documents, frame } = visit.text;
  const operator = mayDo(visit.user, 'operator');
  const columns = shownColumns(visit);
  return html`<form method="post" action="/replay">
    ${csrfField(visit)}
    <table class="rows">
      <thead>
        <tr>
          ${
            operator &&
            html`<th><input type="checkbox" data-choose-all aria-label="${documents.selectAll}" /></th>`
          }
          ${columns.map((name) => {
            const { sorts }: Column<DocumentRow> = DOCUMENTS.columns[name];
            const heading = documents.columns[name];
            return sorts === undefined
              ? html`<th>${heading}</th>`
              : sortHeading(visit, filters, order, { by: sorts, heading, look: CELLS[name]?.heading ?? '' });
          })}
        </tr>
      </thead>
      <tbody>
        ${items.map((row) => documentLine(visit, row, operator))}
      </tbody>
    </table>
    <div class="chosen" id="chosen" hidden>
      <span><strong data-count>0</strong> ${documents.chosen}</span>
      <button class="primary" type="submit" data-key-r>${documents.replayChosen}</button>
      ${CHOSEN_ACTS.map(
        (act) =>
          html`<button type="submit" formaction="/documents/chosen/${act}">${actions[act].name}</button>`,
      )}
    </div>
    <div class="pager">
      <a href="${address(visit, filters, {}, '/documents/csv')}" download>${documents.csv}</a>
      ${filters.after !== '' && html`<a href="${address(visit, filters, {})}">${frame.first}</a>`}
      ${next !== null && html`<a href="${address(visit, filters, { after: next })}">${frame.next} →</a>`}
      ${
        operator &&
        filters.cause !== '' &&
        html`<a href="${link(visit, '/replay', { search: queryOfAddress(visit, filters) })}"
          >${documents.replayAll}</a
        >`
      }
    </div>
  </form>`;
}

function sortHeading(
  visit: Visit,
  filters: DocumentFilters,
  order: string,
  { by, heading, look }: { readonly by: string; readonly heading: string; readonly look: string },
): Html {
  const isUp = order === `${by}-up`;
  const isBy = isUp || order === by;
  // The first click brings the newest or largest to the top, the second the oldest or smallest.
  const next = order === by && by !== 'found' ? `${by}-up` : by;
  return html`<th class="${look}" aria-sort="${isUp ? 'ascending' : isBy ? 'descending' : 'none'}">
    <a href="${address(visit, filters, { order: next })}">${heading}${isBy && (isUp ? ' ↑' : ' ↓')}</a>
  </th>`;
}

function documentLine(visit: Visit, row: DocumentRow, operator: boolean): Html {
  const { documents } = visit.text;
  const { name } = DOCUMENTS.columns;
  return html`<tr data-href="/documents/${row.postingId}">
    ${
      operator &&
      html`<td class="at-select">
        <input
          type="checkbox"
          name="id"
          value="${row.postingId}"
          aria-label="${documents.select} ${name.value(row)}"
        />
      </td>`
    }
    ${shownColumns(visit).map((column) => {
      const value = DOCUMENTS.columns[column].value(row);
      return CELLS[column]?.cell(visit, row, value) ?? html`<td class="at-d">${value}</td>`;
    })}
  </tr>`;
}
