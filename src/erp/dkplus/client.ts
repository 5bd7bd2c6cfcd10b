// dkPlus's web service: the parts of its models that are read or written here, by their names in the swagger document, what its answers
// mean, and the requests. dk gives `{Message}` and no codes, and documents no limit of requests.
import * as z from 'zod';
import type { Decimal } from '../../domain/money.js';
import { madeOf } from '../../domain/made-of.js';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient } from '../../http/http-client.js';
import { wireAmount, wireInteger, writeWireJson } from '../../http/wire-json.js';
import type { Answer } from '../answer.js';
import { allPages, MessageApi, messageDispositions } from '../message-api.js';
import { told } from '../told.js';
import { LOOK_UP_PAGES_MAX, PAGE_SIZE } from './settings.js';

export type DkLineType = 'GeneralLedger' | 'Customer' | 'Vendor';

export interface DkJournalLine {
  readonly Type: DkLineType;
  readonly Account: string;
  /** Debit is positive; in the line's currency. */
  readonly Amount: Decimal;
  readonly Currency: string;
  readonly Date: string;
  readonly DueDate?: string;
  readonly Dim1?: string;
  readonly Dim2?: string;
  readonly Dim3?: string;
  readonly Reference: string;
  readonly Text: string;
  readonly Voucher?: string;
}

export interface DkJournal {
  readonly Code: string;
  readonly Description: string;
  readonly Option: DkPosting;
  readonly Options: DkPosting;
  readonly Lines: readonly DkJournalLine[];
}

interface DkPosting {
  readonly Post: true;
  readonly GenerateVoucher: boolean;
}

const text = madeOf(z.string().nullish(), (value) => value ?? '');

export const dkTransaction = z.object({
  ID: wireInteger,
  Account: z.string(),
  Amount: wireAmount,
  JournalDate: z.string(),
  Reference: text,
  Text: text,
  Voucher: text,
  SubAccount: text,
  Dim1: text,
  Dim2: text,
  Dim3: text,
  Currency: text,
  Exchange: wireAmount.nullish(),
  /** As it was entered: in the currency of the line, and before VAT was taken out. */
  InputAmount: wireAmount.nullish(),
});
export type DkTransaction = z.infer<typeof dkTransaction>;

export const dkAccount = z.object({
  Number: z.string(),
  Name: text,
  TaxCode: text,
  Closed: z.boolean().nullish(),
});
export type DkAccount = z.infer<typeof dkAccount>;

export const dkCurrency = z.object({ Number: z.string(), Rate: wireAmount });

/** A supplier invoice, waiting or booked: the swagger document has one model for both. */
export const dkInvoice = z.object({
  ID: wireInteger,
  Vendor: text,
  InvoiceNumber: text,
  InvoiceDate: z.string(),
  Reference: text,
  Amount: wireAmount,
  CurrencyCode: text,
  Exchange: wireAmount.nullish(),
  Lines: madeOf(
    z.array(z.object({ Account: text, Amount: wireAmount, Dim1: text, Dim2: text, Dim3: text })).nullish(),
    (lines) => lines ?? [],
  ),
});
export type DkInvoice = z.infer<typeof dkInvoice>;

export const dkVendorTransaction = z.object({ Reference: text, Voucher: text });

export const dkDimension = z.object({ Number: z.string(), Closed: z.boolean().nullish() });

export const dkPartner = z.object({ Number: z.string(), Blocked: z.boolean().nullish() });
export type DkPartner = z.infer<typeof dkPartner>;

export const dkCompany = z.object({
  Information: z.object({ Company: z.object({ Name: text, SSNumber: text }) }),
});

