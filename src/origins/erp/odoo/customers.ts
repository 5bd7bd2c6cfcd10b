// Partners of Odoo that something was sold to.
import { readKennitala } from '../../../domain/kennitala.js';
import { partySpellings } from '../../../erp/party-key.js';
import { asReading, type ErpRecord } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { given } from '../given.js';
import type { OdooReader } from './reader.js';
import { CUSTOMER_FIELDS, odooCustomer, type OdooCustomer } from './wire.js';

const MODEL = 'res.partner';

/** null: it has no kennitala. */
export function customerOf(partner: OdooCustomer): ErpRecord | null {
  const numbers = [partner.company_registry, partner.vat.replace(/^IS/i, '')];
  const kennitala = numbers.map((written) => readKennitala(written).digits).find((digits) => digits !== null);
  if (kennitala === undefined) return null;
  const { name, email, phone: phone_number, street: address, zip, city, lang } = partner;
  const language = lang === '' ? '' : lang.startsWith('is') ? 'is' : 'en';
  const value = given({ kennitala, name, email, phone_number, address, zip, city, lang: language });
  return { kind: 'customer', reference: kennitala, value };
}

export class PartnersFeed implements ErpFeed {
  readonly name = 'partner';
  readonly kinds = ['customer'] as const;
  readonly isCoarse = true;
  readonly #reader: OdooReader;
  readonly #placeOf: (model: string, id: number) => string;

  constructor(reader: OdooReader, placeOf: (model: string, id: number) => string) {
    this.#reader = reader;
    this.#placeOf = placeOf;
  }

  list(since: string | null, after: string | null) {
    // Contacts of a company have its numbers; only the company itself is the customer.
    const domain = [
      ['parent_id', '=', false],
      ['customer_rank', '>', 0],
    ];
    return this.#reader.list(MODEL, domain, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const partners = await this.partners(ids.map(Number));
    return partners.flatMap((partner) => {
      const customer = customerOf(partner);
      return customer === null ? [] : [asReading(partner.id, this.#placeOf(MODEL, partner.id), [customer])];
    });
  }

  async find(kennitala: string): Promise<string | null> {
    const numbers = partySpellings(kennitala);
    const taxIds = [...numbers, ...numbers.map((number) => `IS${number}`)];
    const domain = [
      ['parent_id', '=', false],
      '|',
      ['company_registry', 'in', numbers],
      ['vat', 'in', taxIds],
    ];
    const [found] = await this.#reader.find(MODEL, domain, CUSTOMER_FIELDS, odooCustomer, 'id asc', 1);
    return found === undefined ? null : String(found.id);
  }

  partners(ids: readonly number[]): Promise<OdooCustomer[]> {
    return this.#reader.find(MODEL, [['id', 'in', ids]], CUSTOMER_FIELDS, odooCustomer);
  }
}
