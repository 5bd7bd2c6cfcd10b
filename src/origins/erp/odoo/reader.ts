// Searching Odoo for what an origin reads, in one company.
import * as z from 'zod';
import type { ReadAnswer } from '../../../erp/answer.js';
import type { OdooClient } from '../../../erp/odoo/client.js';
import { partySpellings } from '../../../erp/partner-directory.js';
import { rejected, told } from '../../../erp/told.js';
import { answered } from '../answered.js';
import type { ErpPage } from '../erp-records.js';
import { odooCompanyId, odooStamped } from './wire.js';

const PAGE = 1_000;

export class OdooReader {
  readonly client: OdooClient;
  readonly #kennitala: string;
  #inCompany: Promise<void> | undefined;

  constructor(client: OdooClient, kennitala: string) {
    this.client = client;
    this.#kennitala = kennitala;
  }

  /** By id, with the time of the last change. */
  async list(
    model: string,
    domain: readonly unknown[],
    since: string | null,
    after: string | null,
  ): Promise<ErpPage> {
    const changed = since === null ? [] : [['write_date', '>=', asOdoo(since)]];
    const behind = after === null ? [] : [['id', '>', Number(after)]];
    const found = await this.find(model, [...domain, ...changed, ...behind], ['write_date'], odooStamped);
    const entries = found.map(({ id, write_date: at }) => ({
      ...{ id: String(id), at: at.replace(' ', 'T'), position: String(id) },
    }));
    return { entries, isFull: entries.length >= PAGE };
  }

  async find<T>(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    schema: z.ZodType<T>,
    order = 'id asc',
    limit = PAGE,
  ): Promise<T[]> {
    await this.#useCompany();
    return answered(await this.client.searchRead(model, domain, fields, schema, { limit, order }));
  }

  /** Those of the fields that this version of Odoo has; asking for another one is an error. */
  async known(model: string, fields: readonly string[]): Promise<readonly string[]> {
    await this.#useCompany();
    const call = { model, method: 'fields_get', arguments: { attributes: ['type'] } };
    const known = answered(await this.client.read(call, z.record(z.string(), z.unknown())));
    return fields.filter((field) => field in known);
  }

  /** Odoo refuses to speak of a model that it does not have: its module is not installed. Assumed: it refuses nobody else's question so. */
  async has(model: string): Promise<boolean> {
    await this.#useCompany();
    const call = { model, method: 'fields_get', arguments: { attributes: ['type'] } };
    const answer = await this.client.read(call, z.unknown());
    if (answer.outcome === 'rejected') return false;
    answered(answer);
    return true;
  }

  /** One that could not be found is looked for again. */
  #useCompany(): Promise<void> {
    this.#inCompany ??= this.#findCompany().catch((error: unknown) => {
      this.#inCompany = undefined;
      throw error;
    });
    return this.#inCompany;
  }

  async #findCompany(): Promise<void> {
    const numbers = partySpellings(this.#kennitala);
    const taxIds = [...numbers, ...numbers.map((number) => `IS${number}`)];
    const domain = ['|', ['company_registry', 'in', numbers], ['vat', 'in', taxIds]];
    const found = answered(
      await this.client.searchRead('res.company', domain, ['name'], odooCompanyId, { limit: 2 }),
    );
    const [company, another] = found;
    if (!company || another) answered(this.#notOne(company !== undefined));
    else this.client.useCompany(company.id);
  }

  #notOne(isThere: boolean): ReadAnswer<never> {
    const words = { system: 'Odoo', company: this.#kennitala };
    return rejected('wrong-company', told(isThere ? 'COMPANY_AMBIGUOUS' : 'COMPANY_NOT_SHOWN', words));
  }
}

/** Odoo compares times as it writes them: with a space, to the second. */
function asOdoo(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}
