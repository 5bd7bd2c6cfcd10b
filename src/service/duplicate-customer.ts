// Write rule 7: creating a customer never looks for an existing one, so somebody has to.
import { AGENT_ENDPOINTS } from './agent-endpoints.js';
import type { ApiClient } from './api-client.js';
import { CREDENTIAL_ENDPOINTS } from './credential-endpoints.js';
import type { Surface } from './source-settings.js';
import { isJsonObject } from './wire-json.js';
import { asText } from './wire-types.js';

/** The guid of a customer with the kennitala of `data`; null where there is none, or no kennitala to look for. */
export async function findDuplicateCustomer(
  client: ApiClient,
  surface: Surface,
  data: unknown,
): Promise<string | null> {
  const kennitala = isJsonObject(data) ? asText(data['kennitala'] ?? data['registration_no']) : null;
  if (kennitala === null || kennitala === '') return null;
  const answer =
    surface === 'agent'
      ? await client.call(AGENT_ENDPOINTS['list-customers'], { kennitala, limit: 100, page: 1 })
      : await client.call(CREDENTIAL_ENDPOINTS['get-customers-by-kennitala'], {
          kennitala,
          limit: 100,
          page: 1,
        });
  if (answer.outcome === 'refused') return null;
  // One form of the agent list matches partially; only the same number counts.
  return answer.value.records.find((record) => record.registration_no === kennitala)?.guid ?? null;
}
