// What one person asked for and another has to agree to.
import * as z from 'zod';
import { approval } from '../../operations/views/approval.js';
import { uuid } from '../../operations/views/common.js';
import { type Route, route } from '../route.js';
import { act, listed, ofTenant } from './fields.js';

export const APPROVALS: readonly Route[] = [
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
