// Outbound: what goes into the invoicing service.
import * as z from 'zod';
import { queryShape } from '../../operations/field-schemas.js';
import type { InputOf } from '../../operations/fields.js';
import { SUBMISSIONS } from '../../operations/lists.js';
import * as views from '../../operations/views/outgoing.js';
import { type Route, route } from '../route.js';
import { act, byTenant, done, limit, listed, ofTenant, why } from './fields.js';

const tag = 'Outbound';
const bySubmission = z.object({
  id: z.string().max(100).describe('Our id, or its reference, mark, guid or number.'),
});

const STEERING = {
  confirm: { summary: 'The plan was looked at: from now on it is sent', act: 'confirmOutgoing' },
  pause: {
    summary: 'Send nothing more into the service; what is under way is finished',
    act: 'pauseOutgoing',
  },
  resume: { summary: 'Resume outbound of a tenant', act: 'resumeOutgoing' },
} as const;

export const OUTGOING: readonly Route[] = [
  route('get', '/outgoing', {
    summary: 'The outbound state of each tenant',
    tag,
    query: ofTenant,
    response: listed(views.outgoingStatus),
    handle: ({ operations, query }) => operations.outgoing(query.tenant),
  }),
  route('get', '/outgoing/problems', {
    summary: 'Records of origins that cannot be read, with file and line',
    tag,
    query: ofTenant,
    response: listed(views.originProblem),
    handle: ({ operations, query }) => operations.outgoingProblems(query.tenant),
  }),
  route('get', '/tenants/{tenant}/outgoing/plan', {
    summary: 'What would be sent into the service now; nothing is sent and nobody is asked',
    tag,
    params: byTenant,
    response: views.outgoingPlan,
    handle: ({ operations, params }) => operations.outgoingPlan(params.tenant),
  }),
  ...(['confirm', 'pause', 'resume'] as const).map((name) =>
    route('post', `/tenants/{tenant}/outgoing/${name}`, {
      summary: STEERING[name].summary,
      tag,
      params: byTenant,
      body: act,
      response: done,
      handle: async ({ operations, params, body, act: by }) => ({
        changed: await operations[STEERING[name].act](params.tenant, by(body)),
      }),
    }),
  ),
  route('get', '/submissions', {
    summary: 'What goes into the service, the latest change first',
    tag,
    query: z.strictObject({ ...queryShape(SUBMISSIONS), limit }),
    response: listed(views.submissionRow),
    exports: 'submissions',
    handle: ({ operations, query }) => {
      const { state, ...rest } = query as InputOf<typeof SUBMISSIONS>;
      return operations.submissions({ ...rest, ...(state && { states: [state] }) });
    },
  }),
  route('get', '/submissions/{id}', {
    summary: 'One of them, with everything that was sent',
    tag,
    params: bySubmission,
    response: views.submissionStory,
    handle: ({ operations, params }) => operations.submission(params.id),
  }),
  route('post', '/submissions/{id}/replay', {
    summary: 'Take one up again; what may have been sent is searched for first',
    tag,
    params: bySubmission,
    body: z.strictObject({
      ...why,
      surelyAbsent: z.boolean().optional(),
      sends: z
        .int()
        .min(0)
        .optional()
        .describe(
          'With surelyAbsent: `sends` as it was when somebody looked; refused if it is another by now.',
        ),
    }),
    response: views.submissionRow,
    handle: ({ operations, params, body, act: by }) =>
      operations.replaySubmission(params.id, by(body), {
        ...{ surelyAbsent: body.surelyAbsent, sends: body.sends },
      }),
  }),
  route('post', '/submissions/{id}/skip', {
    summary: 'It is not sent; its origin is told',
    tag,
    params: bySubmission,
    body: act,
    response: views.submissionRow,
    handle: ({ operations, params, body, act: by }) => operations.skipSubmission(params.id, by(body)),
  }),
  route('post', '/submissions/{id}/withdraw', {
    summary: 'A cost, draft or order is deleted again at the service, where its rules allow that',
    tag,
    params: bySubmission,
    body: act,
    response: views.submissionRow,
    handle: ({ operations, params, body, act: by }) => operations.withdrawSubmission(params.id, by(body)),
  }),
  route('post', '/submissions/{id}/use', {
    summary: 'Say which customer or item at the service is meant, where several have the kennitala or number',
    tag,
    params: bySubmission,
    body: z.strictObject({ ...why, guid: z.string().max(64) }),
    response: views.submissionRow,
    handle: ({ operations, params, body, act: by }) =>
      operations.chooseCustomer(params.id, body.guid, by(body)),
  }),
  route('post', '/submissions/{id}/settle', {
    summary: 'Say which side holds, field by field, where the origin and the service have both changed',
    tag,
    params: bySubmission,
    body: z.strictObject({
      ...why,
      fields: z
        .array(
          z.strictObject({
            field: z.string().max(60),
            take: z.enum(['origin', 'service']),
            origin: z
              .string()
              .max(4_000)
              .describe('As it was shown: a decision holds for these values only.'),
            service: z.string().max(4_000),
          }),
        )
        .min(1)
        .max(50),
    }),
    response: views.submissionRow,
    handle: ({ operations, params, body, act: by }) =>
      operations.settleFields(
        params.id,
        Object.fromEntries(body.fields.map(({ field, ...decision }) => [field, decision])),
        by(body),
      ),
  }),
];
