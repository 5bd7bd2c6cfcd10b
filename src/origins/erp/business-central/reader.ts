// Reading Business Central for an origin. Lists go by number, which a page can be continued behind: an `or` over the time of a change and
// something else, which a list by time would need, is not offered.
import type * as z from 'zod';
import { NUMBERS_AT_ONCE } from '../../../erp/business-central/assumptions.js';
import { type BcClient, literal } from '../../../erp/business-central/client.js';
import type { BusinessCentralConfiguration } from '../../../erp/business-central/config.js';
import { companyName } from '../../../erp/business-central/setup.js';
import { answered } from '../answered.js';
import type { ErpPage } from '../erp-records.js';
import { bcFound, bcStamped } from './wire.js';

const PAGE = 1_000;

export class BcReader {
  readonly client: BcClient;
  readonly configuration: BusinessCentralConfiguration;
  #isOurs: Promise<unknown> | undefined;

  constructor(client: BcClient, configuration: BusinessCentralConfiguration) {
    this.client = client;
    this.configuration = configuration;
  }

  async list(
    set: string,
    filters: readonly string[],
    since: string | null,
    after: string | null,
  ): Promise<ErpPage> {
    const $filter = [
      ...filters,
      ...(since === null ? [] : [`lastModifiedDateTime ge ${since}Z`]),
      ...(after === null ? [] : [`number gt ${literal(after)}`]),
    ].join(' and ');
    const query = { $orderby: 'number', $select: 'number,lastModifiedDateTime', $top: String(PAGE) };
    const found = await this.find(set, $filter === '' ? query : { ...query, $filter }, bcStamped);
    const entries = found.map(({ number, lastModifiedDateTime: at }) => ({
      ...{ id: number, at, position: number },
    }));
    return { entries, isFull: entries.length >= PAGE };
  }

  /** Those of these numbers that are there. */
  numbered<T>(
    set: string,
    numbers: readonly string[],
    item: z.ZodType<T>,
    filters: readonly string[] = [],
    more: Readonly<Record<string, string>> = {},
  ): Promise<T[]> {
    return this.with(set, 'number', numbers, item, filters, more);
  }

  /** Those that have one of these values in that field. */
  async with<T>(
    set: string,
    field: string,
    values: readonly string[],
    item: z.ZodType<T>,
    filters: readonly string[] = [],
    more: Readonly<Record<string, string>> = {},
  ): Promise<T[]> {
    const found: T[] = [];
    for (let start = 0; start < values.length; start += NUMBERS_AT_ONCE) {
      const some = values.slice(start, start + NUMBERS_AT_ONCE);
      const $filter = [...filters, anyOf(field, some)].join(' and ');
      found.push(...(await this.find(set, { ...more, $filter }, item)));
    }
    return found;
  }

  async theOne(set: string, field: string, values: readonly string[]) {
    const query = { $filter: anyOf(field, values), $orderby: 'number', $select: 'id,number', $top: '1' };
    const [found] = await this.find(set, query, bcFound);
    return found ?? null;
  }

  async find<T>(set: string, query: Readonly<Record<string, string>>, item: z.ZodType<T>): Promise<T[]> {
    await this.#checkCompany();
    return answered(await this.client.list(set, query, item));
  }

  /** A mistaken id would hand over what another company sells. One that could not be asked is asked again. */
  #checkCompany(): Promise<unknown> {
    this.#isOurs ??= companyName(this.client, this.configuration)
      .then(answered)
      .catch((error: unknown) => {
        this.#isOurs = undefined;
        throw error;
      });
    return this.#isOurs;
  }
}

/** Over one field, as Business Central has it. */
export function anyOf(field: string, values: readonly string[]): string {
  return `(${values.map((value) => `${field} eq ${literal(value)}`).join(' or ')})`;
}
