// Customers and vendors of Business Central, by kennitala. A new one is numbered by it, so that a second is refused by
// Business Central itself, whoever tries.
import type { ReadAnswer } from '../answer.js';
import type { Rejected } from '../erp-adapter.js';
import { createPartnerDirectory, type PartnerDirectory, type PartnerKind } from '../partner-directory.js';
import { partySpellings } from '../party-key.js';
import { rejected, told } from '../told.js';
import { type BcClient, literal } from './client.js';
import type { BusinessCentralConfiguration } from './config.js';
import { toBcPartner } from './translate.js';
import { bcPartner, type BcPartner } from './wire.js';

const ENTITY_SETS = { customer: 'customers', supplier: 'vendors' } as const;

export function createBcPartners(
  client: BcClient,
  configuration: Pick<BusinessCentralConfiguration, 'partners' | 'partnersBy'>,
): PartnerDirectory<string> {
  return createPartnerDirectory<string>({
    mayCreate: configuration.partners.create,
    async find({ kind, kennitala }): Promise<ReadAnswer<string[]>> {
      // Where the kennitala is the number, people may yet have entered a partner under a number of their own.
      for (const field of new Set([configuration.partnersBy, 'taxRegistrationNumber'] as const)) {
        const found = await findBy(client, field, kind, kennitala);
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
): Promise<ReadAnswer<string[]>> {
  const $filter = partySpellings(kennitala)
    .map((each) => `${field} eq ${literal(each)}`)
    .join(' or ');
  const answer = await client.list(ENTITY_SETS[kind], { $filter, $top: '5' }, bcPartner);
  if (answer.outcome !== 'ok') return answer;
  const problem = answer.value.map((partner) => problemOf(kind, partner)).find((each) => each !== null);
  return problem ?? { outcome: 'ok', value: answer.value.map((partner) => partner.number) };
}

/** A partner's own currency would become the line's, and journal lines of the API cannot say otherwise. */
function problemOf(kind: PartnerKind, partner: BcPartner): Rejected | null {
  const { number, currencyCode = '', blocked = '' } = partner;
  if (currencyCode !== '' && currencyCode !== 'ISK') {
    const words = told('PARTNER_IN_CURRENCY', { partner: number, currency: currencyCode });
    return rejected('unsupported', words);
  }
  const words = told('PARTNER_BLOCKED', { system: 'Business Central', partner: number });
  return blocked === 'All' ? rejected('unknown-party', words) : null;
}
