// Partners of Odoo, by kennitala. No field of a partner is unique, but an external id is: a new partner is imported under
// one made of its kennitala, so that Odoo itself keeps it to one, whoever tries, at once or late.
import type { z } from 'zod';
import type { Answer, ReadAnswer } from '../answer.js';
import { createPartnerDirectory, type PartnerDirectory } from '../partner-directory.js';
import { partySpellings } from '../party-key.js';
import { rejected, told } from '../told.js';
import { CONFLICT, IMPORT_ONCE } from './assumptions.js';
import type { OdooClient } from './client.js';
import { externalIdOf, toPartnerImport } from './translate.js';
import { loadReply, odooPartner } from './wire.js';

const PARTNERS_MAX = 5;

export function createOdooPartners(client: OdooClient, mayCreate: boolean): PartnerDirectory<number> {
  return createPartnerDirectory<number>({
    mayCreate,
    find: ({ kennitala }) => partnersWith(client, kennitala),
    async create(party) {
      const call = { model: 'res.partner', method: 'load', context: IMPORT_ONCE };
      const answer = await client.call({ ...call, arguments: toPartnerImport(party) }, loadReply);
      if (answer.outcome !== 'ok') return answer;
      const [id] = answer.value.ids || [];
      return id === undefined ? notLoaded(answer.value) : confirmed(client, id, party.kennitala);
    },
  });
}

async function partnersWith(client: OdooClient, kennitala: string): Promise<ReadAnswer<number[]>> {
  const numbers = partySpellings(kennitala);
  // Contacts of a company inherit its numbers; only the company itself is the partner.
  const domain = [
    ['parent_id', '=', false],
    '|',
    ['company_registry', 'in', numbers],
    ['vat', 'in', [...numbers, ...numbers.map((number) => `IS${number}`)]],
  ];
  const fields = ['vat', 'company_registry'];
  const answer = await client.searchRead('res.partner', domain, fields, odooPartner, { limit: PARTNERS_MAX });
  return answer.outcome === 'ok'
    ? { outcome: 'ok', value: answer.value.map((partner) => partner.id) }
    : answer;
}

/** Another import of the same partner was faster: the directory looks once more. Everything else is a refusal. */
function notLoaded({ messages }: z.infer<typeof loadReply>): Answer<number> {
  const message = messages.map((each) => each.message).join(' ') || 'no reason given';
  return CONFLICT.test(message)
    ? { outcome: 'unknown', ...told('SYSTEM_SAYS', { system: 'Odoo', answer: message }) }
    : rejected('invalid', told('PARTNER_NOT_MADE', { answer: message }));
}

/** What stands under the external id may have been archived or renumbered since, and is then not to be booked on. */
async function confirmed(client: OdooClient, id: number, kennitala: string): Promise<Answer<number>> {
  const found = await partnersWith(client, kennitala);
  if (found.outcome !== 'ok') return found;
  if (found.value.includes(id)) return { outcome: 'ok', value: id };
  const words = told('PARTNER_CHANGED', { kennitala, id: externalIdOf(kennitala) });
  return rejected('unknown-party', words);
}
