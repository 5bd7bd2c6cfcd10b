// Searching Tryton for what an origin reads. Records are listed by id, with the newest stamp of them and of what belongs to them.
import * as z from 'zod';
import type { TrytonModels } from '../../../erp/tryton/models.js';
import type { TrytonCompany } from '../../../erp/tryton/setup.js';
import { answered } from '../answered.js';
import type { ErpPage } from '../erp-records.js';
import { stamp, wireStamp } from './wire.js';
import { wireInteger } from '../../../http/wire-json.js';

const PAGE = 1_000;
const STAMPS = ['create_date', 'write_date'];
const stamps = { create_date: wireStamp, write_date: wireStamp.nullable() };
/** Of what belongs to a record, only when it was last changed. */
const wireChildren = z.array(
  z.object(stamps).transform(({ create_date: made, write_date: written }) => written ?? made),
);

export class TrytonReader {
  readonly models: TrytonModels;
  readonly #company: () => Promise<TrytonCompany>;

  constructor(models: TrytonModels, company: () => Promise<TrytonCompany>) {
    this.models = models;
    this.#company = company;
  }

  company(): Promise<TrytonCompany> {
    return this.#company();
  }

  /** `children`: what belongs to a record and has dates of its own, such as the addresses of a party. */
  async list(
    model: string,
    domain: readonly unknown[],
    children: readonly string[],
    since: string | null,
    after: string | null,
  ): Promise<ErpPage> {
    const dates = [...STAMPS, ...children.flatMap((child) => STAMPS.map((date) => `${child}.${date}`))];
    const changed = since === null ? [] : [['OR', ...dates.map((date) => [date, '>=', stamp(since)])]];
    const behind = after === null ? [] : [['id', '>', Number(after)]];
    const schema = z.array(z.object({ id: wireInteger, ...stamps }).catchall(wireChildren));
    const found = await this.find(model, [...domain, ...changed, ...behind], dates, schema, PAGE);
    const entries = found.map(({ id, create_date: made, write_date: written, ...theirs }) => {
      const at = [made, written ?? made, ...Object.values(theirs).flat()].sort().at(-1) ?? made;
      return { id: String(id), at, position: String(id) };
    });
    return { entries, isFull: entries.length >= PAGE };
  }

  async find<T>(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    schema: z.ZodType<T>,
    limit = PAGE,
  ): Promise<T> {
    return answered(await this.models.find(model, domain, fields, schema, await this.context(), limit));
  }

  /** What is not active any more is seen too. */
  async context(): Promise<{ readonly company: number; readonly active_test: false }> {
    return { company: (await this.#company()).id, active_test: false };
  }
}
