// A tenant whose invoicing service or ERP is down: nothing rests for a reason then, everything waits. Whoever asks what is
// held up, or why a document does not move, must hear of it.
import type { PostingState } from '../domain/posting.js';
import type { StoredDocumentRow, StoredTenant } from './records.js';
import type { Problem } from './views/problem.js';

type Breaker = StoredTenant['breakers'][number];

/** What waits while a side is down: the source is asked before a posting and after it, the ERP only for a posting. */
const WAITS_FOR: Readonly<Record<Breaker['side'], readonly PostingState[]>> = {
  source: ['discovered', 'mapped', 'posting', 'posted', 'writing_back'],
  erp: ['discovered', 'mapped', 'posting'],
};
const NAMES = { source: 'invoicing service', erp: 'ERP' } as const;

export function connectionProblems(tenants: readonly StoredTenant[], only: string | undefined): Problem[] {
  return tenants
    .filter(({ name }) => only === undefined || name === only)
    .flatMap((tenant) => brokenOf(tenant).map((breaker) => problemOf(tenant, breaker)));
}

function brokenOf({ breakers }: StoredTenant): Breaker[] {
  return breakers.filter(({ state }) => state !== 'closed');
}

function problemOf(tenant: StoredTenant, breaker: Breaker): Problem {
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
    sentence: isRefused
      ? `The ${NAMES[breaker.side]} refuses the credentials of ${name}`
      : `The ${NAMES[breaker.side]} of ${name} does not answer`,
    reason: { code, params: { side: breaker.side, tenant: name } },
    whatToDo: `${whatToDo(name, isRefused)} ${lastAnswer(breaker)}`,
    count,
    states,
    tenants: [{ name, count }],
    firstSeenAt: breaker.since,
    lastSeenAt: breaker.since,
    action: 'none',
    needsPerson: isRefused,
  };
}

function whatToDo(name: string, isRefused: boolean): string {
  return isRefused
    ? `Check the credentials with \`ledgerbridge tenant check ${name}\`; its documents wait and nothing is marked.`
    : `Its documents wait and go on by themselves when it answers; look with \`ledgerbridge tenant check ${name}\`.`;
}

function lastAnswer({ reason }: Breaker): string {
  return `The last answer: ${reason ?? 'none'}`;
}

/** Why a document that is on its way does not move; null: it does. */
export function whyItWaits(
  { state, tenantName }: Pick<StoredDocumentRow, 'state' | 'tenantName'>,
  tenant: StoredTenant | undefined,
): string | null {
  if (!tenant || !WAITS_FOR.source.includes(state)) return null;
  if (tenant.paused) return `It waits. Paused by ${tenant.paused.by}: ${tenant.paused.reason}`;
  if (!tenant.planConfirmed)
    return 'It waits. Nothing is posted before its plan was looked at and confirmed.';
  const broken = brokenOf(tenant).find(({ side }) => WAITS_FOR[side].includes(state));
  if (!broken) return null;
  const isRefused = broken.state === 'refused';
  const since = `${broken.since.slice(0, 16).replace('T', ' ')} UTC`;
  const what = isRefused
    ? `It waits because the ${NAMES[broken.side]} refuses the credentials since ${since}.`
    : `It waits because the ${NAMES[broken.side]} does not answer since ${since}.`;
  return `${what} ${whatToDo(tenantName, isRefused)} ${lastAnswer(broken)}`;
}
