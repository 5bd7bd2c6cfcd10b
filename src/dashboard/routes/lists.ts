// The lists: problems, what is missing, documents.
import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../route-context.js';
import { isBookedKind } from '../../domain/source-document.js';
import type { DocumentQuery } from '../../operations/document-query.js';
import { DOCUMENT_ORDERS, type DocumentOrder } from '../../operations/page-size.js';
import {
  type DocumentFilters,
  documentsContent,
  type Group,
  GROUPS,
  TO_MEND,
} from '../views/documents-page.js';
import { problemsContent } from '../views/problems-page.js';
import { field, sendPage } from './answer.js';

const VIEWER = { config: { access: 'viewer' } } as const;

export function addLists(app: FastifyInstance, context: RouteContext): void {
  addViews(app, context);
  app.get('/problems', VIEWER, async (request, reply) => {
    const { visit } = request;
    const content = problemsContent(
      visit,
      await request.within.operations.problems(visit.tenant ?? undefined),
    );
    const { title } = visit.text.problems;
    return sendPage(request, reply, context, { title, here: 'problems', content, watches: true });
  });

  app.get('/documents', VIEWER, async (request, reply) => {
    const { visit } = request;
    const filters = filtersOf(request.query);
    const [found, views] = await Promise.all([
      request.within.operations.documents(queryOf(filters, visit.tenant)),
      context.users.views(visit.user?.login ?? ''),
    ]);
    const content = documentsContent(visit, filters, found, views);
    const { title } = visit.text.documents;
    return sendPage(request, reply, context, { title, here: 'documents', content, watches: true });
  });
}

function addViews(app: FastifyInstance, { users }: RouteContext): void {
  app.post('/documents/views', VIEWER, async (request, reply) => {
    // Written by our own page; whatever else comes is read as filters again, and what is none is dropped.
    const query = new URLSearchParams(field(request.body, 'query', 1_500));
    query.delete('after');
    const view = query.toString();
    await users.keepView(request.visit.user?.login ?? '', field(request.body, 'name', 60), view);
    return reply.redirect(`/documents?${view}`, 303);
  });
  app.post<{ Params: { view: string } }>('/documents/views/:view/drop', VIEWER, async (request, reply) => {
    await users.dropView(request.visit.user?.login ?? '', request.params.view);
    return reply.redirect('/documents', 303);
  });
}

export function filtersOf(query: unknown): DocumentFilters {
  const group = field(query, 'group');
  return {
    text: field(query, 'text', 100).trim(),
    group: Object.hasOwn(GROUPS, group) ? (group as Group) : 'all',
    kind: field(query, 'kind', 10),
    cause: field(query, 'cause', 400),
    from: field(query, 'from', 10),
    to: field(query, 'to', 10),
    amountMin: field(query, 'amountMin', 24).trim(),
    amountMax: field(query, 'amountMax', 24).trim(),
    currency: field(query, 'currency', 3).trim().toUpperCase(),
    order: field(query, 'order', 10),
    after: field(query, 'after', 100),
  };
}

/** 1.234.567,50 kr. → 1234567.50; a point before three digits groups, another one is a decimal point. */
function plainAmount(text: string): string {
  const digits = text.replaceAll(/kr\.?|\s/gi, '').replace('−', '-');
  if (digits.includes(',')) return digits.replaceAll('.', '').replace(',', '.');
  return /^-?\d{1,3}(\.\d{3})+$/.test(digits) ? digits.replaceAll('.', '') : digits;
}

function isOrder(text: string): text is DocumentOrder {
  return (DOCUMENT_ORDERS as readonly string[]).includes(text);
}

export function queryOf(filters: DocumentFilters, tenant: string | null): DocumentQuery {
  const { text, group, kind, cause, from, to, currency, order, after } = filters;
  const [amountMin, amountMax] = [plainAmount(filters.amountMin), plainAmount(filters.amountMax)];
  const states = GROUPS[group];
  const colon = cause.indexOf(':');
  const [reason, subject] = colon === -1 ? [cause, ''] : [cause.slice(0, colon), cause.slice(colon + 1)];
  return {
    ...(TO_MEND[group] && { toMend: TO_MEND[group] }),
    ...(text === '' ? {} : { text }),
    ...(tenant === null ? {} : { tenant }),
    ...(states === null ? {} : { states: [...states] }),
    ...(isBookedKind(kind) ? { kind } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(subject === '' ? {} : { subject }),
    ...(from === '' ? {} : { issuedFrom: from }),
    ...(to === '' ? {} : { issuedTo: to }),
    ...(amountMin === '' ? {} : { amountMin }),
    ...(amountMax === '' ? {} : { amountMax }),
    ...(isOrder(order) ? { order } : {}),
    ...(/^[A-Z]{3}$/.test(currency) ? { currency } : {}),
    ...(after === '' ? {} : { after }),
  };
}
