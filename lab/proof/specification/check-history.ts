// Holds a history against the specification: every step must be one that it allows where the document stands, and no step may
// break what it promises. Time is the one thing that is filled in: when so much has passed that the bridge may count on it.
import type { Guid } from '../../../src/domain/ids.js';
import { settlementKey } from '../../../src/domain/posting-key.js';
import { POST_TIMING } from '../../../src/sync/work.js';
import type { HistoryStep, StepName } from './history.js';
import { blank, claim, type Doc, isKept, restore, STEPS } from './compiled-protocol.js';
import type { Run } from '../run.js';
import { type ErpKind, KEY_LIFE_MS, type SimulatedLedger } from '../simulated-ledger.js';

export interface SpecifiedErp {
  /** As the specification calls what it can do. */
  readonly kind: string;
  /** After which an ERP that replays by key has forgotten one. */
  readonly keyLifeMs: number;
  /** After which nothing of a request is on its way any more; by the timing of production unless it is said. */
  readonly quietPeriodMs?: number;
}

/** 10 s to leave, a call's time, and as long again for an ERP that works on after we gave up. */
const QUIET_PERIOD_MS = POST_TIMING.sendByMs + 2 * POST_TIMING.erpTimeoutMs;

interface Entry {
  doc: Doc;
  backup: Doc | null;
  /** When its request was put on record first, and last. */
  begunAt: number;
  sentAt: number;
}

interface Document {
  holder: string;
  /** Of its present generation. */
  key: string;
  readonly entries: Map<string, Entry>;
  /** Keys under which a person has said what stands for it. */
  readonly left: Set<string>;
}

type DocumentStep = Extract<HistoryStep, { readonly guid: Guid }>;

export class HistoryChecker {
  readonly refused: string[] = [];
  readonly #erp: SpecifiedErp;
  readonly #documents = new Map<string, Document>();
  #restoredAt = -Infinity;
  #checked = 0;

  constructor(erp: SpecifiedErp) {
    this.#erp = erp;
  }

  /** What has been added since it was asked last. */
  check(steps: readonly HistoryStep[]): readonly string[] {
    for (; this.#checked < steps.length; this.#checked++) {
      const step = steps[this.#checked];
      if (step === undefined) break;
      if ('guid' in step) this.#take(step);
      else this.#mark(step);
    }
    return this.refused;
  }

  #mark({ what, at }: HistoryStep): void {
    for (const document of this.#documents.values()) {
      for (const entry of document.entries.values()) {
        if (what === 'backup') entry.backup = entry.doc;
        else entry.doc = restore(entry.doc, entry.backup ?? blank(entry.doc.erp, entry.doc.hasSource));
      }
      if (what === 'restore') document.holder = '';
    }
    if (what === 'restore') this.#restoredAt = at;
  }

  #take(step: DocumentStep): void {
    const document = this.#document(step.guid);
    if (step.what === 'claim') {
      this.#begin(document, step);
      document.holder = step.worker;
      for (const [key, entry] of document.entries)
        if (!document.left.has(key)) this.#go(entry, 'claim', step);
      return;
    }
    if (WORDS.has(step.what)) hear(document, step);
    if (step.what === 'leave') this.#leave(document, step);
    else for (const entry of this.#meant(document, step)) this.#go(entry, step.what, step);
  }

