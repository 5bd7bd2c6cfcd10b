// The parts of Business Central's entities that an origin reads. What is empty is an empty text, and a blank date the first day of year one.
import * as z from 'zod';
import { madeOf } from '../../../domain/made-of.js';
import { BLANK_DATE, type BusinessCentralConfiguration, NUMBERS_AT_ONCE } from '../settings.js';
import { wireAmount, wireInteger } from '../../../http/wire-json.js';
import { type BcClient, literal } from '../client.js';
import { companyName } from '../facts.js';
import { answered, asAnswer } from '../../answer.js';
import { type ErpPage, noteOf } from '../../../origins/erp-records.js';
import type { Told } from '../../../origins/origin.js';

const text = madeOf(z.string().nullish(), (value) => value?.trim() ?? '');
const date = madeOf(text, (value) => (value === BLANK_DATE ? '' : value));

/** Times are in UTC, with as many decimals as they need; here all have three, so that text sorts as time. */
const stamp = madeOf(z.iso.datetime(), (written) => new Date(written).toISOString().slice(0, -1));

export const bcStamped = z.object({ number: z.string(), lastModifiedDateTime: stamp });

export const bcFound = z.object({ id: z.string(), number: z.string() });

export const bcCustomer = z.object({
  ...{ number: z.string(), displayName: text, taxRegistrationNumber: text, email: text, phoneNumber: text },
  ...{ addressLine1: text, postalCode: text, city: text },
});
export type BcCustomer = z.infer<typeof bcCustomer>;

export const bcItem = z.object({
  ...{ number: z.string(), displayName: text, unitPrice: wireAmount, taxGroupCode: text },
  ...{ priceIncludesTax: z.boolean(), blocked: z.boolean(), baseUnitOfMeasureCode: text },
});
export type BcItem = z.infer<typeof bcItem>;

const saleLine = z.object({
  ...{ lineObjectNumber: text, description: text, unitOfMeasureCode: text, quantity: wireAmount },
  ...{ unitPrice: wireAmount, discountPercent: wireAmount, taxPercent: wireAmount, netAmount: wireAmount },
});
export type BcSaleLine = z.infer<typeof saleLine>;

const sale = z.object({
  ...{ number: z.string(), date, dueDate: date, requestedDeliveryDate: date, customerNumber: z.string() },
  ...{ currencyCode: text, externalDocumentNumber: text, invoiceNumber: text },
  ...{ totalAmountIncludingTax: wireAmount, lines: z.array(saleLine) },
});
export type BcSale = z.infer<typeof sale>;

export const bcNote = z.object({ id: z.string(), fileName: text });

/** Where no time is told, the size alone tells versions apart. */
export const bcFile = madeOf(
  z.object({ id: z.string(), fileName: text, byteSize: wireInteger, lastModifiedDateTime: text }),
  ({ lastModifiedDateTime: at, ...file }) => ({
    ...file,
    version: `${at} ${String(file.byteSize)}`.trim(),
  }),
);

export interface SaleSetFacts {
  readonly lines: string;
  readonly date: string;
  /** Those that are handed over: of invoices and credit memos the posted ones, of orders the released, of quotes those that a customer has. */
  readonly statuses: readonly string[];
  /** What a reference begins with. */
  readonly word: string;
  /** Recalled, not tried: the list for people, and the table behind it. They only make a link. */
  readonly page: number;
  readonly table: string;
}

const POSTED = ['Open', 'Paid', 'Canceled', 'Corrective'];

export const SALE_SETS = {
  salesInvoices: {
    ...{ lines: 'salesInvoiceLines', date: 'invoiceDate', statuses: POSTED, word: 'invoice' },
    ...{ page: 143, table: 'Sales Invoice Header' },
  },
  salesCreditMemos: {
    ...{ lines: 'salesCreditMemoLines', date: 'creditMemoDate', statuses: POSTED, word: 'credit memo' },
    ...{ page: 144, table: 'Sales Cr.Memo Header' },
  },
  salesOrders: {
    ...{ lines: 'salesOrderLines', date: 'orderDate', statuses: ['Open'], word: 'order' },
    ...{ page: 9305, table: 'Sales Header' },
  },
  salesQuotes: {
    ...{ lines: 'salesQuoteLines', date: 'documentDate', statuses: ['Sent', 'Accepted'], word: 'quote' },
    ...{ page: 9300, table: 'Sales Header' },
  },
} as const satisfies Readonly<Record<string, SaleSetFacts>>;
export type SaleSet = keyof typeof SALE_SETS;

/** A document of this set, its fields under the names that all sets have here. */
export function bcSale(set: SaleSet): z.ZodType<BcSale> {
  const { lines, date: dated } = SALE_SETS[set];
  const named = (read: unknown) => {
    if (typeof read !== 'object' || read === null) return read;
    const fields = new Map<string, unknown>(Object.entries(read));
    return { ...read, date: fields.get(dated), lines: fields.get(lines) };
  };
  return z.pipe(madeOf(z.unknown(), named), sale);
}

// Reading Business Central for an origin. Lists go by number, which a page can be continued behind: an `or` over the time of a change and
// something else, which a list by time would need, is not offered.

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
    return answered(await asAnswer(() => this.client.list(set, query, item)));
  }

  /** A mistaken id would hand over what another company sells. One that could not be asked is asked again. */
  #checkCompany(): Promise<unknown> {
    this.#isOurs ??= asAnswer(() => companyName(this.client, this.configuration))
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

const NOTE = /^ledgerbridge-O[A-Z0-9]{19}\.txt$/;

export function isNote(fileName: string): boolean {
  return NOTE.test(fileName);
}

export async function attachNote({ client }: BcReader, owner: string, told: Told): Promise<void> {
  const fileName = `ledgerbridge-${told.mark}.txt`;
  const path = `${owner}/documentAttachments`;
  const there = answered(await asAnswer(() => client.list(path, {}, bcNote)));
  const note =
    there.find((one) => one.fileName === fileName) ??
    answered(await client.create(path, JSON.stringify({ fileName }), bcNote));
  const content = Buffer.from(`${noteOf(told)}\n`);
  answered(await client.upload(`documentAttachments(${note.id})/attachmentContent`, content));
}
