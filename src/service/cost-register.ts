// The costs of an account, as whoever registers one looks for it again: by its guid, or by the mark in its description. Lists of one
// surface carry every receipt, so a list is read in small pages, and kept for some minutes for those who only want to know the past.
// Only a list that has as many as the service counts shows that a cost is not there.
import type { Guid } from '../domain/ids.js';
import type { IsoDate, SourceCost } from '../domain/source-document.js';
import { marksIn } from '../domain/submission.js';
import type { RecordList } from './answers.js';
import type { ApiClient } from './api-client.js';
import { decodeDocument } from './decode-document.js';
import type { CostDays, FoundCost, Search } from './invoicing-target.js';
import type { Surface } from './source-settings.js';
import { isJsonObject } from './wire-json.js';
import type { DocumentRecord } from './wire-shapes.js';
import { asText } from './wire-types.js';
import { dayBeside, everyPage, heldAgainst, type Listed, valueOf } from './whole-lists.js';
import { OPERATIONS } from './operations.js';

const LATELY_MS = 10 * 60 * 1_000;
/** A page of the credential surface carries the files themselves. */
const PAGE_SIZE = { credential: 10, agent: 100 } as const;

/** Lists that are kept; more would be those of many years. */
const KEPT_MAX = 100;

type DateFilter = 'date' | 'created_date';
interface Period {
  readonly from_date: IsoDate;
  readonly to_date?: IsoDate;
}

interface Read {
  readonly filter: DateFilter;
  readonly from: IsoDate;
  readonly at: number;
  readonly costs: readonly FoundCost[];
}

export class CostRegister {
  readonly #client: ApiClient;
  readonly #surface: Surface;
  readonly #kept = new Map<string, Read>();

  constructor(client: ApiClient, surface: Surface) {
    this.#client = client;
    this.#surface = surface;
  }

  /**
   * Document 2 counts costs by their date only, so there the list of that day is what shows that one is not there. Those that were created
   * since are looked through as well: people and AI change dates.
   */
  async find(mark: string, { date, since }: CostDays, how: 'now' | 'lately'): Promise<Search<FoundCost>> {
    const searches = [await this.#search('created_date', { from_date: dayBeside(since, -1) }, how)];
    if (this.#surface === 'agent' && date !== undefined)
      searches.push(await this.#search('date', { from_date: date, to_date: date }, how));
    const found = new Map<Guid, FoundCost>();
    for (const search of searches) {
      if (search.outcome === 'incomplete') return search;
      for (const cost of search.found) if (carries(cost, mark)) found.set(cost.guid, cost);
    }
    return { outcome: 'complete', found: [...found.values()] };
  }

  async read(guid: Guid): Promise<FoundCost | null> {
    const answer = await OPERATIONS.readCost[this.#surface](this.#client, guid);
    if (answer.outcome === 'ok')
      return answer.value.readable ? asFound(answer.value.record.document) : withoutAmount(answer.value.raw);
    // Refused credentials look alike (Document 1, "Authentication" 5); whoever cannot be let in cannot list either.
    valueOf(await this.#count('date', {}));
    return null;
  }

  async #search(filter: DateFilter, period: Period, how: 'now' | 'lately'): Promise<Search<FoundCost>> {
    const at = this.#client.now().getTime();
    const kept = how === 'lately' ? this.#known(filter, period.from_date) : undefined;
    if (kept !== undefined) return { outcome: 'complete', found: kept.costs };
    const listed = await this.#list(filter, period);
    if (listed.outcome === 'incomplete') return listed;
    const costs = [...listed.records.values()];
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(`${filter} ${period.from_date}`, { filter, from: period.from_date, at, costs });
    return { outcome: 'complete', found: costs };
  }

  /** What was created since a day is among what was created since an earlier one. */
  #known(wanted: DateFilter, day: IsoDate): Read | undefined {
    const now = this.#client.now().getTime();
    return [...this.#kept.values()].find(
      ({ filter, from, at }) =>
        filter === wanted &&
        (from === day || (filter === 'created_date' && from < day)) &&
        now - at < LATELY_MS,
    );
  }

  async #list(filter: DateFilter, period: Period): Promise<Listed<FoundCost>> {
    if (this.#surface === 'agent' && filter === 'created_date') return this.#pages(filter, period);
    const counted = valueOf(await this.#count(filter, period));
    return heldAgainst(counted, await this.#pages(filter, period), 'costs');
  }

  #count(filter: DateFilter, period: Partial<Period>) {
    return OPERATIONS.countCosts[this.#surface](this.#client, { filter, period });
  }

  #pages(filter: DateFilter, period: Period): Promise<Listed<FoundCost>> {
    const asked = { filter, period, limit: PAGE_SIZE[this.#surface] };
    return everyPage(
      async (page) => {
        const list = valueOf(await OPERATIONS.listCosts[this.#surface](this.#client, { ...asked, page }));
        return withUnread(list);
      },
      ({ guid }) => guid,
    );
  }
}

/** With those that cannot be booked yet, and can be seen to stand there. */
function withUnread(list: RecordList<DocumentRecord<SourceCost>>): RecordList<FoundCost> {
  const read = list.records.map(({ document }) => asFound(document));
  const unread = list.problems.map((problem) => ({ problem, found: withoutAmount(problem.raw) }));
  return {
    ...list,
    records: [...read, ...unread.flatMap(({ found }) => found ?? [])],
    problems: unread.filter(({ found }) => found === null).map(({ problem }) => problem),
  };
}

/**
 * A receipt that nobody has read has no amount ("re-fetch to read extracted values", Document 2), and how that is written is not said.
 * null: something else is wrong with it.
 */
function withoutAmount(raw: unknown): FoundCost | null {
  if (!isJsonObject(raw) || asText(raw['amount']) !== '') return null;
  const decoded = decodeDocument('cost', { ...raw, amount: 0 });
  if (decoded.outcome !== 'decoded' || decoded.document.kind !== 'cost') return null;
  return { ...asFound(decoded.document), amount: null };
}

function carries({ description }: FoundCost, mark: string): boolean {
  return marksIn(description).includes(mark);
}

function asFound({
  guid,
  description,
  amount,
  currency,
  supplierId,
  accountingStatus,
}: SourceCost): FoundCost {
  return { guid, description, amount: amount.toFixed(2), currency, supplierId, accountingStatus };
}
