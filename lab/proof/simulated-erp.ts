// The ERP of a simulated run, with the capability that the run is about: it loses answers, takes requests late, refuses some, and
// is down for minutes; and a proxy that answers for it while it still works.
import { journalToJson } from '../../src/domain/journal-json.js';
import type {
  ErpAdapter,
  ErpCapabilities,
  ErpEntry,
  FindOutcome,
  PostOutcome,
} from '../../src/erp/erp-adapter.js';
import type { Life } from './life.js';
import type { MemoryRecords } from './memory-records.js';
import { simulatedAttach } from './originals.js';
import type { StepName } from './specification/history.js';
import {
  type ErpFlaws,
  type ErpKind,
  KEY_LIFE_MS,
  LATE_MS_MAX,
  type SimulatedLedger,
  type Stored,
} from './simulated-ledger.js';

function capabilitiesOf(kind: ErpKind, flaws: ErpFlaws): ErpCapabilities {
  const idempotency =
    kind === 'native-key' ? 'native-key' : kind === 'unique-reference' ? 'unique-reference' : 'none';
  const lookUp = kind === 'none' ? 'none' : kind === 'posted-only' ? 'posted' : 'posted-and-draft';
  return {
    idempotency: flaws.claimsUnique ? 'unique-reference' : idempotency,
    ...(kind === 'native-key'
      ? { nativeKeyLifeMs: flaws.trustsOldKeys ? Infinity : (flaws.keyLifeMs ?? KEY_LIFE_MS) }
      : {}),
    lookUp,
    lookUpLagMs: flaws.looksEarly ? -200_000 : 0,
    finality: 'posted',
    atomicPost: kind !== 'look-up-two-step',
    readBack: 'lines',
    attachments: true,
    dimensions: true,
    foreignCurrency: 'in-currency',
    subledger: true,
    vatMode: 'explicit-lines',
    reverse: true,
    keyLengthMax: 20,
    concurrency: 4,
    requestsPerSecond: 100,
  };
}

export function simulatedErp(ledger: SimulatedLedger, records: MemoryRecords, life: Life): ErpAdapter {
  const { kernel } = ledger;
  const find = async (fits: (stored: Stored) => boolean): Promise<FindOutcome> => {
    await life.step(kernel.between('a look-up takes', 5, 40));
    const down = refusalWhileDown(ledger, life);
    if (down) return down;
    if (ledger.faulty && kernel.chance('the look-up has no answer', 0.05))
      return { outcome: 'transient', message: 'no answer' };
    const entries = shownBy(ledger, records)
      .filter(fits)
      .map((stored) => toEntry(ledger, stored));
    const [first, second] = entries;
    if (!first) return { outcome: 'none' };
    return second ? { outcome: 'many', entries } : { outcome: 'one', entry: first };
  };
  const findByKey = async (key: string): Promise<FindOutcome> => {
    const found = await find((stored) => stored.key === key);
    if (found.outcome === 'none') ledger.noteFate(['miss'], key, life.worker);
    else if (found.outcome === 'one') ledger.noteFate(['find'], key, life.worker);
    return found;
  };
  return {
    capabilities: capabilitiesOf(ledger.kind, ledger.flaws),
    ledger: 'simulated',
    health: () => Promise.resolve({ outcome: 'healthy', company: 'Prufa ehf.' }),
    validate: () => Promise.resolve([]),
    prepare: async ({ key, journal }) => {
      await life.step(1);
      return { outcome: 'prepared', prepared: { key, request: journalToJson(journal) } };
    },
    post: (prepared) => {
      const { key } = prepared;
      ledger.checkIntent(records, key, prepared.request, life.worker);
      const note = (...fates: StepName[]) => ledger.noteFate(fates, key, life.worker);
      return deliver(ledger, life, () => ledger.take(prepared), note);
    },
    findByKey,
    findByReference: (reference) => find((stored) => stored.id === reference),
    resume: async (draft) => {
      await life.step(kernel.between('finishing a draft takes', 5, 40));
      const down = refusalWhileDown(ledger, life);
      if (down) return down;
      if (ledger.faulty && kernel.chance('the draft is refused', 0.1))
        return {
          outcome: 'rejected',
          code: kernel.pick('why the draft is refused', REFUSALS),
          message: 'it cannot be posted',
        };
      const stored = ledger.entries.find((entry) => entry.id === draft.reference.id);
      if (stored) stored.state = 'posted';
      if (ledger.faulty && kernel.chance('the answer about a draft is lost', 0.1))
        return { outcome: 'unknown', message: 'answer lost' };
      return { outcome: 'posted', reference: draft.reference };
    },
    reverse: ({ key, original }) => {
      const stored = ledger.entries.find(({ id }) => id === original.reference.id);
      if (!stored) return Promise.resolve({ outcome: 'rejected', code: 'invalid', message: 'unknown entry' });
      ledger.checkIntent(records, key, null);
      return deliver(
        ledger,
        life,
        () => ledger.takeReversal(key, stored),
        () => undefined,
      );
    },
    attach: (reference, attachment) => simulatedAttach(ledger, records, life, [reference, attachment]),
    entries: () => iterate(ledger.entries.map((stored) => toEntry(ledger, stored))),
    close: () => Promise.resolve(),
  };
}

