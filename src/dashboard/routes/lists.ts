// The lists: problems, what is missing, documents.
import type { FastifyInstance } from 'fastify';
import type { Rooms } from '../rooms.js';
import type { DocumentQuery } from '../../operations/document-query.js';
import { type DocumentFilters, documentsContent, type Group, GROUPS } from '../views/documents-page.js';
import { problemsContent } from '../views/problems-page.js';
import { field, sendPage } from './answer.js';

const VIEWER = { config: { access: 'viewer' } } as const;

export function addLists(app: FastifyInstance, rooms: Rooms): void {
  app.get('/problems', VIEWER, async (request, reply) => {
    const { visit } = request;
    const content = problemsContent(
      visit,
      await request.within.operations.problems(visit.tenant ?? undefined),
    );
    const { title } = visit.text.problems;
    return sendPage(request, reply, rooms, { title, here: 'problems', content, watches: true });
  });

  app.get('/documents', VIEWER, async (request, reply) => {
    const { visit } = request;
    const filters = filtersOf(request.query);
    const found = await request.within.operations.documents(queryOf(filters, visit.tenant));
    const content = documentsContent(visit, filters, found);
    const { title } = visit.text.documents;
    return sendPage(request, reply, rooms, { title, here: 'documents', content, watches: true });
  });
}

export function filtersOf(query: unknown): DocumentFilters {
  const group = field(query, 'group');
  return {
    text: field(query, 'text', 100).trim(),
    group: group in GROUPS ? (group as Group) : 'all',
    kind: field(query, 'kind', 10),
    cause: field(query, 'cause', 400),
    from: field(query, 'from', 10),
    to: field(query, 'to', 10),
    amountMin: field(query, 'amountMin', 24).trim(),
    amountMax: field(query, 'amountMax', 24).trim(),
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

export function queryOf(filters: DocumentFilters, tenant: string | null): DocumentQuery {
  const { text, group, kind, cause, from, to, order, after } = filters;
  const [amountMin, amountMax] = [plainAmount(filters.amountMin), plainAmount(filters.amountMax)];
  const states = GROUPS[group];
  const colon = cause.indexOf(':');
  const [reason, subject] = colon === -1 ? [cause, ''] : [cause.slice(0, colon), cause.slice(colon + 1)];
  return {
    ...(text === '' ? {} : { text }),
    ...(tenant === null ? {} : { tenant }),
    ...(states === null ? {} : { states: [...states] }),
    ...(kind === 'invoice' || kind === 'cost' || kind === 'payment' ? { kind } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(subject === '' ? {} : { subject }),
    ...(from === '' ? {} : { issuedFrom: from }),
    ...(to === '' ? {} : { issuedTo: to }),
    ...(amountMin === '' ? {} : { amountMin }),
    ...(amountMax === '' ? {} : { amountMax }),
    ...(order === 'found' || order === 'issued' ? { order } : {}),
    ...(after === '' ? {} : { after }),
  };
}
