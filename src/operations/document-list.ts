// The list of documents, declared once: `ledgerbridge documents`, GET /documents, the page of the dashboard and its CSV file are made from
// its filters and columns, and the store makes the conditions of the search from them.
import { POSTING_STATES, type PostingState } from '../domain/posting.js';
import { BOOKED_KINDS } from '../domain/source-document.js';
import { amount, choice, choices, currency, day, text, whole } from './fields.js';
import type { List } from './list.js';
import { DOCUMENT_ORDERS, PAGE_MAX } from './page-size.js';
import type { DocumentRow } from './views/document.js';

export const DOCUMENTS = {
  filters: {
    text: text(100, {
      help: 'beginning of a guid, of a number at the source or in the ledger, or of a name; or a kennitala, an amount, a key, an entry number',
      cli: '[text]',
    }),
    tenant: text(40, { help: 'only this tenant', cli: '-t, --tenant <name>' }),
    states: choices(POSTING_STATES, {
      help: 'only these states, joined by commas',
      cli: '-s, --state <states>',
      on: ['state', 'one of'],
    }),
    kind: choice(BOOKED_KINDS, {
      help: BOOKED_KINDS.join(', '),
      cli: '-k, --kind <kind>',
      page: true,
      on: ['kind', '='],
    }),
    reason: text(60, { help: 'only those that rest for this reason', cli: '-w, --why <code>' }),
    subject: text(300, { help: 'what the reason is about; only with the reason', cli: '--subject <text>' }),
    toMend: choice(['with', 'without'], {
      help: 'of what is held: only what a person has to fix, or all but that',
    }),
    sourceStatus: text(20, { help: 'only this status at the source', on: ['sourceStatus', '='] }),
    issuedFrom: day({
      help: 'issued on this day or later',
      cli: '--from <day>',
      page: 'from',
      on: ['issueDate', '>='],
    }),
    issuedTo: day({
      help: 'issued on this day or earlier',
      cli: '--to <day>',
      page: 'to',
      on: ['issueDate', '<='],
    }),
    amountMin: amount({
      help: 'of this amount or more',
      cli: '--amount-min <amount>',
      page: true,
      on: ['amount', '>='],
    }),
    amountMax: amount({
      help: 'of this amount or less',
      cli: '--amount-max <amount>',
      page: true,
      on: ['amount', '<='],
    }),
    currency: currency({
      help: 'only those in this currency, such as EUR',
      cli: '-c, --currency <code>',
      page: true,
    }),
  },
  paging: {
    order: choice(DOCUMENT_ORDERS, {
      help: `${DOCUMENT_ORDERS.join(', ')}; -up: the other way round`,
      cli: '--sort <order>',
    }),
    limit: whole(1, PAGE_MAX, { help: 'rows on a page', cli: '-n, --limit <number>' }),
    after: text(100, { help: 'the next page, as the page before says', cli: '--after <place>' }),
  },
  columns: {
    tenant: { heading: 'TENANT', value: (row) => row.tenantName },
    kind: { heading: 'KIND', value: (row) => row.kind },
    /** The source may number nothing. */
    name: {
      heading: 'NUMBER',
      derived: true,
      value: (row) => row.number || (row.documentNo ?? row.guid.slice(0, 8)),
    },
    number: { value: (row) => row.number },
    documentNo: { value: (row) => row.documentNo ?? '' },
    with: {
      heading: 'WITH',
      derived: true,
      value: (row) => row.counterpartyName || row.counterpartyKennitala,
    },
    counterparty: { value: (row) => row.counterpartyName },
    kennitala: { value: (row) => row.counterpartyKennitala },
    amount: { heading: 'AMOUNT', isMoney: true, value: (row) => row.amount, sorts: 'amount' },
    currency: { value: (row) => row.currency },
    issueDate: { heading: 'ISSUED', value: (row) => row.issueDate, sorts: 'issued' },
    state: { heading: 'STATE', value: (row) => row.state },
    reason: { value: (row) => row.reason?.code ?? '' },
    subject: { value: (row) => row.reason?.subject ?? '' },
    why: { heading: 'WHY', derived: true, value: (row) => row.reason?.sentence ?? '' },
    entry: { heading: 'ENTRY', value: (row) => row.erpNumber ?? '' },
    discoveredAt: { value: (row) => row.discoveredAt, sorts: 'found' },
    postedAt: { value: (row) => row.postedAt ?? '' },
    guid: { heading: 'GUID', value: (row) => row.guid },
    id: { value: (row) => row.postingId },
  },
  cli: ['tenant', 'kind', 'name', 'issueDate', 'with', 'amount', 'state', 'entry', 'why', 'guid'],
  page: ['name', 'with', 'tenant', 'amount', 'issueDate', 'discoveredAt', 'state', 'why'],
} as const satisfies List<DocumentRow>;

interface Group {
  readonly states?: readonly PostingState[];
  /** What is held counts where the overview counts it: as waiting, or as something for a person. */
  readonly toMend?: 'with' | 'without';
}

/** The tabs above the page. */
export const DOCUMENT_GROUPS = {
  all: {},
  'needs-you': { states: ['parked', 'held', 'orphaned', 'rejected'], toMend: 'with' },
  waiting: {
    states: ['deferred', 'held', 'discovered', 'mapped', 'posting', 'posted', 'writing_back'],
    toMend: 'without',
  },
  working: { states: ['posting', 'posted', 'writing_back'] },
  posted: { states: ['posted', 'writing_back', 'acknowledged'] },
  skipped: { states: ['skipped', 'reversed'] },
  refused: { states: ['rejected'] },
} as const satisfies Readonly<Record<string, Group>>;
export type DocumentGroup = keyof typeof DOCUMENT_GROUPS;

/** CODE, or CODE:subject, as problems are named. */
export function causeFilters(cause: string): { readonly reason?: string; readonly subject?: string } {
  const colon = cause.indexOf(':');
  const [reason, subject] = colon === -1 ? [cause, ''] : [cause.slice(0, colon), cause.slice(colon + 1)];
  return { ...(reason !== '' && { reason }), ...(subject !== '' && { subject }) };
}
