// A tenant whose invoicing service or ERP is down: nothing rests for a reason then, everything waits. Whoever asks what is
// held up, or why a document does not move, must hear of it.
import type { TenantName } from '../domain/ids.js';
import type { Message } from '../domain/message.js';
import { IN_BOOKS, type PostingState, UNDER_WAY } from '../domain/posting.js';
import { message } from '../language/messages.js';
import { type Language, say } from '../language/say.js';
import type { QueuesAway } from './deps.js';
import type { StoredDocumentRow, StoredTenant, TenantDown } from './records.js';
import type { Problem } from './views/problem.js';

type Breaker = StoredTenant['breakers'][number];

/** What waits while a side is down: the source is asked before a posting and after it, the ERP only for a posting. */
const WAITS_FOR: Readonly<Record<Breaker['side'], readonly PostingState[]>> = {
  source: UNDER_WAY,
  erp: UNDER_WAY.filter((state) => !(IN_BOOKS as readonly PostingState[]).includes(state)),
};

export function connectionProblems(
  tenants: readonly TenantDown[],
  only: string | undefined,
  language: Language,
): Problem[] {
  return tenants
    .filter(({ name }) => only === undefined || name === only)
    .flatMap((tenant) => brokenOf(tenant).map((breaker) => problemOf(tenant, breaker, language)));
}

/** Redis, where the queues live in it: documents of every tenant wait while it is away. */
export function queuesProblem({ since, reason }: QueuesAway, language: Language): Problem {
  const said = message('QUEUES_AWAY', { since });
  const cure = [message('START_REDIS'), message('LAST_ANSWER', { answer: reason })];
  return {
    ...{ id: said.code, code: said.code, subject: '', sentence: say(language, said), reason: said },
    whatToDo: say(language, message('SENTENCES', { said: cure })),
    ...{ count: 0, states: [], tenants: [], firstSeenAt: since, lastSeenAt: since },
    ...{ direction: 'in', action: 'none', needsPerson: true, severity: 'critical', incidentId: null },
  };
}

function brokenOf({ breakers }: Pick<StoredTenant, 'breakers'>): Breaker[] {
  return breakers.filter(({ state }) => state !== 'closed');
}

function problemOf(tenant: TenantDown, breaker: Breaker, language: Language): Problem {
  const { name } = tenant;
  const isRefused = breaker.state === 'refused';
  const code = isRefused ? 'CONNECTION_REFUSED' : 'CONNECTION_DOWN';
  const states = WAITS_FOR[breaker.side].filter((state) => (tenant.states[state] ?? 0) > 0);
  const count = states.reduce((total, state) => total + (tenant.states[state] ?? 0), 0);
  const subject = `${name}/${breaker.side}`;
  return {
    id: `${code}:${subject}`,
    code,
    subject,
    sentence: say(language, message(code, { side: breaker.side, tenant: name })),
    reason: { code, params: { side: breaker.side, tenant: name } },
    whatToDo: say(language, message('SENTENCES', { said: whatToDo(name, breaker) })),
    count,
    states,
    tenants: [{ name, count }],
    firstSeenAt: breaker.since,
    lastSeenAt: breaker.since,
    direction: 'in',
    action: 'none',
    needsPerson: isRefused,
    severity: 'critical',
    incidentId: null,
  };
}

function whatToDo(tenant: TenantName, { state, reason }: Breaker): Message[] {
  return [
    message(state === 'refused' ? 'CHECK_CREDENTIALS' : 'GOES_ON_BY_ITSELF', { tenant }),
    message('LAST_ANSWER', reason === null ? {} : { answer: reason }),
  ];
}

/** Why a document that is on its way does not move; null: it does. */
export function whyItWaits(
  { state, tenantName }: Pick<StoredDocumentRow, 'state' | 'tenantName'>,
  tenant: StoredTenant | undefined,
): Message | null {
  if (!tenant || !UNDER_WAY.includes(state)) return null;
  const waits = (...said: readonly Message[]) => message('SENTENCES', { said });
  const { paused } = tenant;
  if (paused) return waits(message('WAITS'), message('PAUSED_BY', { by: paused.by, why: paused.reason }));
  if (!tenant.planConfirmed) return waits(message('WAITS'), message('PLAN_UNCONFIRMED'));
  const broken = brokenOf(tenant).find(({ side }) => WAITS_FOR[side].includes(state));
  if (!broken) return null;
  const { side, since } = broken;
  const code = broken.state === 'refused' ? 'WAITS_FOR_CREDENTIALS' : 'WAITS_FOR_ANSWER';
  return waits(message(code, { side, since }), ...whatToDo(tenantName, broken));
}
