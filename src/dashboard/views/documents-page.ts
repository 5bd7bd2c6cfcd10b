// All documents: search, filters in the address, pages by key, and replay of what was chosen.
import type { DocumentPage, DocumentRow } from '../../operations/views/document.js';
import type { SavedView } from '../../operations/users/user-records.js';
import { html, type Html } from '../html.js';
import { day, kennitala } from '../language/format.js';
import { mayDo, type Visit } from '../visit.js';
import { ago, amount, csrfField, empty, link, note, stateChip, titleOf } from './parts.js';

export const GROUPS = {
  all: null,
  'needs-you': ['parked', 'held', 'orphaned', 'rejected'],
  waiting: ['deferred', 'held', 'discovered', 'mapped', 'posting', 'posted', 'writing_back'],
  working: ['posting', 'posted', 'writing_back'],
  posted: ['posted', 'writing_back', 'acknowledged'],
  skipped: ['skipped', 'reversed'],
  refused: ['rejected'],
} as const satisfies Record<string, readonly DocumentRow['state'][] | null>;
export type Group = keyof typeof GROUPS;
/** What is held counts where the overview counts it: as waiting, or as something for a person. */
export const TO_MEND: Partial<Readonly<Record<Group, 'with' | 'without'>>> = {
  'needs-you': 'with',
  waiting: 'without',
};

/** What can be done with many at once, beside replaying them. */
export const CHOSEN_ACTS = ['hold', 'release', 'skip'] as const;
export type ChosenAct = (typeof CHOSEN_ACTS)[number];

/** What stands in the address. */
export interface DocumentFilters {
  readonly text: string;
  readonly group: Group;
  readonly kind: string;
  readonly cause: string;
  readonly from: string;
  readonly to: string;
  readonly amountMin: string;
  readonly amountMax: string;
  readonly currency: string;
  readonly order: string;
  readonly after: string;
}

function address(
  visit: Visit,
  filters: DocumentFilters,
  changed: Partial<DocumentFilters>,
  path = '/documents',
): string {
  const chosen = { ...filters, after: '', ...changed };
  return link(visit, path, { ...chosen, group: chosen.group === 'all' ? '' : chosen.group });
}

function queryOfAddress(visit: Visit, filters: DocumentFilters): string {
  return address(visit, filters, {}).split('?')[1] ?? '';
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
  const names = Object.keys(GROUPS) as Group[];
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
  const { documents, frame, kinds } = visit.text;
  const option = (value: string, name: string) =>
    html`<option value="${value}" ${value === filters.kind && html`selected`}>${name}</option>`;
  const amountField = (name: 'amountMin' | 'amountMax') =>
    html`<label
      >${documents[name]}<input
        name="${name}"
        value="${filters[name]}"
        inputmode="decimal"
        size="10"
        maxlength="24"
    /></label>`;
  return html`<form class="filters" method="get" action="/documents">
    ${visit.tenant !== null && html`<input type="hidden" name="tenant" value="${visit.tenant}" />`}
    ${filters.group !== 'all' && html`<input type="hidden" name="group" value="${filters.group}" />`}
    ${filters.text !== '' && html`<input type="hidden" name="text" value="${filters.text}" />`}
    ${filters.order !== '' && html`<input type="hidden" name="order" value="${filters.order}" />`}
    <label class="whole"
      >${documents.kind}<select name="kind" data-submit>
        ${option('', frame.all)} ${option('invoice', kinds.invoice)} ${option('cost', kinds.cost)}
        ${option('payment', kinds.payment)} ${option('release', kinds.release)}
        ${option('summary', kinds.summary)}
      </select></label
    >
    <label>${documents.from}<input type="date" name="from" value="${filters.from}" /></label>
    <label>${documents.to}<input type="date" name="to" value="${filters.to}" /></label>
    ${amountField('amountMin')} ${amountField('amountMax')}
    <label
      >${documents.currency}<input
        name="currency"
        value="${filters.currency}"
        placeholder="ISK"
        pattern="[A-Za-z]{3}"
        maxlength="3"
        size="4"
    /></label>
    ${
      filters.cause !== '' &&
      html`<label
        >${documents.causeFilter}<input name="cause" value="${filters.cause}" maxlength="400"
      /></label>`
    }
    <button type="submit">${frame.filter}</button>
    <a class="button" href="${link(visit, '/documents')}">${frame.clear}</a>
  </form>`;
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

const SORTED_LOOKS = { found: 'late', issued: '', amount: 'num' } as const;

function documentTable(visit: Visit, filters: DocumentFilters, { items, next, order }: DocumentPage): Html {
  const { documents, frame } = visit.text;
  const operator = mayDo(visit.user, 'operator');
  const sorted = (by: 'found' | 'issued' | 'amount', name: string) => {
    const isUp = order === `${by}-up`;
    const isBy = isUp || order === by;
    // The first click brings the newest or largest to the top, the second the oldest or smallest.
    const next = order === by && by !== 'found' ? `${by}-up` : by;
    return html`<th
      class="${SORTED_LOOKS[by]}"
      aria-sort="${isUp ? 'ascending' : isBy ? 'descending' : 'none'}"
    >
      <a href="${address(visit, filters, { order: next })}">${name}${isBy && (isUp ? ' ↑' : ' ↓')}</a>
    </th>`;
  };
  return html`<form method="post" action="/replay">
    ${csrfField(visit)}
    <table class="rows">
      <thead>
        <tr>
          ${
            operator &&
            html`<th><input type="checkbox" data-choose-all aria-label="${documents.selectAll}" /></th>`
          }
          <th>${documents.number}</th>
          <th>${documents.counterparty}</th>
          ${visit.tenant === null && html`<th>${documents.tenant}</th>`} ${sorted('amount', documents.amount)}
          ${sorted('issued', documents.issued)} ${sorted('found', documents.found)}
          <th>${documents.state}</th>
          <th>${documents.reason}</th>
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
          html`<button type="submit" formaction="/documents/chosen/${act}">
            ${documents[`${act}Chosen`]}
          </button>`,
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

function documentLine(visit: Visit, row: DocumentRow, operator: boolean): Html {
  const { documents, kinds } = visit.text;
  const href = `/documents/${row.postingId}`;
  const name = row.number === '' ? (row.documentNo ?? row.guid.slice(0, 8)) : row.number;
  const why = row.reason?.sentence ?? '';
  return html`<tr data-href="${href}">
    ${
      operator &&
      html`<td class="at-select">
        <input type="checkbox" name="id" value="${row.postingId}" aria-label="${documents.select} ${name}" />
      </td>`
    }
    <td class="at-a clip" title="${name}"><a href="${href}">${name}</a> <small>${kinds[row.kind]}</small></td>
    <td class="at-c ellipsis middling">
      ${row.counterpartyName === '' ? kennitala(row.counterpartyKennitala) : row.counterpartyName}
    </td>
    ${visit.tenant === null && html`<td class="at-d clip">${titleOf(visit, row.tenantName)}</td>`}
    <td class="num at-b">${amount(row.amount, row.currency)}</td>
    <td class="at-d nowrap">${day(row.issueDate)}</td>
    <td class="at-hide nowrap late">${ago(visit, row.discoveredAt)}</td>
    <td class="at-d">${stateChip(visit, row)}</td>
    <td class="at-c ellipsis wide" title="${why}">
      ${row.reason !== null && html`${why} <span class="code-name">${row.reason.subject}</span>`}
    </td>
  </tr>`;
}
