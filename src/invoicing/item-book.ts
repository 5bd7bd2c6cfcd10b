// The catalogue of an account, as whoever keeps it in step looks at it. The service searches it by nothing (both documents), so it is
// read whole, and kept for some minutes for those who only want to know the past.
import type { Guid } from '../domain/ids.js';
import { AGENT_ENDPOINTS as agent } from './agent-endpoints.js';
import type { ApiClient } from './api-client.js';
import { CREDENTIAL_ENDPOINTS as credential } from './credential-endpoints.js';
import type { CallResult } from './endpoint.js';
import type { FoundItem, Search } from './invoicing-target.js';
import type { Surface } from './source-settings.js';
import { everyPage, heldAgainst, valueOf } from './whole-lists.js';

const LATELY_MS = 10 * 60 * 1_000;
const PAGE_SIZE = 100;
type WireItem = CallResult<(typeof credential)['get-item']>;

export class ItemBook {
  readonly #client: ApiClient;
  readonly #surface: Surface;
  #lately: { readonly at: number; readonly items: readonly FoundItem[] } | null = null;

  constructor(client: ApiClient, surface: Surface) {
    this.#client = client;
    this.#surface = surface;
  }

  async list(how: 'now' | 'lately'): Promise<Search<FoundItem>> {
    const at = this.#client.now().getTime();
    if (how === 'lately' && this.#lately !== null && at - this.#lately.at < LATELY_MS)
      return { outcome: 'complete', found: this.#lately.items };
    const counted = valueOf(await this.#count());
    const pages = await everyPage(
      (page) => this.#page(page),
      ({ guid }) => guid,
    );
    const listed = heldAgainst(counted, pages, 'items');
    if (listed.outcome === 'incomplete') return listed;
    const items = [...listed.records.values()].map(asFound);
    this.#lately = { at, items };
    return { outcome: 'complete', found: items };
  }

  async read(guid: Guid): Promise<FoundItem | null> {
    const answer =
      this.#surface === 'agent'
        ? await this.#client.call(agent['get-item'], { id: guid })
        : await this.#client.call(credential['get-item'], { guid });
    if (answer.outcome === 'ok') return asFound(answer.value);
    // Refused credentials look alike (Document 1, "Authentication" 5); whoever is not let in cannot count either.
    valueOf(await this.#count());
    return null;
  }

  #count() {
    return this.#surface === 'agent'
      ? this.#client.call(agent['count-items'], {})
      : this.#client.call(credential['get-count-items'], {});
  }

  async #page(page: number) {
    const asked = { page, limit: PAGE_SIZE };
    return valueOf(
      this.#surface === 'agent'
        ? await this.#client.call(agent['list-items'], asked)
        : await this.#client.call(credential['get-items'], asked),
    );
  }
}

function asFound(item: WireItem): FoundItem {
  const { guid, item_number: number, description, uom, tax, category } = item;
  const fields = { description, uom, tax, category, unit_price: item.unit_price.toFixed() };
  return { guid, number, fields: { ...fields, active: item.active ? '1' : '0' } };
}
