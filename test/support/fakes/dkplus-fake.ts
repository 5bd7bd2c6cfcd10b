// dkPlus, as far as its swagger document and examples say how it behaves. Strict where the service would be: unknown
// fields, long codes, closed periods and accounts are refused; and it keeps dk's traps, which the adapter must survive:
// an empty answer, unposted journals that nobody can list, gross amounts on accounts with a VAT code.
import { z } from 'zod';
import { Decimal } from '../../../src/domain/money.js';
import { DkInvoices } from './dkplus-invoices.js';
import { decimal, json, readJson } from './fake-json.js';
import type { Effect, FakeReply, FakeRequest, FakeVendor } from './fake-server.js';

const posting = z.strictObject({ Post: z.boolean().optional(), GenerateVoucher: z.boolean().optional() });

const line = z.strictObject({
  Type: z.enum(['GeneralLedger', 'Customer', 'Vendor', 'Project']),
  Account: z.string().min(1),
  Amount: decimal,
  Currency: z.string().optional(),
  Date: z.string().regex(/^\d{4}-\d{2}-\d{2}T00:00:00Z$/),
  DueDate: z.string().optional(),
  Dim1: z.string().optional(),
  Dim2: z.string().optional(),
  Dim3: z.string().optional(),
  Reference: z.string().max(20).optional(),
  Text: z.string().max(40).optional(),
  Voucher: z.string().optional(),
});

const journal = z.strictObject({
  Code: z.string().min(1).max(4),
  Description: z.string().optional(),
  Period: z.number().optional(),
  Option: posting.optional(),
  Options: posting.optional(),
  Lines: z.array(line).min(1),
});

const partner = z.strictObject({
  Number: z.string().min(1).max(20),
  Name: z.string().min(1),
  SSNumber: z.string().optional(),
  Address1: z.string().optional(),
  ZipCode: z.string().optional(),
  City: z.string().optional(),
  Email: z.string().optional(),
  Group: z.string().optional(),
});

export interface DkTransactionRow {
  readonly ID: number;
  readonly Account: string;
  readonly SubAccount: string | null;
  readonly Amount: Decimal;
  readonly Reference: string;
  readonly Text: string;
  readonly Voucher: string;
  readonly Dim1: string | null;
  readonly Dim2?: string | null;
  readonly Dim3?: string | null;
  readonly JournalDate: string;
  readonly Created: string;
  readonly Currency?: string;
  readonly Exchange?: Decimal;
  readonly InputAmount?: Decimal;
}

interface Options {
  readonly token: string;
  readonly company: { readonly Name: string; readonly SSNumber: string };
  readonly lockedUntil: string;
  /** Which of the two spellings this installation obeys; the other is silently ignored. */
  readonly obeys?: 'Option' | 'Options' | 'neither';
}

export class DkPlusFake implements FakeVendor {
  /** The accounts that lines of customers and vendors land on. */
  controls = { customers: '1500', suppliers: '2410' };
  readonly accounts = new Map<string, { Name: string; TaxCode: string; Closed: boolean }>();
  /** VAT code → its rate, and the account that VAT goes on. */
  /** One that is owed as well, on an account of its own, is a reverse charge: nothing is taken out of the amount. */
  readonly taxCodes = new Map<string, { rate: string; account: string; owedOn?: string }>();
  readonly dimensions = new Set<string>();
  readonly customers = new Map<string, z.infer<typeof partner>[]>();
  readonly vendors = new Map<string, z.infer<typeof partner>[]>();
  readonly transactions: DkTransactionRow[] = [];
  /** Journals that were saved but not posted. The real service lists them nowhere. */
  readonly unposted: z.infer<typeof journal>[] = [];
  lockedUntil: string;
  /** Krónur for one, by dk's own table. */
  readonly rates = new Map<string, Decimal>();
  readonly invoices = new DkInvoices({
    hasVendor: (number) => this.vendors.has(number),
    isLocked: (day) => day <= this.lockedUntil,
    accountProblem: (account) => this.#accountProblem(account),
  });
  /** An installation may keep the reference of a supplier invoice with the supplier alone. */
  keepsReferenceInLedger = true;
  readonly supplierTransactions: { readonly Reference: string; readonly Voucher: string }[] = [];
  readonly #options: Options;
  #tokensExpired = false;

