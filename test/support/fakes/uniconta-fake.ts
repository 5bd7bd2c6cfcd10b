// Uniconta's web interface, as far as its pages for developers say how it behaves: reading by OData, inserting by REST, and no way to post a
// journal from outside. Fields that it does not have are refused, so that a slip of ours shows.
import { z } from 'zod';
import { type Decimal, sum } from '../../../src/domain/money.js';
import { decimal, integer, json, readJson } from './fake-json.js';
import type { Effect, FakeReply, FakeRequest, FakeVendor } from './fake-server.js';
import { filterOf } from './odata.js';

const dimension = z.string().optional();
const line = z.strictObject({
  Journal: z.string(),
  LineNumber: integer,
  Date: z.iso.date(),
  AccountType: z.enum(['Finance', 'Debtor', 'Creditor']),
  Account: z.string().min(1),
  Debit: decimal,
  Credit: decimal,
  Text: z.string().max(60),
  ReferenceNumber: z.string().max(20),
  DueDate: z.iso.date().optional(),
  ...{ Dimension1: dimension, Dimension2: dimension, Dimension3: dimension },
  ...{ Dimension4: dimension, Dimension5: dimension },
});

const partner = z.strictObject({
  Account: z.string().min(1).max(20),
  Name: z.string().min(1),
  CompanyRegNo: z.string().optional(),
  Group: z.string().optional(),
  Address1: z.string().optional(),
  ZipCode: z.string().optional(),
  City: z.string().optional(),
  ContactEmail: z.string().optional(),
});

type Line = z.infer<typeof line>;

/** A line as it waits: which insertion it came with is known to nobody outside. */
interface Waiting extends Line {
  readonly insertion: number;
}

export interface UnicontaTransaction {
  readonly Date: string;
  readonly Voucher: number;
  readonly VoucherLine: number;
  readonly Account: string;
  readonly DCAccount: string | null;
  readonly Debit: Decimal | null;
  readonly Credit: Decimal | null;
  readonly Text: string;
  readonly ReferenceNumber: string;
  readonly Dimension1?: string | null;
}

export class UnicontaFake implements FakeVendor {
  controls = { Debtor: '1500', Creditor: '2410' };
  readonly accounts = new Map<string, { Name: string; AccountType: string; Blocked: boolean }>();
  readonly dimensions = new Set<string>();
  readonly partners = {
    DebtorClient: new Map<string, unknown>(),
    CreditorClient: new Map<string, unknown>(),
  };
  readonly lines: Waiting[] = [];
  readonly transactions: UnicontaTransaction[] = [];
  readonly years = [
    { FromDate: '2025-01-01T00:00:00', ToDate: '2025-12-31T00:00:00', State: 'Closed' },
    { FromDate: '2026-01-01T00:00:00', ToDate: '2026-12-31T00:00:00', State: 'Open' },
  ];
  readonly #authorization: string;
  readonly #company: Readonly<Record<string, unknown>>;
  #isRevoked = false;
  #insertions = 0;
  #vouchers = 0;

  constructor(user: string, password: string, company: Readonly<Record<string, unknown>>) {
    this.#authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    this.#company = company;
  }

  expireTokens(): void {
    this.#isRevoked = true;
  }

  renewTokens(): void {
    this.#isRevoked = false;
  }

  effectOf({ method, url }: FakeRequest): Effect {
    if (method !== 'POST') return 'none';
    return url.pathname.includes('/InsertList/') ? 'book' : 'partner';
  }

  errorBody(): FakeReply {
    return json(200, { Message: 'The lines could not be saved' });
  }

  refuseAttachment(): FakeReply {
    return json(400, { Message: 'No files here' });
  }

