// What can be seen.
import * as z from 'zod';
import { DOCUMENT_FIELDS, type DocumentQuery } from '../../operations/document-query.js';
import { queryShape } from '../../operations/field-schemas.js';
import type { InputOf } from '../../operations/fields.js';
import { AUDIT } from '../../operations/lists.js';
import { auditCheck, auditPage } from '../../operations/views/audit.js';
import { documentPage, story } from '../../operations/views/document.js';
import { incidentPage } from '../../operations/views/incident.js';
import { overview, schedule, throughput } from '../../operations/views/overview.js';
import { inboxRow, problem } from '../../operations/views/problem.js';
import { type Route, route } from '../route.js';
import { byId, flag, limit, listed, number, ofTenant, tenantName } from './fields.js';

const documentSearch = z.strictObject({ ...queryShape(DOCUMENT_FIELDS), limit });

export const READING: readonly Route[] = [
  route('get', '/overview', {
    summary: 'How every tenant is, the worst first',
    tag: 'Overview',
    response: overview,
    handle: ({ operations }) => operations.overview(),
  }),
  route('get', '/throughput', {
    summary: 'What came through, by the hour',
    tag: 'Overview',
    query: z.strictObject({ tenant: tenantName.optional(), hours: number(1, 336).default(24) }),
    response: throughput,
    handle: ({ operations, query }) => operations.throughput(query.tenant ?? null, query.hours),
  }),
  route('get', '/schedules', {
    summary: 'When each tenant is swept',
    tag: 'Overview',
    response: listed(schedule),
    handle: ({ operations }) => operations.schedules(),
  }),
  route('get', '/documents', {
    summary: 'Search documents, in pages by key',
    tag: 'Documents',
    query: documentSearch,
    response: documentPage,
    exports: 'documents',
    handle: ({ operations, query }) => operations.documents(query as DocumentQuery),
  }),
  route('get', '/documents/{id}', {
    summary: 'One document: its whole story, why it is where it is, what would move it',
    tag: 'Documents',
    params: byId,
    query: z.strictObject({ tenant: tenantName.optional(), askSource: flag.default(false) }),
    response: story,
    handle: ({ operations, params, query }) => operations.explain(params.id, query),
  }),
  route('get', '/problems', {
    summary: 'Why documents do not move, one row a cause',
    tag: 'Problems',
    query: ofTenant,
    response: listed(problem),
    handle: ({ operations, query }) => operations.problems(query.tenant),
  }),
  route('get', '/inbox', {
    summary: 'What the tenant files or the ERP lack, one row a missing thing',
    tag: 'Problems',
    query: ofTenant,
    response: listed(inboxRow),
    handle: ({ operations, query }) => operations.inbox(query.tenant),
  }),
  route('get', '/incidents', {
    summary: 'What a person should know',
    tag: 'Problems',
    query: z.strictObject({
      tenant: tenantName.optional(),
      all: flag.default(false),
      after: z.string().max(100).optional(),
      limit,
    }),
    response: incidentPage,
    handle: ({ operations, query: { all, ...rest } }) =>
      operations.incidents({
        ...rest,
        ...(all ? { states: ['open', 'acknowledged', 'resolved'] as const } : {}),
      }),
  }),
  route('get', '/audit', {
    summary: 'Who did what, and why, newest first',
    tag: 'Audit',
    query: z.strictObject({ ...queryShape(AUDIT), limit }),
    response: auditPage,
    exports: 'audit',
    handle: ({ operations, query }) => {
      const { tenant: chain, ...rest } = query as InputOf<typeof AUDIT>;
      return operations.audit({ chain, ...rest });
    },
  }),
  route('get', '/audit/check', {
    summary: 'Whether the hash chains of the audit are whole',
    tag: 'Audit',
    role: 'admin',
    everywhere: true,
    response: auditCheck,
    handle: ({ operations }) => operations.verifyAudit(),
  }),
];
