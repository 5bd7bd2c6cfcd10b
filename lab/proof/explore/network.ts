// The ports of a small world as one replica sees them: every fate of a request is a choice.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { ErpAdapter, PostOutcome } from '../../../src/erp/erp-adapter.js';
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import type { Life } from '../life.js';
import { simulatedErp } from '../simulated-erp.js';
import type { SimulatedLedger } from '../simulated-ledger.js';
import type { StepName } from '../specification/history.js';
import { echoing, type SimulatedService, simulatedSource } from '../simulated-source.js';
import type { MemoryRecords } from '../memory-records.js';
import { CUT_OVER } from '../world.js';
import type { Actor } from './actor.js';
import type { Path } from './path.js';

/** A request that has left arrives within this, whatever became of its sender: a call's own time, and the network's. */
const ON_ITS_WAY_MS_MAX = 60_000;

export interface Request {
  readonly sender: Actor | null;
  readonly arrivesBy: number;
  outcome: PostOutcome | null;
  arrive(): void;
}

export interface Wires {
  readonly path: Path;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly onItsWay: Request[];
}

/** On its way to the books. */
export function send(
  { ledger, onItsWay }: Pick<Wires, 'ledger' | 'onItsWay'>,
  sender: Actor | null,
  take: () => PostOutcome,
): Request {
  const request: Request = {
    sender,
    arrivesBy: ledger.kernel.nowMs + ON_ITS_WAY_MS_MAX,
    outcome: null,
    arrive: () => {
      const at = onItsWay.indexOf(request);
      if (at >= 0) onItsWay.splice(at, 1);
      request.outcome ??= take();
    },
  };
  onItsWay.push(request);
  return request;
}

const FATES = [
  { label: 'the request arrives', fate: 'answered' },
  { label: 'the request arrives, and its answer is lost', fate: 'unheard', isFault: true },
  { label: 'the request is lost', fate: 'lost', isFault: true },
  { label: 'the request is late, and nobody waits for it', fate: 'late', isFault: true },
  { label: 'a proxy says 503 while the ERP works on', fate: 'proxied', isFault: true },
  { label: 'the ERP itself says that it is too busy', fate: 'refused', isFault: true },
  { label: 'the ERP itself refuses it for good', fate: 'rejected', isFault: true },
] as const;

export function exploredErp(wires: Wires, actor: Actor): ErpAdapter {
  const { ledger, records, path } = wires;
  const { kernel } = ledger;
  const { life } = actor;
  const adapter = simulatedErp(ledger, records, life);
  const post = async (take: () => PostOutcome, note: (fate: StepName) => void): Promise<PostOutcome> => {
    const { fate, label } = path.pick(FATES);
    // It does not know yet, but what it will hear is settled.
    actor.learn(label);
    if (fate !== 'answered') kernel.note(label);
    if (fate === 'refused' || fate === 'rejected') {
      note('refuse');
      await life.step(1);
      return fate === 'refused'
        ? { outcome: 'transient', message: label }
        : { outcome: 'rejected', code: 'invalid', message: label };
    }
    if (fate === 'lost') note('lose');
    const request =
      fate === 'lost' ? null : send(wires, fate === 'answered' || fate === 'unheard' ? actor : null, take);
    await life.step(1);
    if (fate !== 'answered' && fate !== 'unheard') note('giveUp');
    if (fate === 'proxied')
      return { outcome: ledger.flaws.trustsProxies ? 'transient' : 'unknown', message: label };
    if (!request || fate === 'late') return { outcome: 'unknown', message: label };
    request.arrive();
    await life.step(1);
    note(fate === 'answered' && request.outcome?.outcome === 'posted' ? 'answer' : 'giveUp');
    if (fate === 'unheard' || !request.outcome) return { outcome: 'unknown', message: label };
    return ledger.kind === 'look-up-two-step' ? finish(ledger, request.outcome) : request.outcome;
  };
  return actor.hears('erp', {
    ...adapter,
    post: (prepared) => {
      const { key } = prepared;
      ledger.checkIntent(records, key, prepared.request, life.worker);
      kernel.note(`${actor.name} sends ${key}`);
      return post(
        () => ledger.take(prepared),
        (fate) => ledger.noteFate([fate], key, life.worker),
      );
    },
  });
}

/** The second step of an ERP that creates and posts apart. */
function finish(ledger: SimulatedLedger, outcome: PostOutcome): PostOutcome {
  if (outcome.outcome !== 'posted') return outcome;
  const stored = ledger.entries.find(({ id }) => id === outcome.reference.id);
  if (stored) stored.state = 'posted';
  return outcome;
}

const UPDATES = [
  { label: 'the update is taken', fate: 'taken' },
  { label: 'the update is lost', fate: 'lost', isFault: true },
  { label: 'the update is taken, and the answer is lost', fate: 'unheard', isFault: true },
  { label: 'the source says yes and does nothing', fate: 'ignored', isFault: true },
] as const;

export function exploredSource({ service, path }: Wires, actor: Actor): InvoicingSource {
  const plain = simulatedSource(service, actor.life);
  const source: InvoicingSource = {
    ...plain,
    updateStatus: async (kind, guid, status, message) => {
      const { fate, label } = path.pick(UPDATES);
      actor.learn(label);
      if (fate !== 'taken') service.kernel.note(label);
      if (fate === 'ignored') return { outcome: 'accepted' };
      if (fate === 'lost') throw new CodedError('SOURCE_UNREACHABLE', label);
      const answer = await plain.updateStatus(kind, guid, status, message);
      if (fate === 'unheard') throw new CodedError('SOURCE_UNREACHABLE', label);
      return answer;
    },
  };
  return actor.hears('source', service.flaws.echoReadBack ? echoing(source) : source);
}

const READINGS = [
  { label: 'the page is read', fate: 'answered' },
  { label: 'the source answers nobody until the sweep gives up', fate: 'away', isFault: true },
] as const;

/** The lists of the source; `askedForAll` is told when the whole list is asked for. */
export function exploredLists(
  { service, path, countsNothing }: Pick<Wires, 'service' | 'path'> & { readonly countsNothing: boolean },
  actor: Actor,
  askedForAll: () => void,
): InvoicingSource {
  const plain = simulatedSource(service, haltingOnce(actor.life));
  let isAway = false;
  const away = () => new CodedError('SOURCE_UNREACHABLE', 'the source answers nobody');
  return actor.hears('source', {
    ...plain,
    list: async (query, page) => {
      if (query.fromDate === CUT_OVER) askedForAll();
      if (isAway) throw away();
      const { fate, label } = path.pick(READINGS);
      actor.learn(label);
      if (fate === 'answered') return plain.list(query, page);
      service.kernel.note(label);
      isAway = true;
      throw away();
    },
    count: (query) => {
      if (isAway) throw away();
      return countsNothing ? Promise.resolve(0) : plain.count(query);
    },
  });
}

/** A question has no effect, so it does not matter where on its way it is halted: once a question is enough. */
function haltingOnce(life: Life): Life {
  let steps = 0;
  return { step: (ms) => (steps++ % 2 === 0 ? life.step(ms) : Promise.resolve()) };
}
