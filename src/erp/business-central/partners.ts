// Customers and vendors of Business Central, by kennitala. A new one is numbered by it, so that a second is refused by
// Business Central itself, whoever tries.
import type { ReadAnswer } from '../answer.js';
import type { Rejected } from '../erp-adapter.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  type PartnerKind,
  partyNumber,
  partySpellings,
} from '../partner-directory.js';
import { rejected, told } from '../told.js';
import { type BcClient, literal } from './client.js';
import type { BusinessCentralConfiguration } from './config.js';
import { toBcPartner } from './translate.js';
import { bcPartner, type BcPartner } from './wire.js';

const ENTITY_SETS = { customer: 'customers', supplier: 'vendors' } as const;

export function createBcPartners(
  client: BcClient,
  configuration: Pick<BusinessCentralConfiguration, 'partners' | 'partnersBy'>,
  /** A document says its currency itself. */
  anyCurrency = false,
): PartnerDirectory<string> {
  return createPartnerDirectory<string>({
    mayCreate: configuration.partners.create,
    async find({ kind, kennitala }): Promise<ReadAnswer<string[]>> {
      // Where the kennitala is the number, people may yet have entered a partner under a number of their own.
      for (const field of new Set([configuration.partnersBy, 'taxRegistrationNumber'] as const)) {
        const found = await findBy(client, field, kind, kennitala, anyCurrency);
        if (found.outcome !== 'ok' || found.value.length > 0) return found;
      }
      return { outcome: 'ok', value: [] };
    },
    async create(party) {
      const body = JSON.stringify(toBcPartner(party));
      const answer = await client.create(ENTITY_SETS[party.kind], body, bcPartner);
      return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value.number } : answer;
    },
  });
}

async function findBy(
  client: BcClient,
  field: BusinessCentralConfiguration['partnersBy'],
  kind: PartnerKind,
  kennitala: string,
  anyCurrency: boolean,
): Promise<ReadAnswer<string[]>> {
  const $filter = partySpellings(kennitala)
    .map((each) => `${field} eq ${literal(each)}`)
    .join(' or ');
  const answer = await client.list(ENTITY_SETS[kind], { $filter, $top: '5' }, bcPartner);
  if (answer.outcome !== 'ok') return answer;
  const problem = answer.value
    .map((partner) => problemOf(partner, anyCurrency))
    .find((each) => each !== null);
  return problem ?? { outcome: 'ok', value: answer.value.map((partner) => partner.number) };
}

/** A partner's own currency would become the line's, and journal lines of the API cannot say otherwise. */
function problemOf(partner: BcPartner, anyCurrency: boolean): Rejected | null {
  const { number, currencyCode = '', blocked = '' } = partner;
  if (!anyCurrency && currencyCode !== '' && currencyCode !== 'ISK') {
    const words = told('PARTNER_IN_CURRENCY', { partner: number, currency: currencyCode });
    return rejected('unsupported', words);
  }
  const words = told('PARTNER_BLOCKED', { system: 'Business Central', partner: number });
  return blocked === 'All' ? rejected('unknown-party', words) : null;
}

const KENNITALA = /^\d{10}$/;
const KEPT_MAX = 5_000;

/** Whose number it is, for documents that are read back: the number itself, or the registration number of the partner who has it. */
export class BcKennitalas {
  readonly #client: BcClient;
  readonly #kept = new Map<string, string>();

  constructor(client: BcClient) {
    this.#client = client;
  }

  async read(kind: PartnerKind, number: string): Promise<ReadAnswer<string>> {
    const plain = partyNumber(number);
    if (KENNITALA.test(plain)) return { outcome: 'ok', value: plain };
    const kept = this.#kept.get(`${kind}/${number}`);
    if (kept !== undefined) return { outcome: 'ok', value: kept };
    const query = { $filter: `number eq ${literal(number)}`, $top: '1' };
    const answer = await this.#client.list(ENTITY_SETS[kind], query, bcPartner);
    if (answer.outcome !== 'ok') return answer;
    // A foreign one may have its number alone.
    const value = partyNumber(answer.value[0]?.taxRegistrationNumber ?? '') || plain;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(`${kind}/${number}`, value);
    return { outcome: 'ok', value };
  }
}
