// What clients did, and which documented rule they broke. A ring of fixed size, so that a million requests cost no more
// memory than the first ten thousand; the counts by rule go on for ever.
import { RULES, type BrokenRule, type RuleId } from './rules.js';

export interface JournalEntry {
  readonly id: number;
  /** The service's clock, ISO 8601. */
  readonly at: string;
  readonly surface: 'credential' | 'agent' | 'oauth';
  readonly method: string;
  /** As in the route table: get-costs, GET /costs/{id}. */
  readonly endpoint: string;
  /** Path and query, secrets blanked. */
  readonly url: string;
  /** Username, or null when nobody was recognised. */
  readonly account: string | null;
  /** Client id on the agent surface. */
  readonly agent: string | null;
  /** null: no answer was sent. */
  readonly httpStatus: number | null;
  readonly message: string;
  readonly fault: string | null;
  readonly broken: readonly BrokenRule[];
  readonly milliseconds: number;
}

/** As it is kept: formatting waits until somebody reads. */
export type WrittenEntry = Omit<JournalEntry, 'id' | 'at'> & { readonly atMs: number };

export interface JournalFilter {
  readonly sinceId?: number;
  readonly account?: string;
  readonly endpoint?: string;
  readonly onlyBroken?: boolean;
  readonly limit?: number;
}

const SECRET_FIELDS = /([?&](?:api_key|client_secret|code|access_token|refresh_token|en4_maint_code)=)[^&]*/g;
const URL_LENGTH_MAX = 500;

export class Journal {
  readonly #ring: (WrittenEntry | undefined)[];
  #written = 0;
  readonly #brokenTotals = new Map<RuleId, number>();

  constructor(size: number) {
    this.#ring = new Array<WrittenEntry | undefined>(Math.max(1, size));
  }

  get total(): number {
    return this.#written;
  }

  write(entry: WrittenEntry): void {
    this.#written += 1;
    this.#ring[this.#written % this.#ring.length] = entry;
    for (const { rule } of entry.broken)
      this.#brokenTotals.set(rule, (this.#brokenTotals.get(rule) ?? 0) + 1);
  }

  /** Oldest first; of more than `limit`, the newest ones. */
  read(filter: JournalFilter = {}): JournalEntry[] {
    const limit = Math.min(filter.limit ?? this.#ring.length, this.#ring.length);
    const oldest = Math.max(1, this.#written - this.#ring.length + 1, (filter.sinceId ?? 0) + 1);
    const found: JournalEntry[] = [];
    for (let id = this.#written; id >= oldest && found.length < limit; id -= 1) {
      const entry = this.#ring[id % this.#ring.length];
      if (entry !== undefined && accepts(entry, filter)) found.push(readable(entry, id));
    }
    return found.reverse();
  }

  brokenRules(): { rule: RuleId; text: string; count: number }[] {
    return [...this.#brokenTotals].map(([rule, count]) => ({ rule, text: RULES[rule], count }));
  }

  clear(): void {
    this.#ring.fill(undefined);
    this.#brokenTotals.clear();
  }
}

function readable({ atMs, ...entry }: WrittenEntry, id: number): JournalEntry {
  return {
    ...entry,
    id,
    at: new Date(atMs).toISOString(),
    url: entry.url.slice(0, URL_LENGTH_MAX).replace(SECRET_FIELDS, '$1***'),
  };
}

function accepts(entry: WrittenEntry, filter: JournalFilter): boolean {
  if (filter.account !== undefined && entry.account !== filter.account) return false;
  if (filter.endpoint !== undefined && entry.endpoint !== filter.endpoint) return false;
  return filter.onlyBroken !== true || entry.broken.length > 0;
}
