// What can be done with a tenant as a whole, and with incidents.
import * as z from 'zod';
import { EXPORT_FORMATS, EXPORT_SUBJECTS } from '../../operations/export.js';
import * as acts from '../../operations/views/act.js';
import { isoDate, sourceKind, uuid } from '../../operations/views/common.js';
import { incident } from '../../operations/views/incident.js';
import { type Route, route, textRoute } from '../route.js';
import { act, byTenant, done, listed, number, tenantName, why } from './fields.js';
import { vatPdf } from '../../operations/vat/pdf.js';
import { vatPeriod } from '../../operations/vat/period.js';
import type { VatRequest } from '../../operations/vat/report.js';
import { vatCsv } from '../../operations/vat/write.js';
import { vatReport, type VatReport } from '../../operations/views/vat.js';

const EXPORT_TYPES = { csv: 'text/csv', json: 'application/x-ndjson', hledger: 'text/plain' } as const;
const FILE_ENDINGS = { csv: 'csv', json: 'ndjson', hledger: 'journal' } as const;

const vatQuery = z.strictObject({
  period: z.string().max(40).describe('2026-09..10, 2026-09, 2026 or 2026-09-01..2026-10-31.'),
  code: z.string().max(60).optional().describe('With the documents behind this VAT code.'),
});
const VAT_TYPES = { csv: 'text/csv', pdf: 'application/pdf' } as const;

function vatRequest(tenant: string, { period, code }: z.output<typeof vatQuery>): VatRequest {
  return { tenant, ...vatPeriod(period), code };
}

async function* vatFile(
  format: keyof typeof VAT_TYPES,
  read: () => Promise<VatReport>,
): AsyncGenerator<string | Uint8Array> {
  const report = await read();
  yield format === 'csv' ? vatCsv(report) : await vatPdf(report);
}

