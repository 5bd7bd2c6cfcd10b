// The invoicing service of a small world, as one replica sees it when it creates: every fate of a request is a choice, lists may be
// short or behind, and what is created there is never merged with anything.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type {
  InvoicingTarget,
  Search,
  SendOutcome,
  TargetRequest,
} from '../../../src/service/invoicing-target.js';
import type { MemorySubmissions } from '../memory-submissions.js';
import type { Actor } from './actor.js';
import { type ListFates, LISTS, looksAt, type Stands } from './explored-looks.js';
import type { Path, StillKernel } from './path.js';

export interface TargetFlaws {
  /** What a proxy says is taken for the service's word. */
  readonly trustsProxies?: boolean;
  /** A list is taken for complete, however short it is. */
  readonly trustsShortLists?: boolean;
  /** Nothing is ever found. */
  readonly searchesNothing?: boolean;
  /** Nothing is found before it was sent for the first time. */
  readonly looksOnlyInDoubt?: boolean;
  /** AI reads costs before anything shows them, however long that takes. */
  readonly queuesCosts?: boolean;
  /** A request leaves whenever it likes. */
  readonly leavesLate?: boolean;
}

export interface Leaving {
  readonly sender: Actor | null;
  readonly arrivesBy: number;
  has: Stands | null;
  arrive(): void;
}

/** A request that has left arrives within this, whatever became of its sender. */
const ON_ITS_WAY_MS_MAX = 60_000;
/** Lists may be behind by this. */
export const LAG_MS_MAX = 60_000;

const FATES = [
  { label: 'the request arrives', fate: 'answered' },
  { label: 'the request arrives, and its answer is lost', fate: 'unheard', isFault: true },
  { label: 'the request is lost', fate: 'lost', isFault: true },
  { label: 'the request is late, and nobody waits for it', fate: 'late', isFault: true },
  { label: 'a proxy says 503 while the service works on', fate: 'proxied', isFault: true },
  { label: 'nobody answers the telephone', fate: 'unsent', isFault: true },
] as const;

export class TargetService {
  readonly kernel: StillKernel;
  readonly stands: Stands[] = [];
  readonly onItsWay: Leaving[] = [];

  constructor(kernel: StillKernel) {
    this.kernel = kernel;
  }

  send(sender: Actor | null, request: TargetRequest, mark: string): Leaving {
    const leaving: Leaving = {
      sender,
      arrivesBy: this.kernel.nowMs + ON_ITS_WAY_MS_MAX,
      has: null,
      arrive: () => {
        const at = this.onItsWay.indexOf(leaving);
        if (at >= 0) this.onItsWay.splice(at, 1);
        leaving.has ??= this.take(request, mark);
      },
    };
    this.onItsWay.push(leaving);
    return leaving;
  }

  take({ kind, act, body }: TargetRequest, mark: string): Stands {
    const known = act === 'update' ? this.stands.find((one) => one.kind === kind) : undefined;
    if (known) return known;
    const guid = `guid-${String(this.stands.length + 1)}`;
    const stands = { kind, guid, at: this.kernel.nowMs, mark, body };
    this.stands.push(stands);
    return stands;
  }
}

interface TargetWires {
  readonly path: Path;
  readonly service: TargetService;
  readonly records: MemorySubmissions;
  readonly flaws: TargetFlaws;
  readonly now: () => Date;
}

export function exploredTarget(wires: TargetWires, actor: Actor, mark: string): InvoicingTarget {
  const { path, service, flaws } = wires;
  const { kernel } = service;
  const { life } = actor;
  const pick = <T extends { readonly label: string; readonly fate: string }>(options: readonly T[]): T => {
    const picked = path.pick(options);
    actor.learn(picked.label);
    if (picked !== options[0]) kernel.note(picked.label);
    return picked;
  };
  const lists = async (
    ours: (stands: Stands) => boolean,
    fates: ListFates = LISTS,
  ): Promise<Search<Stands>> => {
    const { fate, label } = pick<ListFates[number]>(fates);
    await life.step(1);
    if (fate === 'away') throw new CodedError('SOURCE_UNAVAILABLE', label);
    if (flaws.searchesNothing || fate === 'queued') return { outcome: 'complete', found: [] };
    const isUnsent = wires.records.rows.get(mark)?.record.request === null;
    if (flaws.looksOnlyInDoubt && isUnsent) return { outcome: 'complete', found: [] };
    const all = service.stands.filter(ours);
    if (fate === 'short' && all.length > 0)
      return flaws.trustsShortLists
        ? { outcome: 'complete', found: all.slice(1) }
        : { outcome: 'incomplete', message: label };
    const found = fate === 'behind' ? all.filter(({ at }) => kernel.nowMs - at >= LAG_MS_MAX) : all;
    return { outcome: 'complete', found };
  };
  const calls = {
    send: (request: TargetRequest, leaveBy: Date) =>
      sendOne(wires, actor, { request, leaveBy, mark, fate: pick(FATES) }),
    ...looksAt(lists, flaws.queuesCosts === true),
  };
  const unused = {
    takes: () => true,
    upload: () => Promise.resolve({ outcome: 'uploaded' as const, id: '1' }),
    breach: () => null,
    listMade: () => Promise.resolve([]),
    listCustomers: () => Promise.resolve({ outcome: 'complete' as const, found: [] }),
    listTasksToBill: () => Promise.resolve({ outcome: 'complete' as const, found: [] }),
    endTask: () => Promise.resolve(),
  };
  return { ...actor.hears('target', calls), ...unused };
}

interface OneSend {
  readonly request: TargetRequest;
  readonly leaveBy: Date;
  readonly mark: string;
  readonly fate: (typeof FATES)[number];
}

async function sendOne(wires: TargetWires, actor: Actor, one: OneSend): Promise<SendOutcome> {
  const { service, records, flaws, now } = wires;
  const { request, leaveBy, mark } = one;
  const { fate, label } = one.fate;
  const { life } = actor;
  // It waits for its turn: the process may sleep here too.
  await life.step(1);
  if (now() > leaveBy && !flaws.leavesLate)
    return { outcome: 'not-sent', why: 'too-late', message: 'too late' };
  if (!records.isIntended(mark)) records.violations.push(`20: ${mark} was sent without an intent on record`);
  service.kernel.note(`${actor.name} sends ${request.act} ${request.kind}`);
  if (fate === 'unsent') return { outcome: 'not-sent', why: 'away', message: label };
  const waits = fate === 'answered' || fate === 'unheard';
  const leaving = fate === 'lost' ? null : service.send(waits ? actor : null, request, mark);
  await life.step(1);
  if (fate === 'proxied')
    return flaws.trustsProxies
      ? { outcome: 'not-sent', why: 'away', message: label }
      : { outcome: 'unknown', message: label };
  if (!leaving || fate === 'late') return { outcome: 'unknown', message: label };
  leaving.arrive();
  await life.step(1);
  if (fate === 'unheard' || !leaving.has) return { outcome: 'unknown', message: label };
  return { outcome: 'accepted', guid: leaving.has.guid, paymentLink: null };
}
