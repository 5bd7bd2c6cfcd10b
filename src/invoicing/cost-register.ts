// The costs of an account, as whoever registers one looks for it again: by its guid, or by the mark in its description. Lists of one
// surface carry every receipt, so a list is read in small pages, and kept for some minutes for those who only want to know the past.
import type { Guid } from '../domain/ids.js';
import type { IsoDate, SourceCost } from '../domain/source-document.js';
import { marksIn } from '../domain/submission-key.js';
import { told } from '../language/messages.js';
import { AGENT_ENDPOINTS as agent } from './agent-endpoints.js';
import type { RecordList } from './answers.js';
import type { ApiClient } from './api-client.js';
import { CREDENTIAL_ENDPOINTS as credential } from './credential-endpoints.js';
import { decodeDocument } from './decode-document.js';
import type { FoundCost, Search } from './invoicing-target.js';
import type { Surface } from './source-settings.js';
import { isJsonObject } from './wire-json.js';
import type { DocumentRecord } from './wire-shapes.js';
import { asText } from './wire-types.js';
import { dayBeside, everyPage, heldAgainst, type Listed, valueOf } from './whole-lists.js';

const LATELY_MS = 10 * 60 * 1_000;
/** A page of the credential surface carries the files themselves. */
const PAGE_SIZE = { credential: 10, agent: 100 } as const;

interface Read {
  readonly since: IsoDate;
  readonly at: number;
  readonly costs: readonly FoundCost[];
}

export class CostRegister {
  readonly #client: ApiClient;
  readonly #surface: Surface;
  #lately: Read | null = null;

  constructor(client: ApiClient, surface: Surface) {
    this.#client = client;
    this.#surface = surface;
  }

  async find(mark: string, since: IsoDate, how: 'now' | 'lately'): Promise<Search<FoundCost>> {
    const from = dayBeside(since, -1);
    const known = how === 'lately' ? this.#known(from) : null;
    if (known) return { outcome: 'complete', found: known.filter((cost) => carries(cost, mark)) };
    const at = this.#client.now().getTime();
    const listed = this.#surface === 'agent' ? await this.#readTwice(from) : await this.#readCounted(from);
    if (listed.outcome === 'incomplete') return listed;
    const costs = [...listed.records.values()];
    this.#lately = { since: from, at, costs };
    return { outcome: 'complete', found: costs.filter((cost) => carries(cost, mark)) };
  }

  async read(guid: Guid): Promise<FoundCost | null> {
    const answer =
      this.#surface === 'agent'
        ? await this.#client.call(agent['get-cost'], { id: guid })
        : await this.#client.call(credential['get-cost'], { guid });
    if (answer.outcome === 'ok')
      return answer.value.readable ? asFound(answer.value.record.document) : withoutAmount(answer.value.raw);
    // Refused credentials look alike (Document 1, "Authentication" 5); whoever cannot be let in cannot list either.
    valueOf(await this.#count({}));
    return null;
  }

  #known(from: IsoDate): readonly FoundCost[] | null {
    const { since, at, costs } = this.#lately ?? { since: '', at: 0, costs: [] };
    const isFresh = this.#client.now().getTime() - at < LATELY_MS;
    return since !== '' && since <= from && isFresh ? costs : null;
  }

  #count(period: { readonly from_date?: string }) {
    return this.#surface === 'agent'
      ? this.#client.call(agent['count-costs'], period)
      : this.#client.call(credential['get-count-costs'], { ...period, date_filter: 'created_date' });
  }

  async #readCounted(from: IsoDate): Promise<Listed<FoundCost>> {
    const counted = valueOf(await this.#count({ from_date: from }));
    return heldAgainst(counted, await this.#pages(from), 'costs');
  }

  /** This surface counts by the date of a cost only (Document 2), so its list is held against itself. */
  async #readTwice(from: IsoDate): Promise<Listed<FoundCost>> {
    const [first, second] = [await this.#pages(from), await this.#pages(from)];
    if (first.outcome === 'incomplete') return first;
    if (second.outcome === 'incomplete') return second;
    const isSame = [...first.records.keys()].every((guid) => second.records.has(guid));
    return isSame ? second : { outcome: 'incomplete', ...told('COSTS_MOVED') };
  }

  #pages(from: IsoDate): Promise<Listed<FoundCost>> {
    const asked = { from_date: from, date_filter: 'created_date', limit: PAGE_SIZE[this.#surface] } as const;
    return everyPage(
      async (page) => {
        const list = valueOf(
          this.#surface === 'agent'
            ? await this.#client.call(agent['list-costs'], { ...asked, page })
            : await this.#client.call(credential['get-costs'], { ...asked, sort: 'created_asc', page }),
        );
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