  answer(request: FakeRequest): FakeReply {
    if (this.#isRevoked || request.headers['authorization'] !== this.#authorization)
      return json(401, { Message: 'Authorization has been denied for this request.' });
    const [, how = '', entity = ''] =
      /^\/(odata\/\d+|api\/Entities\/\w+)\/(\w+)$/.exec(request.url.pathname) ?? [];
    if (request.method === 'GET' && how.startsWith('odata/'))
      return this.#read(entity, request.url.searchParams);
    if (how.endsWith('/InsertList') && entity === 'GLDailyJournalLineClient')
      return this.#insertLines(request);
    if (how.endsWith('/Insert') && (entity === 'DebtorClient' || entity === 'CreditorClient'))
      return this.#insertPartner(entity, request);
    return json(404, { Message: `No HTTP resource was found that matches ${request.url.pathname}.` });
  }

  /** What people in Uniconta do with the journal. */
  postJournal(): void {
    for (const insertion of new Set(this.lines.map((each) => each.insertion))) {
      this.#vouchers++;
      const together = this.lines.filter((each) => each.insertion === insertion);
      together.forEach((each, index) => {
        const isFinance = each.AccountType === 'Finance';
        this.transactions.push({
          ...{ Date: `${each.Date}T00:00:00`, Voucher: this.#vouchers, VoucherLine: index + 1 },
          Account: each.AccountType === 'Finance' ? each.Account : this.controls[each.AccountType],
          DCAccount: isFinance ? null : each.Account,
          Debit: each.Debit.isZero() ? null : each.Debit,
          Credit: each.Credit.isZero() ? null : each.Credit,
          ...{ Text: each.Text, ReferenceNumber: each.ReferenceNumber, Dimension1: each.Dimension1 ?? null },
        });
      });
    }
    this.lines.length = 0;
  }

  #read(entity: string, query: URLSearchParams): FakeReply {
    const rows = this.#rows(entity);
    if (!rows) return json(404, { Message: `${entity} does not exist` });
    const filter = query.get('$filter')?.replace(/datetime'([\d-]+)T00:00:00'/g, '$1');
    const fits = filter === undefined ? () => true : filterOf(filter);
    const fitting = rows.filter((row) => fits(plain(row)));
    const skip = Number(query.get('$skip') ?? 0);
    return json(200, { value: fitting.slice(skip, skip + Number(query.get('$top') ?? fitting.length)) });
  }

  #rows(entity: string): Record<string, unknown>[] | undefined {
    switch (entity) {
      case 'CompanyClient':
        return [{ ...this.#company }];
      case 'GLDailyJournalClient':
        return [{ Journal: 'EINV', Name: 'Einvörður' }];
      case 'GLAccountClient':
        return [...this.accounts].map(([Account, row]) => ({ Account, ...row }));
      case 'CompanyFinanceYearClient':
        return this.years;
      case 'GLDimType1Client':
      case 'GLDimType2Client':
        return [...this.dimensions].map((Dim) => ({ Dim, Name: Dim }));
      case 'DebtorClient':
      case 'CreditorClient':
        return [...this.partners[entity].values()].map((row) => ({ ...(row as object), Blocked: false }));
      case 'GLDailyJournalLineClient':
        return this.lines.map(({ insertion: _hidden, ...row }) => ({ ...row, Date: `${row.Date}T00:00:00` }));
      case 'GLTransClient':
        return this.transactions.map((row) => ({ ...row }));
      default:
        return undefined;
    }
  }

  #insertLines(request: FakeRequest): FakeReply {
    const parsed = z.array(line).min(1).safeParse(readJson(request.body));
    if (!parsed.success) return json(400, { Message: z.prettifyError(parsed.error) });
    for (const each of parsed.data) {
      const known =
        each.AccountType === 'Finance' ? this.accounts : this.partners[`${each.AccountType}Client`];
      if (!known.has(each.Account))
        return json(400, { Message: `${each.AccountType} account ${each.Account} not found` });
      if (each.Dimension1 !== undefined && !this.dimensions.has(each.Dimension1))
        return json(400, { Message: `Dimension1 ${each.Dimension1} not found` });
    }
    const balance = sum(parsed.data.map(({ Debit, Credit }) => Debit.minus(Credit)));
    if (!balance.isZero()) return json(400, { Message: `The lines do not balance: ${balance.toFixed()}` });
    this.#insertions++;
    this.lines.push(...parsed.data.map((each) => ({ ...each, insertion: this.#insertions })));
    return { status: 200 };
  }

  #insertPartner(entity: 'DebtorClient' | 'CreditorClient', request: FakeRequest): FakeReply {
    const parsed = partner.safeParse(readJson(request.body));
    if (!parsed.success) return json(400, { Message: z.prettifyError(parsed.error) });
    const book = this.partners[entity];
    if (book.has(parsed.data.Account)) return json(400, { Message: `KeyExists: ${parsed.data.Account}` });
    book.set(parsed.data.Account, parsed.data);
    return json(200, parsed.data);
  }
}

/** Days are compared as days. */
function plain(row: Record<string, unknown>): Record<string, unknown> {
  const day = row['Date'];
  return typeof day === 'string' ? { ...row, Date: day.slice(0, 10) } : row;
}
