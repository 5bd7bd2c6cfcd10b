// What the network and the server can do to a post. The rule behind all: `transient` only when there was surely no effect,
// `unknown` when there may have been one.
import { strict as assert } from 'node:assert';
import type { ErpAdapter, PostOutcome, PreparedPost } from '../../../../src/erp/erp-adapter.js';
import {
  assertInBooksOnce,
  assertNotInBooks,
  type CaseWorld,
  type ConformanceCase,
  final,
  onlyEntry,
  posted,
  prepared,
} from '../conformance-case.js';
import { freshKey, sale } from '../journals.js';
import {
  type FaultStep,
  GATEWAY_REPLIES,
  GATEWAY_RETRY_AFTER_SECONDS,
  type GatewayReply,
} from '../target.js';
import { blind } from './once-cases.js';

const RETRY_AFTER_SECONDS = 7;

export const FAULT_CASES: readonly ConformanceCase[] = [
  {
    id: 'lost-reply',
    title: 'says "unknown" when the answer to a post is lost, and recovers to one entry',
    run: async (world) => {
      const key = freshKey();
      const request = await prepared(world.erp, key, sale(world.chart));
      await world.bed.provoke({ kind: 'lose-reply' });
      const outcome = await world.erp.post(request);
      // An adapter may look for itself before it answers; it may not guess.
      assert.ok(['unknown', 'posted', 'pending'].includes(outcome.outcome), JSON.stringify(outcome));
      await world.bed.heal();
      await recover(world, key, request);
      await assertInBooksOnce(world, key);
    },
  },
  {
    id: 'late-arrival',
    title: 'books one entry when a request that was cut off arrives later all the same',
    run: async (world) => {
      const key = freshKey();
      const request = await prepared(world.erp, key, sale(world.chart));
      await world.bed.provoke({ kind: 'late-arrival' });
      const outcome = await world.erp.post(request);
      assert.equal(outcome.outcome, 'unknown', JSON.stringify(outcome));
      await assertNotInBooks(world, key);
      // A key that the ERP knows makes an early resend safe; without one the protocol waits until nothing is under way.
      if (world.erp.capabilities.idempotency !== 'none') final(world.erp, await world.erp.post(request));
      await world.bed.heal();
      await recover(world, key, request);
      await assertInBooksOnce(world, key);
    },
  },
  {
    id: 'unreachable',
    title: 'says "transient" when nobody listens, and books nothing',
    run: async (world) => {
      const key = freshKey();
      const request = await prepared(world.erp, key, sale(world.chart));
      await world.bed.provoke({ kind: 'unreachable' });
      assert.equal((await world.erp.post(request)).outcome, 'transient');
      assert.equal((await world.erp.findByKey(key)).outcome, 'transient');
      assert.equal((await world.erp.health()).outcome, 'transient');
      await world.bed.heal();
      await assertNotInBooks(world, key);
    },
  },
  {
    id: 'rate-limit',
    title: "waits as long as the ERP's Retry-After says",
    run: (world) =>
      atEveryStep(world, async (on) => {
        const { key, request } = await aRequest(world);
        await world.bed.provoke({ kind: 'rate-limit', retryAfterSeconds: RETRY_AFTER_SECONDS, on });
        const outcome = await world.erp.post(request);
        await world.bed.heal();
        assert.ok(outcome.outcome === 'transient' || outcome.outcome === 'unknown', JSON.stringify(outcome));
        assert.equal(outcome.retryAfterMs, RETRY_AFTER_SECONDS * 1000);
        // With a draft in the ERP it is no longer sure that nothing happened.
        if (outcome.outcome === 'transient' || isFirst(world, on)) {
          await assertNotInBooks(world, key);
          final(world.erp, await world.erp.post(request));
        } else await assertRecovers(world, on, key, request, outcome);
        await assertInBooksOnce(world, key);
      }),
  },
  {
    id: 'server-error',
    title: 'takes no 5xx for a refusal of the document, nor for the word that nothing happened',
    run: (world) =>
      atEveryStep(world, async (on) => {
        for (const status of [500, 502, 503, 504] as const) {
          const { key, request } = await aRequest(world);
          await world.bed.provoke({ kind: 'server-error', status, on });
          const outcome = await world.erp.post(request);
          assert.equal(outcome.outcome, 'unknown', `${String(status)} → ${JSON.stringify(outcome)}`);
          await world.bed.provoke({ kind: 'server-error', status, on: 'everything' });
          const found = await world.erp.findByKey(key);
          assert.equal(found.outcome, 'transient', `look-up with ${String(status)}`);
          await world.bed.heal();
          if (isFirst(world, on)) await assertNotInBooks(world, key);
          else await assertRecovers(world, on, key, request, outcome);
        }
      }),
  },
  {
    id: 'error-body',
    title: 'does not take 200 with an error in the body for success',
    run: (world) =>
      atEveryStep(world, async (on) => {
        const { key, request } = await aRequest(world);
        await world.bed.provoke({ kind: 'error-body', on });
        const outcome = await world.erp.post(request);
        await world.bed.heal();
        assert.ok(!('reference' in outcome), JSON.stringify(outcome));
        if (outcome.outcome !== 'unknown' || isFirst(world, on)) await assertNotInBooks(world, key);
        else await assertRecovers(world, on, key, request, outcome);
      }),
  },
  {
    id: 'html-body',
    title: "takes a proxy's HTML page for no answer at all",
    run: async (world) => {
      const key = freshKey();
      const request = await prepared(world.erp, key, sale(world.chart));
      await world.bed.provoke({ kind: 'html' });
      const { outcome } = await world.erp.post(request);
      assert.ok(['transient', 'unknown'].includes(outcome), outcome);
      assert.equal((await world.erp.findByKey(key)).outcome, 'transient');
      await world.bed.heal();
      await assertNotInBooks(world, key);
    },
  },
  {
    id: 'gateway-answers',
    title: 'takes nothing that a proxy says for the answer of an ERP that books later all the same',
    run: (world) =>
      atEveryStep(world, async (on) => {
        for (const reply of GATEWAY_REPLIES) await proveGatewayIsNotBelieved(world, reply, on);
      }),
  },
  {
    id: 'expired-token',
    title: 'logs in again when its session has run out, or says "auth" where it cannot',
    run: async (world) => {
      await posted(world.erp, freshKey(), sale(world.chart));
      const key = freshKey();
      const request = await prepared(world.erp, key, sale(world.chart));
      await world.bed.provoke({ kind: 'expired-token' });
      const outcome = await world.erp.post(request);
      if (outcome.outcome === 'auth') return assertNotInBooks(world, key);
      final(world.erp, outcome);
      await assertInBooksOnce(world, key);
    },
  },
];