  /** Only what is parked, and nothing of it on its way; the entry of its own, if there is one, was found. */
  #leave(document: Document, step: DocumentStep): void {
    const entry = this.#entry(document, document.key);
    this.#pass(entry, step.at);
    if (entry.doc.record !== 'parked' || entry.doc.onItsWay > 0)
      this.#refuse(step, entry.doc, 'is not allowed');
    document.left.add(document.key);
  }

  #document(guid: Guid): Document {
    let document = this.#documents.get(guid);
    if (!document)
      this.#documents.set(guid, (document = { holder: '', key: '', entries: new Map(), left: new Set() }));
    return document;
  }

  /** Another key only after a person has reversed what stands under the one before. */
  #begin(document: Document, step: DocumentStep): void {
    if (document.key === step.key) return;
    const before = document.entries.get(document.key);
    const hasLeft = document.left.has(document.key);
    if (before && before.doc.record !== 'reversed' && !before.doc.isInDoubt && !hasLeft)
      this.#refuse(step, before.doc, 'is begun under another key');
    document.key = step.key;
    const entry = this.#entry(document, step.key, step.isUntold !== true);
    // The source is told of a document, not of an entry.
    if (before) entry.doc = { ...entry.doc, source: before.doc.source, says: before.doc.says, isAnew: true };
  }

  #entry(document: Document, key: string, hasSource = false): Entry {
    let entry = document.entries.get(key);
    if (!entry) {
      const fresh = claim(blank(this.#erp.kind, hasSource), document.holder);
      // A database that was restored cannot tell what it never knew from what it has forgotten.
      const doc = {
        ...fresh,
        isInDoubt: this.#restoredAt > -Infinity,
        isQuiet: this.#restoredAt === -Infinity,
      };
      document.entries.set(key, (entry = { doc, backup: null, begunAt: 0, sentAt: 0 }));
    }
    return entry;
  }

  /** Parking, and going on, is about all of a document. */
  #meant(document: Document, { what, key }: DocumentStep): Entry[] {
    if (document.left.has(key)) return [];
    if (key !== '') return [this.#entry(document, key)];
    const main = document.left.has(document.key) ? undefined : document.entries.get(document.key);
    const settlement = document.entries.get(settlementKey(document.key));
    const isOfAll =
      settlement && (what === 'park' || (what === 'goOn' && settlement.doc.record === 'parked'));
    return [main, isOfAll ? settlement : undefined].flatMap((entry) => entry ?? []);
  }

  #go(entry: Entry, what: StepName, step: DocumentStep): void {
    const { at, worker } = step;
    this.#pass(entry, at);
    const { can, go } = STEPS[what];
    if (!can(entry.doc, worker)) this.#refuse(step, entry.doc, 'is not allowed');
    entry.doc = go(entry.doc, worker);
    if (!isKept(entry.doc)) this.#refuse(step, entry.doc, 'breaks a promise');
    if (what === 'intend' || what === 'parkInDoubt') entry.begunAt = at;
    if (SENDS.has(what)) entry.sentAt = at;
  }

  #pass(entry: Entry, at: number): void {
    const { pass, outlive } = STEPS;
    const quietPeriodMs = this.#erp.quietPeriodMs ?? QUIET_PERIOD_MS;
    if (at - Math.max(entry.sentAt, this.#restoredAt) >= quietPeriodMs && pass.can(entry.doc))
      entry.doc = pass.go(entry.doc);
    if (at - entry.begunAt > this.#erp.keyLifeMs && outlive.can(entry.doc)) entry.doc = outlive.go(entry.doc);
  }

  #refuse({ what, at, guid, key, worker }: DocumentStep, doc: Doc, why: string): void {
    const knows = doc.knows[worker] ?? 'nothing';
    const stands = `${doc.record}, attempt ${doc.attempt}, ${doc.books} in the books, ${doc.onItsWay} on their way`;
    const doubt = doc.isInDoubt ? ', restored' : '';
    this.refused.push(
      `16: ${what} of ${guid} ${key} at ${at} ${why} (${stands}${doubt}; ${worker} knows ${knows})`,
    );
  }
}

/** What is told of a document that a person has booked counts for the entry that comes after it. */
function hear(document: Document, { what, worker }: DocumentStep): void {
  const entry = document.entries.get(document.key);
  if (entry && document.left.has(document.key) && what !== 'leave')
    entry.doc = STEPS[what].go(entry.doc, worker);
}

const WORDS: ReadonlySet<string> = new Set([
  'sayPosted',
  'sayDecided',
  'tellPosted',
  'tellDecided',
  'goUnheard',
]);
const SENDS: ReadonlySet<StepName> = new Set(['intend', 'resend', 'parkInDoubt']);

// The history of a run, held against the specification.

/** As the specification calls them: whether an entry is created and posted at once makes no difference to it. */
const SPECIFIED: Readonly<Record<ErpKind, string>> = {
  'native-key': 'native-key',
  'unique-reference': 'unique-reference',
  'look-up': 'look-up',
  'look-up-two-step': 'look-up',
  'posted-only': 'posted-only',
  none: 'none',
};

export function checkerFor({ kind, flaws }: SimulatedLedger): HistoryChecker {
  return new HistoryChecker({ kind: SPECIFIED[kind], keyLifeMs: flaws.keyLifeMs ?? KEY_LIFE_MS });
}

/** Whether a broken promise is this one. */
export function isRefusal(broken: string): boolean {
  return broken.startsWith('16:');
}

/** It knows entries: of documents that were booked with others it is asked about the entry that they share, not about each. */
export function refusedBySpecification({
  kernel,
  ledger,
  records,
}: Pick<Run, 'kernel' | 'ledger' | 'records'>): readonly string[] {
  const { steps } = kernel.history;
  const asked = steps.filter((step) => !('guid' in step) || !records.everMembers.has(step.guid));
  return checkerFor(ledger).check(asked).slice(0, 5);
}
