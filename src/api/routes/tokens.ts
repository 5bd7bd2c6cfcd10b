// The tokens of the API itself.
import * as z from 'zod';
import { ROLES } from '../../operations/token-records.js';
import * as acts from '../../operations/views/act.js';
import { uuid } from '../../operations/views/common.js';
import { type Route, route } from '../route.js';
import { act, done, listed, tenantName, why } from './fields.js';

export const TOKENS: readonly Route[] = [
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