/** 502, 503, 504, 429 or a page, said while the ERP has the request: it books after the answer, and that once. */
async function proveGatewayIsNotBelieved(
  world: CaseWorld,
  reply: GatewayReply,
  on: FaultStep,
): Promise<void> {
  const { key, request } = await aRequest(world);
  await world.bed.provoke({ kind: 'gateway-answers', reply, on });
  const outcome = await world.erp.post(request);
  assert.equal(outcome.outcome, 'unknown', `${String(reply)} of a proxy → ${JSON.stringify(outcome)}`);
  if (reply === 429)
    assert.equal(outcome.retryAfterMs, GATEWAY_RETRY_AFTER_SECONDS * 1000, "a proxy's Retry-After counts");
  assert.equal((await world.bed.count(key)).posted, 0, 'the bed should have held it back');
  // A key that the ERP knows makes an early resend safe; without one the protocol waits until nothing is under way.
  if (world.erp.capabilities.idempotency !== 'none') final(world.erp, await world.erp.post(request));
  await world.bed.heal();
  await recover(world, key, request);
  await assertInBooksOnce(world, key);
}

/** Once for an ERP that books in one request; else at the create and again at the post, when a draft is there. */
async function atEveryStep(world: CaseWorld, prove: (on: FaultStep) => Promise<void>): Promise<void> {
  if (!world.erp.capabilities.atomicPost) await prove('effects');
  await prove('final-step');
}

/** Nothing can be in the books when the very first request with an effect was refused. */
function isFirst(world: CaseWorld, on: FaultStep): boolean {
  return on === 'effects' || world.erp.capabilities.atomicPost;
}

async function aRequest(world: CaseWorld): Promise<{ key: string; request: PreparedPost }> {
  const key = freshKey();
  return { key, request: await prepared(world.erp, key, sale(world.chart)) };
}

/** The post was refused and its draft stays: that is `unknown` or `draft`, and ends in one entry. */
async function assertRecovers(
  world: CaseWorld,
  on: FaultStep,
  key: string,
  request: PreparedPost,
  outcome: PostOutcome,
): Promise<void> {
  assert.ok(!isFirst(world, on), `nothing was sent before, so it is not ${JSON.stringify(outcome)}`);
  assert.ok(['unknown', 'draft'].includes(outcome.outcome), JSON.stringify(outcome));
  await recover(world, key, request);
  await assertInBooksOnce(world, key);
}

/** What the posting protocol does about an unknown outcome, for each thing that an adapter can declare. */
export async function recover(world: CaseWorld, key: string, request: PreparedPost): Promise<void> {
  const survivor = await world.another();
  if (survivor.capabilities.idempotency !== 'none') {
    const again = await survivor.post(request);
    if (again.outcome === 'rejected') assert.equal(again.code, 'duplicate', again.message);
    else final(survivor, again);
  }
  if (blind(survivor.capabilities) === null) await settle(survivor, key, request);
}

async function settle(erp: ErpAdapter, key: string, request: PreparedPost): Promise<void> {
  const entry = await onlyEntry(erp, key);
  if (entry.state === 'draft' && erp.capabilities.finality !== 'draft')
    final(erp, await erp.resume(entry, request));
}
