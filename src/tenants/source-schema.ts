// The `source:` part of a tenant file: which account of the invoicing service, and how to sign in. It has the shape of
// SourceSettings with references in place of secrets; a maintenance code exists only beside `environment: development`.
import { trimEndOf } from '../domain/text.js';
import * as z from 'zod';
import { secretReference } from '../domain/secret-reference.js';
import { AGENT_SCOPES, BRIDGE_SCOPES } from '../service/source-settings.js';
import { message } from '../language/messages.js';
import { schemaText } from '../language/schema-texts.js';
import { checkBaseUrl, checkHttpsUrl } from './check-url.js';
import { saidIssue } from './problem-words.js';

const baseUrl = z
  .string()
  .max(500)
  .superRefine(checkBaseUrl)
  .transform((url) => trimEndOf(url, '/'))
  .describe('Address of the invoicing service without /api/v1: https, or http on a loopback address.');

const credentials = z
  .strictObject({
    type: z.literal('credentials').describe('Sign in with username and api_key.'),
    username: z.string().min(1).max(200).describe('The account name at the invoicing service.'),
    apiKey: secretReference.describe('Where the api_key is kept: env:NAME or file:path.'),
    surface: z
      .enum(['credential', 'agent'])
      .optional()
      .describe('Which API to speak with these credentials; credential unless given.'),
    agentId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('client_id named in the audit log of the service; only with surface: agent.'),
  })
  .superRefine((auth, context) => {
    if (auth.agentId === undefined || auth.surface === 'agent') return;
    context.addIssue(saidIssue(message('AGENT_ID_ALONE'), message('ADD_SURFACE'), ['agentId']));
  });

const oauth = z.strictObject({
  type: z.literal('oauth').describe('Sign in with a grant that a user of the account consented to.'),
  clientId: z.string().min(1).max(200).describe('client_id as registered in the same environment.'),
  clientSecret: secretReference
    .optional()
    .describe('Where the client_secret is kept (confidential clients): env:NAME or file:path.'),
  redirectUri: z
    .string()
    .max(500)
    .superRefine(checkHttpsUrl)
    .describe('https address, exactly as registered with the client.'),
  scopes: z
    .array(z.enum(AGENT_SCOPES))
    .min(1)
    .default([...BRIDGE_SCOPES])
    .describe('Scopes to ask for; the bridge needs nav and cost and no more.'),
});

const auth = z
  .discriminatedUnion('type', [credentials, oauth])
  .describe('How to sign in: type credentials (username, apiKey) or type oauth (clientId, redirectUri).');

const registrationNo = z
  .string()
  .regex(/^\d{6}-?\d{4}$/, schemaText('NO_KENNITALA'))
  .transform((text) => text.replace('-', ''))
  .optional()
  .describe(
    'Kennitala of the account, in quotes: ten digits. Given, the bridge refuses to work on any other account.',
  );

const production = z.strictObject({
  environment: z.literal('production').describe('production or development.'),
  baseUrl,
  registrationNo,
  auth,
});

const development = z.strictObject({
  environment: z.literal('development').describe('production or development.'),
  baseUrl,
  registrationNo,
  auth,
  maintenanceCode: secretReference.describe(
    'Where the maintenance code of the development environment is kept: env:NAME or file:path.',
  ),
});

export const tenantSource = z
  .discriminatedUnion('environment', [production, development])
  .describe('The account at the invoicing service.');

export type TenantSource = z.output<typeof tenantSource>;
