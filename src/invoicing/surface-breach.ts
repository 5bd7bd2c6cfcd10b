// Which endpoint of a surface makes which kind, and what keeps a request from being sent there, by the API documents alone.
import { CodedError } from '../domain/errors/coded-error.js';
import type { IsoDate } from '../domain/source-document.js';
import type { SubmissionKind } from '../domain/submission.js';
import { AGENT_ENDPOINTS as agent } from './agent-endpoints.js';
import { checkCall } from './check-call.js';
import { CREDENTIAL_ENDPOINTS as credential } from './credential-endpoints.js';
import type { AnyEndpoint, Endpoint } from './endpoint.js';
import type { TargetRequest } from './invoicing-target.js';
import type { Surface } from './source-settings.js';

type Creating = Readonly<Partial<Record<SubmissionKind, AnyEndpoint>>>;

const CREATING: Readonly<Record<Surface, Creating>> = {
  credential: {
    invoice: credential['create-invoice'],
    draft: credential['create-draft-invoice'],
    order: credential['create-order-invoice'],
    customer: credential['create-customer'],
  },
  agent: {
    invoice: agent['create-invoice'],
    quote: agent['create-quote'],
    customer: agent['create-customer'],
  },
};
const UPDATING: Readonly<Record<Surface, AnyEndpoint>> = {
  credential: credential['update-customer'],
  agent: agent['update-customer'],
};

export function endpointOf(surface: Surface, { act, kind }: TargetRequest): AnyEndpoint | undefined {
  if (act === 'create') return CREATING[surface][kind];
  return kind === 'customer' ? UPDATING[surface] : undefined;
}

/** Document 2 calls the number of a customer `kennitala` and wants more of it than Document 1. */
export function paramsOf(
  surface: Surface,
  { act, kind, guid, body }: TargetRequest,
): Readonly<Record<string, unknown>> {
  const data = kind === 'customer' && surface === 'agent' ? agentCustomer(act, body) : body;
  return guid === undefined ? { data } : { guid, data };
}

const AGENT_DEFAULTS = { output_select: '3', lang: 'is', currency: 'ISK' } as const;

function agentCustomer(
  act: TargetRequest['act'],
  body: TargetRequest['body'],
): Readonly<Record<string, unknown>> {
  const { registration_no: kennitala, ...rest } = body;
  const named = kennitala === undefined ? rest : { kennitala, ...rest };
  return act === 'create' ? { ...AGENT_DEFAULTS, ...named } : named;
}

/** null: nothing. */
export function surfaceBreach(surface: Surface, request: TargetRequest, today: IsoDate): string | null {
  const endpoint = endpointOf(surface, request);
  if (endpoint === undefined) return `this connection has no way to create a ${request.kind}`;
  try {
    checkCall(endpoint as Endpoint, paramsOf(surface, request), today);
    return null;
  } catch (error) {
    if (error instanceof CodedError) return error.message;
    throw error;
  }
}
