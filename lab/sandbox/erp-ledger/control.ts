// What a test or a demo can say to the ledger behind the client's back, in-process; control-routes.ts offers the same by HTTP.
import type {
  BehaviourChange,
  ChartInput,
  FaultKind,
  LedgerBehaviour,
  Period,
  ScriptedFault,
} from './behaviour.js';
import type { LedgerEntry } from './books.js';

export interface LedgerCounts {
  readonly entries: number;
  /** Distinct keys. */
  readonly keys: number;
  /** Keys with more than one live entry: what must never be above zero. */
  readonly duplicatedKeys: number;
  readonly requests: number;
  readonly stored: number;
  readonly replayed: number;
  readonly duplicatesRefused: number;
  readonly collisionsRefused: number;
  readonly refused: number;
  readonly unauthorized: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
}

export interface ErpLedgerControl {
  behaviour(): LedgerBehaviour;
  /** Changes what is named and leaves the rest. */
  set(change: BehaviourChange): void;
  /** The next requests of this kind (default: one post) meet this fault, before any that chance would choose. */
  failNext(fault: ScriptedFault): void;
  closePeriod(period: Period): void;
  openAllPeriods(): void;
  /** Null: any account, VAT code and dimension is taken. */
  setChart(chart: ChartInput | null): void;
  /** In the order of posting. The whole of a large ledger is a large answer: name a limit, or walk `keys`. */
  entries(range?: { readonly offset?: number; readonly limit?: number }): LedgerEntry[];
  entriesByKey(key: string): LedgerEntry[];
  entryById(id: string): LedgerEntry | undefined;
  /** Live entries per key: neither reversed nor reversals. */
  liveCount(key: string): number;
  /** Keys with more than one live entry, at most `limit` of them. */
  duplicatedKeys(limit?: number): string[];
  keys(): string[];
  counts(): LedgerCounts;
  /** Puts back what `entries` gave earlier, reversals and attachments included, into books that are empty. */
  restore(entries: readonly LedgerEntry[]): void;
  /** Forgets entries, counts, faults under way and closed periods; behaviour and chart stay. */
  reset(): void;
}