export const ON_TENANTS: readonly Route[] = [
  ...(['pause', 'resume'] as const).map((name) =>
    route('post', `/tenants/{tenant}/${name}`, {
      summary: name === 'pause' ? 'Stop posting; what is under way is finished' : 'Let a paused tenant go on',
      tag: 'Tenants',
      params: byTenant,
      body: act,
      response: done,
      handle: async ({ operations, params, body, act: by }) => ({
        changed: await operations[name](params.tenant, by(body)),
      }),
    }),
  ),
  route('post', '/tenants/{tenant}/sweep', {
    summary: 'Look for documents now',
    tag: 'Tenants',
    params: byTenant,
    body: z.strictObject({ ...why, full: z.boolean().optional() }),
    status: 202,
    response: done,
    handle: async ({ operations, params, body, act: by }) => {
      await operations.sweep(params.tenant, by(body), { full: body.full });
      return { changed: true };
    },
  }),
  route('get', '/tenants/{tenant}/cursors', {
    summary: 'From which day the fast path looks',
    tag: 'Tenants',
    params: byTenant,
    response: listed(acts.cursorView),
    handle: ({ operations, params }) => operations.cursors(params.tenant),
  }),
  route('post', '/tenants/{tenant}/cursors', {
    summary: 'Set from which day the fast path looks',
    tag: 'Tenants',
    role: 'admin',
    params: byTenant,
    body: z.strictObject({ ...why, kind: sourceKind, fromDate: isoDate }),
    response: listed(acts.cursorView),
    handle: async ({ operations, params, body, act: by }) => {
      await operations.setCursor(params.tenant, body.kind, body.fromDate, by(body));
      return operations.cursors(params.tenant);
    },
  }),
  route('get', '/tenants/{tenant}/plan', {
    summary: 'The journals that would be posted now; nothing is written',
    tag: 'Tenants',
    params: byTenant,
    query: z.strictObject({ limit: number(1, 10_000).default(500), journals: number(0, 1000).default(50) }),
    response: acts.plan,
    exports: 'journals',
    handle: ({ operations, params, query }) => operations.plan(params.tenant, query),
  }),
  route('post', '/tenants/{tenant}/plan/confirm', {
    summary: 'Confirm the plan: from then on the tenant posts',
    tag: 'Tenants',
    role: 'admin',
    params: byTenant,
    body: z.strictObject({
      ...why,
      unchecked: z
        .boolean()
        .optional()
        .describe('Confirm it although the ERP could not be asked; without it that is PLAN_UNCHECKED.'),
      otherCompany: z
        .boolean()
        .optional()
        .describe(
          'Confirm it although the books are another company’s; without it that is PLAN_OTHER_COMPANY.',
        ),
      despiteErrors: z
        .boolean()
        .optional()
        .describe('Confirm it although the plan has other errors; without it that is PLAN_HAS_ERRORS.'),
    }),
    response: done,
    handle: async ({ operations, params, body, act: by }) => ({
      changed: await operations.confirmPlan(params.tenant, by(body), body),
    }),
  }),
  route('post', '/tenants/{tenant}/reconcile', {
    summary: 'Compare the source, the records and the ERP for a period; only reads',
    tag: 'Tenants',
    params: byTenant,
    body: z.strictObject({ from: isoDate, to: isoDate }),
    response: acts.reconciliation,
    handle: async ({ operations, params, body }) => {
      const { counts, differences, ...report } = await operations.reconcile(params.tenant, body);
      return { ...report, counts: [...counts], differences: [...differences] };
    },
  }),
  textRoute('/tenants/{tenant}/export', {
    summary: 'What was posted in a period, line by line; cells that look like formulas are made text',
    tag: 'Tenants',
    params: byTenant,
    query: z.strictObject({
      from: isoDate.describe('First posting date.'),
      to: isoDate.describe('Last posting date.'),
      what: z.enum(EXPORT_SUBJECTS).default('journals'),
      format: z
        .enum(EXPORT_FORMATS)
        .default('csv')
        .describe('json: one object a line. hledger: journals only.'),
    }),
    exports: 'journals',
    textTypes: Object.values(EXPORT_TYPES),
    handle: ({ operations, params, query: { from, to, what, format } }) => {
      const { tenant } = params;
      const lines = operations.export({ tenant, from, to, subject: what, format });
      const fileName = `${tenant}-${what}-${from}-${to}.${FILE_ENDINGS[format]}`;
      return { type: EXPORT_TYPES[format], fileName, lines };
    },
  }),
  route('post', '/notifications/test', {
    summary: 'Send a test message to the channels of a tenant, or to those that hear of all',
    tag: 'Problems',
    body: z.strictObject({ ...act.partial().shape, tenant: tenantName.optional() }),
    response: listed(acts.channelTrial),
    handle: async ({ operations, body }) => [...(await operations.testNotifications(body.tenant ?? null))],
  }),
  route('get', '/tenants/{tenant}/vat', {
    summary: 'The VAT return of a period as the books have it, and what is not in them yet',
    tag: 'Tenants',
    params: byTenant,
    query: vatQuery,
    response: vatReport,
    exports: 'vat',
    handle: ({ operations, params, query }) => operations.vatReport(vatRequest(params.tenant, query)),
  }),
  textRoute('/tenants/{tenant}/vat/{format}', {
    summary: 'The same as a file: csv or pdf',
    tag: 'Tenants',
    params: byTenant.extend({ format: z.enum(['csv', 'pdf']) }),
    query: vatQuery,
    exports: 'vat',
    textTypes: Object.values(VAT_TYPES),
    handle: ({ operations, params: { tenant, format }, query }) => ({
      type: VAT_TYPES[format],
      fileName: `${tenant}-vat-${query.period}.${format}`,
      lines: vatFile(format, () => operations.vatReport(vatRequest(tenant, query))),
    }),
  }),
  ...(['acknowledge', 'resolve'] as const).map((name) =>
    route('post', `/incidents/{id}/${name}`, {
      summary: name === 'resolve' ? 'Say that it is settled' : 'Say that somebody looks after it',
      tag: 'Problems',
      params: z.object({ id: uuid }),
      body: act,
      response: incident,
      handle: ({ operations, params, body, act: by }) =>
        name === 'resolve'
          ? operations.resolveIncident(params.id, by(body))
          : operations.acknowledgeIncident(params.id, by(body)),
    }),
  ),
];
