// The customers of an account, as whoever keeps them in step looks for them: by kennitala, or all of them.
import type { Guid } from '../domain/ids.js';
import { told } from '../language/messages.js';
import { AGENT_ENDPOINTS as agent } from './agent-endpoints.js';
import type { ApiClient } from './api-client.js';
import type { FoundCustomer, Search } from './invoicing-target.js';
import type { Surface } from './source-settings.js';
import { everyPage, heldAgainst, valueOf } from './whole-lists.js';
import { OPERATIONS } from './operations.js';
import { isJsonObject } from './wire-json.js';
import { asText } from './wire-types.js';

const CUSTOMERS_MAX = 100;

interface Customer {
  readonly guid: Guid;
  readonly registration_no: string;
}

export class CustomerBook {
  readonly #client: ApiClient;
  readonly #surface: Surface;

  constructor(client: ApiClient, surface: Surface) {
    this.#client = client;
    this.#surface = surface;
  }

  async find(kennitala: string): Promise<Search<FoundCustomer>> {
    const asked = { kennitala, limit: CUSTOMERS_MAX, page: 1 };
    const list = valueOf(await OPERATIONS.customersOf[this.#surface](this.#client, asked));
    const [problem] = list.problems;
    if (problem)
      return { outcome: 'incomplete', ...told('CUSTOMER_UNREADABLE', { problem: problem.problem }) };
    // One form of the agent list matches partially; only the same number counts.
    const found = list.records.filter((record) => isSame(record, kennitala)).map(asFound);
    return { outcome: 'complete', found: found.length > 0 ? found : await this.#deactivated(kennitala) };
  }

  /** Those that are not deactivated, where the surface tells them apart. */
  async list(): Promise<Search<FoundCustomer>> {
    const counted = valueOf(await OPERATIONS.countCustomers[this.#surface](this.#client, {}));
    const pages = await everyPage(
      async (page) => {
        const paged = { page, limit: CUSTOMERS_MAX };
        return valueOf(await OPERATIONS.listCustomers[this.#surface](this.#client, paged));
      },
      ({ guid }) => guid,
    );
    const listed = heldAgainst(counted, pages, 'customers');
    if (listed.outcome === 'incomplete') return listed;
    return { outcome: 'complete', found: [...listed.records.values()].map(asFound) };
  }

  /** Document 2: the search includes deactivated profiles. Document 1 has no way to see them. A refusal says nothing of them. */
  async #deactivated(kennitala: string): Promise<FoundCustomer[]> {
    if (this.#surface !== 'agent') return [];
    const answer = await this.#client.call(agent['list-customers'], {
      search: kennitala,
      limit: CUSTOMERS_MAX,
      page: 1,
    });
    if (answer.outcome !== 'ok') return [];
    const same = answer.value.records.filter((record) => isSame(record, kennitala));
    return same.map((record) => ({ ...asFound(record), isDeactivated: true }));
  }
}

function isSame({ registration_no: number }: Customer, kennitala: string): boolean {
  return number.replace(/\D/g, '') === kennitala;
}

function asFound({ guid, ...fields }: Customer): FoundCustomer {
  const shown: Readonly<Record<string, unknown>> = fields;
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(shown)) {
    if (typeof value === 'string') texts[name] = value;
    if (typeof value === 'boolean') texts[name] = value ? '1' : '0';
  }
  return { guid, fields: texts };
}

// Write rule 7: creating a customer never looks for an existing one, so somebody has to.

/** The guid of a customer with the kennitala of `data`; null where there is none, or no kennitala to look for. */
export async function findDuplicateCustomer(
  client: ApiClient,
  surface: Surface,
  data: unknown,
): Promise<string | null> {
  const kennitala = isJsonObject(data) ? asText(data['kennitala'] ?? data['registration_no']) : null;
  if (kennitala === null || kennitala === '') return null;
  const answer = await OPERATIONS.customersOf[surface](client, { kennitala, limit: 100, page: 1 });
  if (answer.outcome === 'refused') return null;
  // One form of the agent list matches partially; only the same number counts.
  return answer.value.records.find((record) => record.registration_no === kennitala)?.guid ?? null;
}
