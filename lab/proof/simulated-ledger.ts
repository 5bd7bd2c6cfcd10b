// The books of a simulated run: they keep what they are told exactly as an ERP of that kind would, and remember whether each
// request had its intent on record and was sent while nobody held it.
import type { Guid } from '../../src/domain/ids.js';
import { journalFromJson } from '../../src/domain/journal-json.js';
import type { Journal } from '../../src/domain/journal.js';
import { reversalKey, settlementKey } from '../../src/domain/posting-key.js';
import type { PostOutcome, PreparedPost } from '../../src/erp/erp-adapter.js';
import type { Kernel } from './kernel.js';
import type { MemoryRecords } from './memory-records.js';
import type { Outage } from './outages.js';
import type { About, StepName } from './specification/history.js';

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
  /** The adapter believes in a key for ever. */
  readonly trustsOldKeys?: boolean;
  /** A look-up shows no drafts, and the adapter says that it does. */
  readonly hidesDrafts?: boolean;
  /** A look-up does not show what settles an invoice. */
  readonly hidesSettlements?: boolean;
  /** What was surely not taken is said to be unknown. */
  readonly saysUnknown?: boolean;
  /** What a proxy says is taken for the ERP's own word that nothing happened. */
  readonly trustsProxies?: boolean;
  /** The ERP forgets keys sooner than `KEY_LIFE_MS`, and says so. */
  readonly keyLifeMs?: number;
}

export interface Stored {
  readonly id: string;
  readonly key: string;
  readonly journal: Journal;
  /** Id of the entry that this one undoes. */
  readonly reverses: string | null;
  state: 'draft' | 'posted';
  readonly at: number;
  /** Guid of the document that a bookkeeper has booked with it, under no key of ours. */
  readonly byHand?: string;
}

/** A late request arrives within this; the pipeline's timing allows for it. */
export const LATE_MS_MAX = 25_000;
/** After this an ERP has forgotten a key of ours, and takes the same request as a new one. */
export const KEY_LIFE_MS = 30 * 60_000;

const BY_WORKER: ReadonlySet<StepName> = new Set(['send', 'refuse', 'answer', 'giveUp', 'find', 'miss']);

/** What was claimed when a tenant was stopped may still be sent. */
const UNDER_WAY_MS_MAX = 100_000;

function partOf(entry: Stored, key: string): Stored[] {
  if (entry.key === key) return [];
  const lines = entry.journal.lines.filter(({ text }) => text.includes(key));
  return lines.length === 0 ? [] : [{ ...entry, journal: { ...entry.journal, lines } }];
}

/** Where only a part of an entry is undone, what is sent stands beside what it is for. */
function sentOf({ part, request }: { readonly part: string; readonly request: string }): string {
  return part === 'reversal' ? ((JSON.parse(request) as { sent?: string }).sent ?? '') : request;
}

export class SimulatedLedger {
  readonly entries: Stored[] = [];
  /** Entry and name → how many files of that name are there. */
  readonly files = new Map<string, number>();
  readonly kernel: Kernel;
  readonly kind: ErpKind;
  readonly flaws: ErpFlaws;
  readonly records: MemoryRecords;
  faulty = true;
  /** How long it works on a request, besides the network. */
  takesMs = 0;
  outage: Outage | null = null;
  readonly violations: string[] = [];
  /** Ids of postings that an operator was told are held. */
  readonly held = new Set<string>();
  readonly #replays = new Map<string, { readonly outcome: PostOutcome; readonly at: number }>();

  constructor(kernel: Kernel, kind: ErpKind, records: MemoryRecords, flaws: ErpFlaws) {
    this.kernel = kernel;
    this.kind = kind;
    this.records = records;
    this.flaws = flaws;
  }

  under(key: string): Stored[] {
    return this.entries.filter((entry) => entry.key === key);
  }

  reversalsOf({ id }: Stored): Stored[] {
    return this.entries.filter((entry) => entry.reverses === id && entry.state === 'posted');
  }

  /** Under this key, and not undone. */
  live(key: string): Stored[] {
    return this.under(key).filter((entry) => this.reversalsOf(entry).length === 0);
  }

  /**
   * The same of a document: an entry of its own, or its part of the journal of a day that names it, unless an entry undid that part.
   * Told from the books alone.
   */
  liveOf(key: string): Stored[] {
    const isUndone = this.under(reversalKey(key)).some(
      ({ reverses, state }) => reverses === null && state === 'posted',
    );
    return [...this.live(key), ...(isUndone ? [] : this.entries.flatMap((entry) => partOf(entry, key)))];
  }