function shownBy({ entries, flaws }: SimulatedLedger, records: MemoryRecords): Stored[] {
  const { hidesDrafts, hidesSettlements } = flaws;
  if (!hidesDrafts && !hidesSettlements) return entries;
  // Neither a document nor a payment is known under its key.
  const isSettlement = (key: string) => ![...records.rows.values()].some(({ keys }) => keys.includes(key));
  return entries.filter(
    ({ state, key }) => !(hidesDrafts && state !== 'posted') && !(hidesSettlements && isSettlement(key)),
  );
}

async function* iterate(entries: readonly ErpEntry[]): AsyncIterable<ErpEntry> {
  for (const entry of entries) yield await Promise.resolve(entry);
}

/** Whoever asks while it is down hears at once that nothing happened. */
function refusalWhileDown({ outage }: SimulatedLedger, { isOperator }: Life) {
  if (!outage) return null;
  // A person who acts on a document asks whatever the breaker says, and hears that it is down.
  if (!isOperator) outage.asked++;
  return outage.how === 'refuses'
    ? ({ outcome: 'auth', message: 'the password is wrong' } as const)
    : ({ outcome: 'transient', message: 'cannot be reached' } as const);
}

const REFUSALS = ['unknown-account', 'closed-period', 'invalid'] as const;

/** For the history: what became of the request, and what its sender hears. */
type NoteFate = (...fates: StepName[]) => void;

/** One request on its way to the books, and its answer on the way back. */
async function deliver(
  ledger: SimulatedLedger,
  life: Life,
  take: () => PostOutcome,
  note: NoteFate,
): Promise<PostOutcome> {
  const { kernel } = ledger;
  const down = refusalWhileDown(ledger, life);
  if (down) {
    note('refuse');
    await life.step(kernel.between('the ERP says no after', 5, 50));
    return ledger.flaws.saysUnknown ? { outcome: 'unknown', message: down.message } : down;
  }
  if (ledger.faulty && kernel.chance('a proxy answers', 0.05)) return proxied(ledger, life, take, note);
  const luck = ledger.faulty ? kernel.next('what becomes of a request', 1) : 1;
  if (luck < 0.05) {
    note('refuse');
    await life.step(kernel.between('the ERP is busy after', 5, 50));
    return { outcome: 'transient', message: 'refused before anything happened' };
  }
  if (luck < 0.07) {
    note('refuse');
    await life.step(kernel.between('the ERP refuses after', 5, 50));
    return {
      outcome: 'rejected',
      code: kernel.pick('why the ERP refuses', REFUSALS),
      message: 'the books are not ready for it',
    };
  }
  if (luck < 0.1) {
    note('lose');
    await life.step(kernel.between('a reset takes', 100, 20_000));
    note('giveUp');
    return { outcome: 'unknown', message: 'reset; nothing arrived' };
  }
  if (luck < 0.18) {
    // Arrives although we have given up waiting; whatever became of our process.
    void kernel.sleep(kernel.between('how late a request is', 10, LATE_MS_MAX)).then(take);
    await life.step(kernel.between('giving up takes', 5, 1_000));
    note('giveUp');
    return { outcome: 'unknown', message: 'timed out; arrives later' };
  }
  // From here the request has left: it arrives even if our process dies while it waits.
  const transit = kernel.sleep(kernel.between('a request takes', 5, 50) + ledger.takesMs).then(take);
  await life.step(60 + ledger.takesMs);
  const outcome = await transit;
  if (luck < 0.28) {
    await life.step(kernel.between('an answer is lost after', 100, 5_000));
    note('giveUp');
    return { outcome: 'unknown', message: 'answer lost' };
  }
  if (outcome.outcome === 'posted' && ledger.kind === 'look-up-two-step') {
    // The second step of an ERP that creates and posts apart.
    await life.step(kernel.between('the second step takes', 5, 50));
    if (luck < 0.4) {
      note('giveUp');
      return { outcome: 'unknown', message: 'lost between create and post' };
    }
    const stored = ledger.entries.find((entry) => entry.id === outcome.reference.id);
    if (stored) stored.state = 'posted';
  }
  await life.step(1);
  note(outcome.outcome === 'posted' ? 'answer' : 'giveUp');
  return outcome;
}

const PROXY_SAYS = ['502', '503', '429', 'a page'] as const;

/** A proxy answers for the ERP, which works on and books a while later. Only the ERP's own word would be no effect. */
async function proxied(
  ledger: SimulatedLedger,
  life: Life,
  take: () => PostOutcome,
  note: NoteFate,
): Promise<PostOutcome> {
  const { kernel } = ledger;
  const message = `a proxy says ${kernel.pick('what a proxy says', PROXY_SAYS)}`;
  void kernel.sleep(kernel.between('how late behind a proxy', 1_000, LATE_MS_MAX)).then(() => {
    kernel.note('the ERP takes what a proxy had answered for');
    take();
  });
  await life.step(kernel.between('a proxy takes', 5, 1_000));
  note('giveUp');
  return { outcome: ledger.flaws.trustsProxies ? 'transient' : 'unknown', message };
}

function toEntry(ledger: SimulatedLedger, stored: Stored): ErpEntry {
  return {
    reference: { id: stored.id },
    key: stored.key,
    state: stored.state,
    postingDate: stored.journal.postingDate,
    lines: stored.journal.lines,
    ...(stored.reverses !== null || ledger.reversalsOf(stored).length > 0 ? { reversed: true } : {}),
  };
}
