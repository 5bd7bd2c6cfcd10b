// Uniconta's web interface: the parts of its entities that are read or written here, what its answers mean, and the requests. It refuses
// with a text or `{Message}` and a status below 500; which text means what is assumed, so what could be refused is looked up before
// anything is sent.
import { z } from 'zod';
import type { Decimal } from '../../domain/money.js';
import { madeOf } from '../../domain/made-of.js';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient } from '../../http/http-client.js';
import { wireAmount, wireInteger } from '../../http/wire-json.js';
import type { Answer } from '../answer.js';
import { allPages, MessageApi, messageDispositions } from '../message-api.js';
import { told } from '../told.js';
import {
  type DimensionField,
  INSERT_LIST,
  PAGE_SIZE,
  PAGES_MAX,
  type UnicontaConfiguration,
  userName,
} from './settings.js';

export type AccountType = 'Finance' | 'Debtor' | 'Creditor';

export interface UnicontaLine extends Readonly<Partial<Record<DimensionField, string>>> {
  readonly Journal: string;
  readonly LineNumber: number;
  readonly Date: string;
  readonly AccountType: AccountType;
  readonly Account: string;
  readonly Debit: Decimal;
  readonly Credit: Decimal;
  readonly Text: string;
  readonly ReferenceNumber: string;
  readonly DueDate?: string;
}

const text = madeOf(z.string().nullish(), (value) => value ?? '');
const amount = wireAmount.nullish();
const dimensions = {
  Dimension1: text,
  Dimension2: text,
  Dimension3: text,
  Dimension4: text,
  Dimension5: text,
};

/** A line that waits in a journal. */
export const journalLine = z.object({
  LineNumber: wireInteger,
  Date: z.string(),
  AccountType: text,
  Account: text,
  Debit: amount,
  Credit: amount,
  Text: text,
  ReferenceNumber: text,
  ...dimensions,
});
export type JournalLineRead = z.infer<typeof journalLine>;

/** A posted transaction. Those of customers and suppliers stand on the control account and name the partner. */
export const transaction = z.object({
  Date: z.string(),
  Voucher: wireInteger,
  VoucherLine: wireInteger,
  Account: text,
  DCAccount: text,
  Debit: amount,
  Credit: amount,
  Text: text,
  ReferenceNumber: text,
  ...dimensions,
});
export type TransactionRead = z.infer<typeof transaction>;

export const account = z.object({
  Account: z.string(),
  Name: text,
  AccountType: text,
  Blocked: z.boolean().nullish(),
});
export type UnicontaAccount = z.infer<typeof account>;
export const company = z.object({ CompanyName: text, Id: text, CurrencyId: text });
export const financeYear = z.object({ FromDate: z.string(), ToDate: z.string(), State: text });
export const journal = z.object({ Journal: z.string() });
export const dimensionValue = z.object({ Dim: z.string() });
export const partner = z.object({ Account: z.string(), Blocked: z.boolean().nullish() });
export type UnicontaPartner = z.infer<typeof partner>;

const dispositions = messageDispositions({
  system: 'Uniconta',
  texts: [
    { text: /closed|period/i, code: 'closed-period' },
    { text: /debtor|creditor/i, code: 'unknown-party' },
    { text: /account/i, code: 'unknown-account' },
    { text: /dim/i, code: 'unknown-dimension' },
  ],
  noEntry: (answer) => told('UNICONTA_REFUSED', { answer }),
});

export interface UnicontaClientOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly configuration: Pick<UnicontaConfiguration, 'baseUrl' | 'companyId' | 'user'>;
  readonly password: Secret;
}

/** A text in a filter; an apostrophe is doubled. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export class UnicontaClient {
  readonly #api: MessageApi;
  readonly #companyId: string;

  constructor({ http, clock, configuration, password }: UnicontaClientOptions) {
    const { baseUrl, companyId } = configuration;
    const user = userName(companyId, configuration.user);
    this.#companyId = companyId;
    this.#api = new MessageApi({
      ...{ http, clock, baseUrl, system: 'Uniconta', dispositions },
      authorization: () => `Basic ${Buffer.from(`${user}:${password.reveal()}`).toString('base64')}`,
    });
  }

  /** All records that fit, page by page, in the order of a field. */
  list<T>(
    entity: string,
    schema: z.ZodType<T>,
    { filter, orderBy }: { readonly filter?: string; readonly orderBy?: string } = {},
  ): Promise<T[]> {
    const pages = { size: PAGE_SIZE, most: PAGES_MAX, system: 'Uniconta', what: entity };
    return allPages(pages, async (page) => {
      const query = {
        ...(filter === undefined ? {} : { $filter: filter }),
        ...(orderBy === undefined ? {} : { $orderby: orderBy }),
        ...{ $top: String(PAGE_SIZE), $skip: String(page * PAGE_SIZE) },
      };
      const path = `/odata/${this.#companyId}/${entity}`;
      const { value } = await this.#api.get(path, z.object({ value: z.array(schema) }), query);
      return value;
    });
  }

  insertList(entity: string, body: string): Promise<Answer<undefined>> {
    return this.#api.write(`/api/Entities/${INSERT_LIST}/${entity}`, body);
  }

  insert(entity: string, body: string): Promise<Answer<undefined>> {
    return this.#api.write(`/api/Entities/Insert/${entity}`, body);
  }
}