  /** In the ERP itself, by a bookkeeper. */
  bookByHand(guid: Guid, journal: Journal): Stored {
    const entry = {
      ...this.#next(),
      key: `hand-${guid}`,
      journal,
      reverses: null,
      state: 'posted',
      byHand: guid,
    } as const;
    this.entries.push(entry);
    this.kernel.note(`a bookkeeper books ${guid} as ${entry.id}`);
    return entry;
  }

  takeBack({ id, key, journal }: Stored): void {
    this.entries.push({
      ...this.#next(),
      key: `back-${key}-${id}`,
      journal,
      reverses: id,
      state: 'posted',
      byHand: '',
    });
    this.kernel.note(`a bookkeeper takes ${id} back`);
  }

  #next() {
    return { id: `e${this.entries.length + 1}`, at: this.kernel.nowMs };
  }

  /** The request arrives. */
  take(prepared: PreparedPost): PostOutcome {
    return this.#book(prepared.key, journalFromJson(prepared.request), null);
  }

  takeReversal(key: string, original: Stored): PostOutcome {
    return this.#book(key, original.journal, original.id);
  }

  #book(key: string, journal: Journal, reverses: string | null): PostOutcome {
    const { history } = this.kernel;
    const arrived = this.#about(key);
    if (reverses === null && arrived) history.note('arrive', arrived);
    const undone = this.entries.find(({ id }) => id === reverses);
    const undoes = undone && this.#about(undone.key);
    if (undoes) history.note('undo', undoes);
    const replay = this.kind === 'native-key' ? this.#replays.get(key) : undefined;
    if (replay && this.kernel.nowMs - replay.at <= (this.flaws.keyLifeMs ?? KEY_LIFE_MS))
      return replay.outcome;
    if (this.kind === 'unique-reference' && this.under(key).length > 0)
      return { outcome: 'rejected', code: 'duplicate', message: 'exists' };
    const { id, at } = this.#next();
    const state = this.kind === 'look-up-two-step' ? 'draft' : 'posted';
    this.entries.push({ id, key, journal, reverses, state, at });
    this.kernel.note(`erp takes ${key} as ${id} (${state})`);
    const outcome: PostOutcome = { outcome: 'posted', reference: { id } };
    this.#replays.set(key, { outcome, at: this.kernel.nowMs });
    return outcome;
  }

  readonly #owners = new Map<string, string>();

  /** Of which document the key is, also when the database has forgotten it; null: of a reversal. */
  #about(key: string): About | null {
    const known = this.#owners.get(key);
    if (known !== undefined) return { guid: known, key };
    for (const { keys, posting } of this.records.rows.values())
      if (keys.some((one) => one === key || settlementKey(one) === key)) {
        this.#owners.set(key, posting.guid);
        return { guid: posting.guid, key };
      }
    return null;
  }

  noteFate(fates: readonly StepName[], key: string, worker = ''): void {
    const about = this.#about(key);
    if (about)
      for (const fate of fates) this.kernel.history.note(fate, about, BY_WORKER.has(fate) ? worker : '');
  }

  /** `request`: what must be on record to the letter; a reversal's is the bridge's own. */
  checkIntent(records: MemoryRecords, key: string, request: string | null, worker?: string): void {
    if (records.stoppedAt !== null && this.kernel.nowMs - records.stoppedAt > UNDER_WAY_MS_MAX)
      this.violations.push(`12: sent ${key} although the tenant is stopped`);
    const { pausedAt } = records;
    const isPersons = key.startsWith('R');
    if (
      request !== null &&
      !isPersons &&
      pausedAt !== null &&
      this.kernel.nowMs - pausedAt > UNDER_WAY_MS_MAX
    )
      this.violations.push(`12: sent ${key} although the tenant is paused`);
    const rows = [...records.rows.values()];
    const row = rows.find(({ attempts }) => attempts.some((attempt) => attempt.key === key));
    const attempt = row?.attempts.findLast((one) => one.key === key);
    if (request !== null) this.noteFate(['send'], key, worker);
    if (attempt?.outcome !== null || (request !== null && sentOf(attempt) !== request))
      this.violations.push(`sent ${key} without its intent on record`);
    // Somebody who set out to release it earlier may have done so after all.
    if (row && records.released.delete(row.posting.id)) this.held.delete(row.posting.id);
    if (row && request !== null && !isPersons && this.held.has(row.posting.id))
      this.violations.push(`6: ${row.posting.documentNumber} was sent while an operator holds it`);
  }
}