  constructor(options: Options) {
    this.#options = options;
    this.lockedUntil = options.lockedUntil;
  }

  effectOf(request: FakeRequest): Effect {
    if (request.method !== 'POST') return 'none';
    if (/\/(customer|vendor)$/i.test(request.url.pathname)) return 'partner';
    return /\/generalledger\/journal$|\/vendor\/[^/]+\/invoice$/i.test(request.url.pathname)
      ? 'book'
      : 'other';
  }

  errorBody(): FakeReply {
    return json(200, { Message: 'The journal could not be saved' });
  }

  refuseAttachment(): FakeReply {
    return json(400, { Message: 'Attachments are not supported' });
  }

  /** dk tokens do not expire by themselves; one that was revoked is what comes closest. */
  expireTokens(): void {
    this.#tokensExpired = true;
  }

  renewTokens(): void {
    this.#tokensExpired = false;
  }

  answer(request: FakeRequest): FakeReply {
    const wanted = `bearer ${this.#options.token}`;
    if (this.#tokensExpired || request.headers['authorization']?.toLowerCase() !== wanted.toLowerCase()) {
      return json(401, { Message: 'Authorization has been denied for this request.' });
    }
    const path = decodeURIComponent(request.url.pathname.replace(/^\/api\/v1/, '')).toLowerCase();
    return request.method === 'POST' ? this.#post(path, request) : this.#get(path, request.url);
  }

