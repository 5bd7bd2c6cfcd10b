// One trace for each time that a worker takes a document up, from the claim to the commit that gives it back: what was asked of
// the source and of the ERP, and what was committed. Calls are told apart by the keys and guids that they name, so nothing has
// to travel with them. No text of anybody's is in a span: names, ids, codes and outcomes only.
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { ClaimedPosting, PostingChange } from '../../pipeline/records.js';
import { correlationId } from '../log.js';
import { codeOf } from './code-of.js';

export interface DocumentTraces {
  begun(claims: readonly ClaimedPosting[]): void;
  committed(claim: ClaimedPosting, change: PostingChange, startedAt: number): void;
  /** The commit was refused: somebody else goes on with it. */
  lost(claim: ClaimedPosting, code: string): void;
  /** `about` is a key of the ERP, or the guid of a document; what no trace knows is not part of one. */
  call<Answer>(about: CallAbout, act: () => Promise<Answer>): Promise<Answer>;
}

export interface CallAbout {
  readonly tenant: string;
  readonly name: string;
  readonly system: string;
  readonly key: string;
}

interface Underway {
  readonly root: Span;
  readonly context: Context;
  readonly names: Set<string>;
  readonly beganAt: number;
}

/** More are never under way in one process; what is older was taken over by another. */
const UNDER_WAY_MAX = 5_000;
const LIFE_MS = 15 * 60_000;

export function createDocumentTraces(tracer: Tracer, publicUrl: string | null): DocumentTraces {
  const underWay = new Map<string, Underway>();
  const end = (found: Underway, status?: { code: SpanStatusCode; message: string }) => {
    if (status) found.root.setStatus(status);
    found.root.end();
    for (const name of found.names) underWay.delete(name);
  };
  const of = ({ posting }: ClaimedPosting) => underWay.get(nameOf(posting.tenantName, posting.key));
  return {
    begun: (claims) => {
      forgetOld(underWay, end);
      for (const claim of claims) begin(tracer, underWay, claim, publicUrl);
    },
    committed: (claim, change, startedAt) => {
      const found = of(claim);
      if (!found) return;
      const to = change.to ?? claim.posting.state;
      const attributes: Attributes = { 'ledgerbridge.action': change.action, 'ledgerbridge.state': to };
      // An event costs a fraction of a span, and a commit has nothing below it.
      found.root.addEvent('commit', attributes, startedAt);
      if (change.attempt?.act === 'begin') alias(underWay, found, claim, change.attempt.key);
      if (change.reason) found.root.setAttribute('ledgerbridge.reason', change.reason.code);
      found.root.setAttribute('ledgerbridge.state', to);
      if (change.release === true) end(found);
    },
    lost: (claim, code) => {
      const found = of(claim);
      if (found) end(found, { code: SpanStatusCode.ERROR, message: code });
    },
    call: (about, act) => {
      const found = underWay.get(nameOf(about.tenant, about.key));
      return found ? timed(tracer, found.context, about, act) : act();
    },
  };
}

const nameOf = (tenant: string, key: string) => `${tenant} ${key}`;

function begin(
  tracer: Tracer,
  underWay: Map<string, Underway>,
  claim: ClaimedPosting,
  publicUrl: string | null,
): void {
  const { id, tenantName: tenant, kind, guid, key, generation, state } = claim.posting;
  const attributes: Attributes = {
    ...{ 'ledgerbridge.tenant': tenant, 'ledgerbridge.kind': kind, 'ledgerbridge.guid': guid },
    ...{ 'ledgerbridge.posting': id, 'ledgerbridge.key': key, 'ledgerbridge.generation': generation },
    // The same as in the log: one search finds the whole story.
    'ledgerbridge.correlation': correlationId({ tenant, kind, guid }),
    'ledgerbridge.from': state,
    ...(publicUrl === null ? {} : { 'url.full': `${publicUrl}/documents/${id}` }),
  };
  const root = tracer.startSpan(`document ${kind}`, { attributes, kind: SpanKind.CONSUMER }, ROOT_CONTEXT);
  const names = new Set(
    [key, guid, ...(claim.attempt ? [claim.attempt.key] : [])].map((one) => nameOf(tenant, one)),
  );
  const found = { root, context: trace.setSpan(ROOT_CONTEXT, root), names, beganAt: Date.now() };
  for (const name of names) underWay.set(name, found);
}

/** The settlement and the reversal of a document have keys of their own. */
function alias(underWay: Map<string, Underway>, found: Underway, claim: ClaimedPosting, key: string): void {
  const name = nameOf(claim.posting.tenantName, key);
  found.names.add(name);
  underWay.set(name, found);
}

async function timed<Answer>(
  tracer: Tracer,
  context: Context,
  { name, system }: CallAbout,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const span = tracer.startSpan(
    name,
    { kind: SpanKind.CLIENT, attributes: { 'ledgerbridge.system': system } },
    context,
  );
  try {
    const answer = await act();
    const outcome = outcomeOf(answer);
    span.setAttribute('ledgerbridge.outcome', outcome);
    if (FAILED.includes(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
    return answer;
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(error) });
    throw error;
  } finally {
    span.end();
  }
}

const FAILED = ['rejected', 'transient', 'unknown', 'auth'];

function outcomeOf(answer: unknown): string {
  const isUnion = typeof answer === 'object' && answer !== null && 'outcome' in answer;
  return isUnion && typeof answer.outcome === 'string' ? answer.outcome : 'ok';
}

function forgetOld(underWay: Map<string, Underway>, end: (found: Underway) => void): void {
  if (underWay.size === 0) return;
  const oldest = Date.now() - LIFE_MS;
  for (const found of underWay.values()) {
    if (found.beganAt >= oldest && underWay.size < UNDER_WAY_MAX * 3) return;
    end(found);
  }
}
