// Customers and vendors in dk, whose number is the kennitala.
import { createPartnerDirectory, type PartnerDirectory, type PartnerKind } from '../partner-directory.js';
import type { DkClient } from './client.js';
import type { DkPlusConfiguration } from './config.js';
import { toDkPartner } from './translate.js';
import type { DkPartner } from './wire.js';

export function createDkPartners(
  client: DkClient,
  { partners, customerGroup }: DkPlusConfiguration,
): PartnerDirectory<DkPartner> {
  return createPartnerDirectory<DkPartner>({
    mayCreate: partners.create,
    async find(wanted) {
      const answer = await client.partner(bookOf(wanted.kind), wanted.kennitala);
      if (answer.outcome !== 'ok') return answer;
      return { outcome: 'ok', value: answer.value ? [answer.value] : [] };
    },
    create: (party) => {
      const fields = toDkPartner(party, party.kennitala.replace('-', ''), customerGroup);
      return client.createPartner(bookOf(party.kind), fields);
    },
  });
}

function bookOf(kind: PartnerKind): 'Customer' | 'Vendor' {
  return kind === 'customer' ? 'Customer' : 'Vendor';
}
