// The ERP of a simulated run, with the capability that the run is about. It keeps what it is told exactly as an ERP of that
// kind would, loses answers, takes requests late, and remembers whether each one had its intent on record.
import { journalFromJson, journalToJson } from '../../../src/domain/journal-json.js';
import type { Journal } from '../../../src/domain/journal.js';
import type {
  ErpAdapter,
  ErpCapabilities,
  ErpEntry,
  FindOutcome,
  PostOutcome,
  PreparedPost,
} from '../../../src/erp/erp-adapter.js';
import type { Kernel } from './kernel.js';
import type { Life, MemoryRecords } from './memory-store.js';

export type ErpKind =
  'native-key' | 'unique-reference' | 'look-up' | 'look-up-two-step' | 'posted-only' | 'none';
export const ERP_KINDS = [
  'native-key',
  'unique-reference',
  'look-up',
  'look-up-two-step',
  'posted-only',
  'none',
] as const satisfies readonly ErpKind[];

export interface ErpFlaws {
  /** The adapter claims a unique reference that the ERP does not enforce: resends without looking. */
  readonly claimsUnique?: boolean;
  /** Looks before a late request can have arrived. */
  readonly looksEarly?: boolean;
}

interface Stored {
  readonly id: string;
  readonly key: string;
  readonly journal: Journal;
  state: 'draft' | 'posted';
}

export class SimulatedLedger {
  readonly entries: Stored[] = [];
  readonly kernel: Kernel;
  readonly kind: ErpKind;
  readonly flaws: ErpFlaws;
  readonly records: MemoryRecords;
  faulty = true;
  readonly violations: string[] = [];
  readonly #replays = new Map<string, PostOutcome>();

  constructor(kernel: Kernel, kind: ErpKind, records: MemoryRecords, flaws: ErpFlaws) {
    this.kernel = kernel;
    this.kind = kind;
    this.records = records;
    this.flaws = flaws;
  }

  live(key: string): Stored[] {
    return this.entries.filter((entry) => entry.key === key);
  }

  /** The request arrives. */
  take(prepared: PreparedPost): PostOutcome {
    const { key } = prepared;
    if (this.kind === 'native-key') {
      const replay = this.#replays.get(key);
      if (replay) return replay;
    }
    if (this.kind === 'unique-reference' && this.live(key).length > 0) {
      return { outcome: 'rejected', code: 'duplicate', message: 'exists' };
    }
    const stored: Stored = {
      id: `e${this.entries.length + 1}`,
      key,
      journal: journalFromJson(prepared.request),
      state: 'posted',
    };
    if (this.kind === 'look-up-two-step') stored.state = 'draft';
    this.entries.push(stored);
    this.kernel.note(`erp takes ${key} as ${stored.id} (${stored.state})`);
    const outcome: PostOutcome = { outcome: 'posted', reference: { id: stored.id } };
    this.#replays.set(key, outcome);
    return outcome;
  }

  checkIntent(prepared: PreparedPost): void {
    const row = this.records.byKey.get(prepared.key);
    const attempt = row?.attempts.at(-1);
    if (attempt?.request !== prepared.request || attempt.outcome !== null) {
      this.violations.push(`sent ${prepared.key} without its intent on record`);
    }
  }
}

function capabilitiesOf(kind: ErpKind, flaws: ErpFlaws): ErpCapabilities {
  const idempotency =
    kind === 'native-key' ? 'native-key' : kind === 'unique-reference' ? 'unique-reference' : 'none';
  const lookUp = kind === 'none' ? 'none' : kind === 'posted-only' ? 'posted' : 'posted-and-draft';
  return {
    idempotency: flaws.claimsUnique ? 'unique-reference' : idempotency,
    ...(kind === 'native-key' ? { nativeKeyLifeMs: 30 * 60_000 } : {}),
    lookUp,
    lookUpLagMs: flaws.looksEarly ? -200_000 : 0,
    finality: 'posted',
    atomicPost: kind !== 'look-up-two-step',
    readBack: 'lines',
    attachments: false,
    dimensions: true,
    foreignCurrency: true,
    subledger: true,
    vatMode: 'explicit-lines',
    reverse: false,
    keyLengthMax: 20,
    concurrency: 4,
    requestsPerSecond: 100,
  };
}