  #get(path: string, url: URL): FakeReply {
    if (path === '/company/connection') return json(200, true);
    if (path === '/company') return json(200, { Information: { Company: this.#options.company } });
    if (path === '/generalledger/account') {
      return json(
        200,
        [...this.accounts].map(([Number, account]) => ({ Number, ...account, Modified: null })),
      );
    }
    const dimension = /^\/general\/dimension\/(\d+)\/(\d+)$/.exec(path);
    if (dimension) {
      const rows = [...this.dimensions].map((value) => ({ Number: value, Name: value, Closed: false }));
      return json(200, paged(rows, dimension[1], dimension[2]));
    }
    const transactions = /^\/generalledger\/transaction\/page\/(\d+)\/(\d+)$/.exec(path);
    if (transactions) return json(200, paged(this.#matching(url), transactions[1], transactions[2]));
    if (path === '/vendor/invoice/unprocessed') return this.invoices.list();
    if (path === '/general/currency')
      return json(
        200,
        [...this.rates].map(([Number, Rate]) => ({ Number, Description: Number, Rate, Decimals: 2 })),
      );
    const supplier = /^\/vendor\/transaction\/(\d+)\/(\d+)$/.exec(path);
    if (supplier) {
      const wanted = url.searchParams.get('reference') ?? '';
      const rows = this.supplierTransactions.filter(({ Reference }) => Reference.includes(wanted));
      return json(200, paged(rows, supplier[1], supplier[2]));
    }
    const one = /^\/(customer|vendor)\/([^/]+)$/.exec(path);
    if (!one) return json(404, { Message: `No HTTP resource was found that matches ${path}.` });
    const [first] = (one[1] === 'customer' ? this.customers : this.vendors).get(one[2] ?? '') ?? [];
    return first
      ? json(200, { ...first, Blocked: false })
      : json(404, { Message: `${one[2] ?? ''} not found` });
  }

  #matching(url: URL): DkTransactionRow[] {
    const query = url.searchParams;
    const known = new Set(['reference', 'voucher', 'createdAfter', 'sort', 'sorttype']);
    for (const name of query.keys()) if (!known.has(name)) throw new Error(`the fake does not know ${name}`);
    const contains = (value: string, name: string) =>
      !query.has(name) || value.toLowerCase().includes((query.get(name) ?? '').toLowerCase());
    return this.transactions.filter(
      (row) =>
        contains(row.Reference, 'reference') &&
        contains(row.Voucher, 'voucher') &&
        row.Created >= (query.get('createdAfter') ?? ''),
    );
  }

  #post(path: string, request: FakeRequest): FakeReply {
    if (path === '/generalledger/journal') return this.#book(request);
    const invoiced = /^\/vendor\/([^/]+)\/invoice$/.exec(path);
    if (invoiced) return this.invoices.make(invoiced[1] ?? '', request.body);
    if (path === '/customer' || path === '/vendor') return this.#createPartner(path, request);
    return json(404, { Message: `No HTTP resource was found that matches ${path}.` });
  }

  #createPartner(path: string, request: FakeRequest): FakeReply {
    const parsed = partner.safeParse(readJson(request.body));
    if (!parsed.success)
      return json(400, { Message: `The request is invalid: ${z.prettifyError(parsed.error)}` });
    const book = path === '/customer' ? this.customers : this.vendors;
    const same = book.get(parsed.data.Number) ?? [];
    if (same.length > 0) return json(400, { Message: `${parsed.data.Number} already exists` });
    book.set(parsed.data.Number, [...same, parsed.data]);
    return json(200, { ...parsed.data, RecordID: book.size });
  }

  #book(request: FakeRequest): FakeReply {
    const parsed = journal.safeParse(readJson(request.body));
    if (!parsed.success)
      return json(400, { Message: `The request is invalid: ${z.prettifyError(parsed.error)}` });
    const problem = this.#problemOf(parsed.data);
    if (problem !== undefined) return json(400, { Message: problem });
    const obeys = this.#options.obeys ?? 'Option';
    const isPosted = obeys !== 'neither' && parsed.data[obeys]?.Post === true;
    if (isPosted) this.#write(parsed.data);
    else this.unposted.push(parsed.data);
    return { status: 200 };
  }

