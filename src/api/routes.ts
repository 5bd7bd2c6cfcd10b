// Every route of the operator API: what it takes, what it answers, who may.
import * as z from 'zod';
import { type Route, route } from './route.js';
import { CERTIFICATES } from './routes/certificates.js';
import { ON_DOCUMENTS } from './routes/on-documents.js';
import { ON_TENANTS } from './routes/on-tenants.js';
import { OUTGOING } from './routes/outgoing.js';
import { READING } from './routes/reading.js';
import { approval } from '../operations/views/approval.js';
import { uuid } from '../operations/views/common.js';
import { act, listed, ofTenant, done, tenantName, why } from './routes/fields.js';
import { ROLES } from '../operations/token-records.js';
import * as acts from '../operations/views/act.js';
import { REPORTS } from '../operations/reports/report-rows.js';
import { serviceReport } from '../operations/views/report.js';

// Reports of the invoicing service: read there now, kept nowhere.

const day = z.iso.date().optional();

const SERVICE_REPORTS: readonly Route[] = [
  route('get', '/tenants/{tenant}/reports/{report}', {
    summary: 'Product sales, attendees of events, or sums of invoices, as the service has them now',
    tag: 'Reports',
    params: z.object({ tenant: tenantName, report: z.enum(REPORTS) }),
    query: z.strictObject({
      from: day.describe('For the summary: both days are needed.'),
      to: day,
      sale: z.string().max(64).optional().describe('Attendees of this sale alone; otherwise of every event.'),
      limit: z.coerce.number().int().min(1).max(10_000).optional(),
    }),
    response: serviceReport,
    exports: 'report',
    handle: ({ operations, params, query }) => operations.serviceReport({ ...params, ...query }),
  }),
];

// What one person asked for and another has to agree to.
const APPROVALS: readonly Route[] = [
  route('get', '/approvals', {
    summary: 'What waits for a second person',
    tag: 'Approvals',
    query: ofTenant,
    response: listed(approval),
    handle: ({ operations, query }) => operations.approvals(query.tenant),
  }),
  ...(['agree', 'withdraw'] as const).map((name) =>
    route('post', `/approvals/{id}/${name}`, {
      summary: name === 'agree' ? 'Agree, and do it exactly as it was asked for' : 'Take the question back',
      tag: 'Approvals',
      params: z.object({ id: uuid }),
      body: act,
      response: approval,
      handle: ({ operations, params, body, act: by }) => operations[name](params.id, by(body)),
    }),
  ),
];

// The tokens of the API itself.
const TOKENS: readonly Route[] = [
  route('get', '/tokens', {
    summary: 'The tokens, never their values',
    tag: 'Tokens',
    role: 'admin',
    everywhere: true,
    response: listed(acts.token),
    handle: ({ operations }) => operations.tokens(),
  }),
  route('post', '/tokens', {
    summary: 'Make a token; its value is in this answer and nowhere else',
    tag: 'Tokens',
    role: 'admin',
    everywhere: true,
    body: z.strictObject({
      ...why,
      name: z.string(),
      role: z.enum(ROLES),
      days: z.int().min(1).max(3650).optional(),
      companies: z
        .array(tenantName)
        .min(1)
        .max(1000)
        .optional()
        .describe('The only companies it is good for; all of them unless given.'),
    }),
    status: 201,
    response: z.object({
      token: acts.token,
      value: z
        .string()
        .nullable()
        .describe(
          'Shown once. null when the request is repeated under its Idempotency-Key: whoever lost it revokes the token and makes another.',
        ),
    }),
    remembered: ({ token }) => ({ token, value: null }),
    handle: ({ operations, body, act: by }) => operations.createToken(body, by(body)),
  }),
  route('post', '/tokens/{id}/revoke', {
    summary: 'End a token at once',
    tag: 'Tokens',
    role: 'admin',
    everywhere: true,
    params: z.object({ id: uuid }),
    body: act,
    response: done,
    handle: async ({ operations, params, body, act: by }) => {
      await operations.revokeToken(params.id, by(body));
      return { changed: true };
    },
  }),
];

export const ROUTES: readonly Route[] = [
  ...READING,
  ...ON_DOCUMENTS,
  ...ON_TENANTS,
  ...CERTIFICATES,
  ...OUTGOING,
  ...SERVICE_REPORTS,
  ...APPROVALS,
  ...TOKENS,
];