/** A late request arrives within this; the pipeline's timing allows for it. */
const LATE_MS_MAX = 25_000;

export function simulatedErp(ledger: SimulatedLedger, life: Life): ErpAdapter {
  const { kernel } = ledger;
  const find = async (key: string): Promise<FindOutcome> => {
    await life.step(kernel.between(5, 40));
    if (ledger.faulty && kernel.chance(0.05)) return { outcome: 'transient', message: 'no answer' };
    const entries = ledger.live(key).map(toEntry);
    const [first, second] = entries;
    if (!first) return { outcome: 'none' };
    return second ? { outcome: 'many', entries } : { outcome: 'one', entry: first };
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
    post: (prepared) => post(ledger, life, prepared),
    findByKey: find,
    findByReference: () => Promise.resolve({ outcome: 'none' }),
    resume: async (draft) => {
      await life.step(kernel.between(5, 40));
      const stored = ledger.entries.find((entry) => entry.id === draft.reference.id);
      if (stored) stored.state = 'posted';
      if (ledger.faulty && kernel.chance(0.1)) return { outcome: 'unknown', message: 'answer lost' };
      return { outcome: 'posted', reference: draft.reference };
    },
    discard: () => Promise.resolve({ outcome: 'discarded' }),
    reverse: () => Promise.resolve({ outcome: 'rejected', code: 'unsupported', message: '' }),
    attach: () => Promise.resolve({ outcome: 'rejected', code: 'unsupported', message: '' }),
    entries: () => iterate(ledger.entries.map(toEntry)),
    close: () => Promise.resolve(),
  };
}

async function* iterate(entries: readonly ErpEntry[]): AsyncIterable<ErpEntry> {
  for (const entry of entries) yield await Promise.resolve(entry);
}

async function post(ledger: SimulatedLedger, life: Life, prepared: PreparedPost): Promise<PostOutcome> {
  const { kernel } = ledger;
  ledger.checkIntent(prepared);
  const luck = ledger.faulty ? kernel.next() : 1;
  if (luck < 0.05) {
    await life.step(kernel.between(5, 50));
    return { outcome: 'transient', message: 'refused before anything happened' };
  }
  if (luck < 0.1) {
    await life.step(kernel.between(100, 20_000));
    return { outcome: 'unknown', message: 'reset; nothing arrived' };
  }
  if (luck < 0.18) {
    // Arrives although we have given up waiting; whatever became of our process.
    void kernel.sleep(kernel.between(10, LATE_MS_MAX)).then(() => ledger.take(prepared));
    await life.step(kernel.between(5, 1_000));
    return { outcome: 'unknown', message: 'timed out; arrives later' };
  }
  // From here the request has left: it arrives even if our process dies while it waits.
  const transit = kernel.sleep(kernel.between(5, 50)).then(() => ledger.take(prepared));
  await life.step(60);
  const outcome = await transit;
  if (luck < 0.28) {
    await life.step(kernel.between(100, 5_000));
    return { outcome: 'unknown', message: 'answer lost' };
  }
  if (outcome.outcome === 'posted' && ledger.kind === 'look-up-two-step') {
    // The second step of an ERP that creates and posts apart.
    await life.step(kernel.between(5, 50));
    if (luck < 0.4) return { outcome: 'unknown', message: 'lost between create and post' };
    const stored = ledger.entries.find((entry) => entry.id === outcome.reference.id);
    if (stored) stored.state = 'posted';
  }
  await life.step(1);
  return outcome;
}

function toEntry(stored: Stored): ErpEntry {
  return {
    reference: { id: stored.id },
    key: stored.key,
    state: stored.state,
    postingDate: stored.journal.postingDate,
    lines: stored.journal.lines,
  };
}