  #problemOf(data: z.infer<typeof journal>): string | undefined {
    const generates = (data.Option ?? data.Options)?.GenerateVoucher ?? true;
    if (generates === data.Lines.some((row) => row.Voucher !== undefined)) {
      return 'A voucher is either generated or given';
    }
    const balances = new Map<string, Decimal>();
    for (const row of data.Lines) {
      const { Currency = 'ISK' } = row;
      if (Currency !== 'ISK' && !this.rates.has(Currency)) return `Currency ${Currency} not found`;
      balances.set(Currency, row.Amount.plus(balances.get(Currency) ?? 0));
      if (row.Date.slice(0, 10) <= this.lockedUntil) return `The period of ${row.Date} is closed`;
      for (const value of [row.Dim1, row.Dim2, row.Dim3])
        if (value !== undefined && !this.dimensions.has(value)) return `Dim1 ${value} not found`;
      if (row.Type === 'Customer' && !this.customers.has(row.Account))
        return `Customer ${row.Account} not found`;
      if (row.Type === 'Vendor' && !this.vendors.has(row.Account)) return `Vendor ${row.Account} not found`;
      if (row.Type !== 'GeneralLedger') continue;
      const problem = this.#accountProblem(row.Account);
      if (problem !== undefined) return problem;
    }
    const [crooked] = [...balances.values()].filter((balance) => !balance.isZero());
    return crooked && `The journal does not balance: ${crooked.toFixed()}`;
  }

  #accountProblem(number: string): string | undefined {
    const account = this.accounts.get(number);
    if (!account) return `Account ${number} not found`;
    return account.Closed ? `Account ${number} is closed` : undefined;
  }

  /** People have approved a supplier invoice and book it. */
  bookInvoice(reference: string): void {
    const { vendor, sent } = this.invoices.take(reference);
    const voucher = `lr${String(this.transactions.length + 1)}`;
    const shared = {
      ...{ Date: sent.Date, Reference: this.keepsReferenceInLedger ? reference : '', Text: sent.Text },
      ...(sent.Currency === undefined ? {} : { Currency: sent.Currency }),
    };
    const total = sent.Lines.map(({ Amount }) => Amount).reduce((one, other) => one.plus(other));
    const Lines = [
      { ...shared, Type: 'Vendor' as const, Account: vendor, Amount: total.negated() },
      ...sent.Lines.map(({ Type: _type, ...row }) => ({
        ...{ ...row, ...shared, Type: 'GeneralLedger' as const },
      })),
    ];
    this.#write({ Code: 'lr', Lines }, { voucher, ...(sent.Exchange ? { exchange: sent.Exchange } : {}) });
    this.supplierTransactions.push({ Reference: reference, Voucher: voucher });
  }

  #write(
    data: z.infer<typeof journal>,
    told: { readonly voucher?: string; readonly exchange?: Decimal } = {},
  ): void {
    const { voucher = `${data.Code.toLowerCase()}${this.transactions.length + 1}` } = told;
    for (const entered of data.Lines) {
      const { Currency = 'ISK', Amount: InputAmount } = entered;
      const Exchange = Currency === 'ISK' ? new Decimal(1) : (told.exchange ?? this.rates.get(Currency));
      if (!Exchange) throw new Error(`no rate for ${Currency}`);
      const inKronur = Currency === 'ISK' ? InputAmount : InputAmount.times(Exchange).toDecimalPlaces(0);
      const row = { ...entered, Amount: inKronur, shown: { Currency, Exchange, InputAmount } };
      const control = row.Type === 'Customer' ? this.controls.customers : this.controls.suppliers;
      const account = row.Type === 'GeneralLedger' ? row.Account : control;
      const tax = this.taxCodes.get(this.accounts.get(account)?.TaxCode ?? '');
      const isReverse = tax?.owedOn !== undefined;
      const net =
        tax && !isReverse ? row.Amount.div(new Decimal(1).plus(tax.rate)).toDecimalPlaces(0) : row.Amount;
      const SubAccount = row.Type === 'GeneralLedger' ? null : row.Account;
      this.#add(row, { Account: account, SubAccount, Amount: net }, voucher);
      if (!tax) continue;
      const vat = isReverse ? row.Amount.times(tax.rate).toDecimalPlaces(0) : row.Amount.minus(net);
      this.#add(row, { Account: tax.account, SubAccount: null, Amount: vat }, voucher);
      if (tax.owedOn !== undefined)
        this.#add(row, { Account: tax.owedOn, SubAccount: null, Amount: vat.negated() }, voucher);
    }
  }

  #add(
    row: z.infer<typeof line> & {
      readonly shown: Pick<DkTransactionRow, 'Currency' | 'Exchange' | 'InputAmount'>;
    },
    booked: Pick<DkTransactionRow, 'Account' | 'SubAccount' | 'Amount'>,
    voucher: string,
  ): void {
    this.transactions.push({
      ID: 17_000 + this.transactions.length,
      ...booked,
      Reference: row.Reference ?? '',
      Text: row.Text ?? '',
      Voucher: row.Voucher ?? voucher,
      Dim1: row.Dim1 ?? null,
      Dim2: row.Dim2 ?? null,
      Dim3: row.Dim3 ?? null,
      JournalDate: row.Date.slice(0, 19),
      Created: '2026-03-20T12:00:00',
      ...row.shown,
    });
  }
}

function paged<Row>(rows: readonly Row[], page: string | undefined, size: string | undefined): Row[] {
  const count = Number(size);
  return rows.slice((Number(page) - 1) * count, Number(page) * count);
}
