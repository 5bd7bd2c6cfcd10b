// The lists: problems, what is missing, documents.
import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../route-context.js';
import type { PostingState } from '../../domain/posting.js';
import {
  causeFilters,
  DOCUMENT_GROUPS,
  type DocumentGroup,
  DOCUMENTS,
} from '../../operations/document-list.js';
import type { DocumentQuery } from '../../operations/document-query.js';
import { readText } from '../../operations/fields.js';
import { type DocumentFilters, documentsContent, PAGE_FILTERS } from '../views/documents-page.js';
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
  const { order, after } = DOCUMENTS.paging;
  const typed = PAGE_FILTERS.map((name) => {
    const { address, charactersMax } = DOCUMENTS.filters[name];
    return [name, field(query, address ?? name, charactersMax).trim()];
  });
  return {
    group: Object.hasOwn(DOCUMENT_GROUPS, group) ? (group as DocumentGroup) : 'all',
    cause: field(query, 'cause', 400),
    order: field(query, 'order', order.charactersMax),
    after: field(query, 'after', after.charactersMax),
    typed: Object.fromEntries(typed) as DocumentFilters['typed'],
  };
}

export function queryOf(filters: DocumentFilters, tenant: string | null): DocumentQuery {
  const { group, cause, order, after, typed } = filters;
  const { states, toMend }: { states?: readonly PostingState[]; toMend?: 'with' | 'without' } =
    DOCUMENT_GROUPS[group];
  const read = PAGE_FILTERS.map((name) => [name, readText(DOCUMENTS.filters[name], typed[name])]);
  return {
    ...(Object.fromEntries(read) as DocumentQuery),
    ...(states && { states: [...states] }),
    ...(toMend && { toMend }),
    ...(tenant !== null && { tenant }),
    ...causeFilters(cause),
    order: readText(DOCUMENTS.paging.order, order) as DocumentQuery['order'],
    after: after === '' ? undefined : after,
  };
}