export const dispositions = messageDispositions({
  system: 'dkPlus',
  texts: [
    { text: /period|tímabil/i, code: 'closed-period' },
    { text: /account .* (closed|blocked)|lokaður/i, code: 'blocked-account' },
    { text: /account .* not (found|exist)|reikningur .* (finnst|er) ekki/i, code: 'unknown-account' },
    { text: /customer|vendor|viðskiptamaður|lánardrottinn/i, code: 'unknown-party' },
    { text: /dim(ension)? ?[1-3]|vídd/i, code: 'unknown-dimension' },
    { text: /balance|stemm/i, code: 'unbalanced' },
  ],
  noEntry: (answer) => told('DKPLUS_REFUSED', { answer }),
});

export interface DkClientOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly token: Secret;
}

/** Customers and vendors are two books of dk. */
export type DkPartnerBook = 'Customer' | 'Vendor';

export class DkClient {
  readonly #api: MessageApi;

  constructor({ token, ...options }: DkClientOptions) {
    const authorization = () => `bearer ${token.reveal()}`;
    this.#api = new MessageApi({ ...options, system: 'dkPlus', dispositions, authorization });
  }

  connection(): Promise<boolean> {
    return this.#api.get('/company/connection', z.boolean());
  }

  company(): Promise<z.infer<typeof dkCompany>> {
    return this.#api.get('/company', dkCompany);
  }

  accounts(): Promise<DkAccount[]> {
    return this.#api.get('/generalLedger/account', z.array(dkAccount));
  }

  currencies(): Promise<z.infer<typeof dkCurrency>[]> {
    return this.#api.get('/general/currency', z.array(dkCurrency));
  }

  dimensions(): Promise<z.infer<typeof dkDimension>[]> {
    return this.#pages('/general/dimension', {}, dkDimension);
  }

  /** Undefined when dk has no such partner. */
  partner(book: DkPartnerBook, number: string): Promise<DkPartner | undefined> {
    return this.#api.find(`/${book}/${encodeURIComponent(number)}`, dkPartner);
  }

  createPartner(book: DkPartnerBook, fields: Record<string, string>): Promise<Answer<DkPartner>> {
    return this.#api.create(`/${book}`, writeWireJson(fields), dkPartner);
  }

  /** By their reference or their voucher. dk matches parts of either as well. */
  transactions(by: Readonly<Partial<Record<'reference' | 'voucher', string>>>) {
    return this.#pages('/generalledger/transaction/page', by, dkTransaction);
  }

  createdAfter(day: string, page: number): Promise<DkTransaction[]> {
    const query = { createdAfter: `${day}T00:00:00`, sort: 'ID', sorttype: 'Ascending' };
    return this.#api.get(pageOf('/generalledger/transaction/page', page), z.array(dkTransaction), query);
  }

  /** Supplier invoices that are not booked yet: all of them, since dk takes neither page nor filter. */
  waitingInvoices(): Promise<DkInvoice[]> {
    return this.#api.get('/vendor/invoice/unprocessed', z.array(dkInvoice));
  }

  supplierTransactions(reference: string): Promise<z.infer<typeof dkVendorTransaction>[]> {
    return this.#pages('/vendor/transaction', { reference }, dkVendorTransaction);
  }

  postJournal(body: string): Promise<Answer<undefined>> {
    return this.#api.write('/generalledger/journal', body);
  }

  postInvoice(vendor: string, body: string): Promise<Answer<undefined>> {
    return this.#api.write(`/Vendor/${encodeURIComponent(vendor)}/Invoice`, body);
  }

  #pages<T>(path: string, query: Readonly<Record<string, string>>, schema: z.ZodType<T>): Promise<T[]> {
    const most = LOOK_UP_PAGES_MAX;
    const what = `${String(most * PAGE_SIZE)} transactions`;
    return allPages({ size: PAGE_SIZE, most, system: 'dkPlus', what }, (page) =>
      this.#api.get(pageOf(path, page + 1), z.array(schema), query),
    );
  }
}

/** Pages are numbered from one. */
function pageOf(path: string, page: number): string {
  return `${path}/${page}/${PAGE_SIZE}`;
}
