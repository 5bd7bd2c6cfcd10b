// Xero's accounting API: manual journals here, documents in xero-documents.ts, from its OpenAPI document and developer pages: drafts unless told
// otherwise, 200 with validation errors inside, idempotency keys that hold any answer for six minutes, refused accounts,
// and sixty calls a minute. Fields that Xero would silently ignore are refused here, so that a slip of ours shows.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Decimal, sum } from '../../../src/domain/money.js';
import { decimal, json, readJson } from './fake-json.js';
import type { Effect, FakeReply, FakeRequest, FakeVendor } from './fake-server.js';
import { type XeroAccountRow, XeroDocumentsFake } from './xero-documents.js';
import { fits, UnreadableFilter } from './xero-where.js';

const line = z.strictObject({
  LineAmount: decimal,
  AccountCode: z.string(),
  Description: z.string().optional(),
  TaxType: z.string().optional(),
  Tracking: z
    .array(z.strictObject({ Name: z.string(), Option: z.string() }))
    .max(2)
    .optional(),
});

const journal = z.strictObject({
  Narration: z.string().min(1),
  Date: z.iso.date(),
  Status: z.enum(['DRAFT', 'POSTED']).default('DRAFT'),
  LineAmountTypes: z.enum(['NoTax', 'Exclusive', 'Inclusive']).default('NoTax'),
  JournalLines: z.array(line).min(2),
});

const change = z.strictObject({ ManualJournalID: z.guid(), Status: z.enum(['POSTED', 'DELETED', 'VOIDED']) });

export interface XeroJournalRow {
  readonly ManualJournalID: string;
  readonly Narration: string;
  readonly Date: string;
  readonly LineAmountTypes?: string;
  Status: string;
  readonly JournalLines: z.infer<typeof line>[];
}

export interface XeroFakeOptions {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organisation: Readonly<Record<string, unknown>>;
  readonly lockedUntil: string;
  readonly callsPerMinute: number;
  /** What the connection may be asked for; a request for anything else is refused as a whole. */
  readonly scopes: readonly string[];
  now(): number;
}

const KEY_HELD_MS = 6 * 60 * 1000;

export class XeroFake implements FakeVendor {
  readonly accounts = new Map<string, XeroAccountRow>();
  readonly documents = new XeroDocumentsFake(() => this);
  readonly tracking = new Map<string, Set<string>>();
  /** TaxType → rate. */
  readonly taxRates = new Map<string, string>([['NONE', '0']]);
  readonly journals: XeroJournalRow[] = [];
  readonly attachments: { journal: string; fileName: string; content: Buffer }[] = [];
  lockedUntil: string;
  readonly #options: XeroFakeOptions;
  readonly #held = new Map<string, { body: string; reply: FakeReply; until: number }>();
  #tokens = new Set<string>();
  #calls: number[] = [];
  #crashes = 0;

  constructor(options: XeroFakeOptions) {
    this.#options = options;
    this.lockedUntil = options.lockedUntil;
  }

  /** The next write answers 500 without an effect, and goes on answering it under its key. */
  crashNext(): void {
    this.#crashes++;
  }

  expireTokens(): void {
    this.#tokens = new Set();
  }

  effectOf(request: FakeRequest): Effect {
    if (request.method === 'GET' || request.url.pathname === '/connect/token') return 'none';
    const { pathname } = request.url;
    if (pathname.includes('/Attachments/')) return 'attach';
    if (pathname.endsWith('/Contacts')) return 'partner';
    return /\/(Payments|Allocations)$/.test(pathname) ? 'other' : 'book';
  }

  errorBody({ url }: FakeRequest): FakeReply {
    const message = 'The request could not be completed.';
    const list = /2\.0\/(\w+)/.exec(url.pathname)?.[1] ?? 'ManualJournals';
    return json(200, { Status: 'OK', [list]: [{ ValidationErrors: [{ Message: message }] }] });
  }

  refuseAttachment(): FakeReply {
    return json(400, { Message: 'The file is too large.' });
  }

  rateLimited(seconds: number): FakeReply {
    return { status: 429, headers: { 'retry-after': String(seconds), 'x-rate-limit-problem': 'minute' } };
  }

  answer(request: FakeRequest): FakeReply {
    if (request.url.pathname === '/connect/token') return this.#token(request);
    const token = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1];
    if (token === undefined || !this.#tokens.has(token)) {
      return json(401, { Title: 'Unauthorized', Status: 401, Detail: 'TokenExpired' });
    }
    if (request.headers['xero-tenant-id'] !== this.#options.tenantId) {
      return json(403, { Title: 'Forbidden', Status: 403, Detail: 'AuthenticationUnsuccessful' });
    }
    return this.#overLimit() ?? this.#heldOr(request);
  }

  #token(request: FakeRequest): FakeReply {
    const { clientId, clientSecret } = this.#options;
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    if (request.headers['authorization'] !== basic) return json(400, { error: 'invalid_client' });
    const asked = new URLSearchParams(request.body.toString()).get('scope')?.split(' ') ?? [];
    if (asked.some((scope) => !this.#options.scopes.includes(scope)))
      return json(400, { error: 'invalid_scope' });
    const token = randomUUID();
    this.#tokens.add(token);
    return json(200, { access_token: token, token_type: 'Bearer', expires_in: 1800 });
  }

  #overLimit(): FakeReply | undefined {
    const now = this.#options.now();
    this.#calls = [...this.#calls.filter((at) => at > now - 60_000), now];
    if (this.#calls.length <= this.#options.callsPerMinute) return undefined;
    return this.rateLimited(21);
  }

  #heldOr(request: FakeRequest): FakeReply {
    const key = request.headers['idempotency-key'];
    if (request.method === 'GET' || key === undefined) return this.#route(request);
    if (key.length > 128) return json(400, { Message: 'The Idempotency-Key is longer than 128 characters.' });
    const now = this.#options.now();
    const held = this.#held.get(key);
    const body = request.body.toString('utf8');
    if (held && held.until > now) {
      if (held.body === body) return held.reply;
      return json(400, { Message: 'The Idempotency-Key was used with a different request.' });
    }
    const reply = this.#route(request);
    this.#held.set(key, { body, reply, until: now + KEY_HELD_MS });
    return reply;
  }

  #route(request: FakeRequest): FakeReply {
    const path = decodeURIComponent(request.url.pathname).replace('/api.xro/2.0/', '');
    if (request.method === 'GET') return this.#read(path, request.url.searchParams);
    if (this.#crashes > 0) {
      this.#crashes--;
      return json(500, { Message: 'An error occurred in Xero.' });
    }
    const [, owner, fileName] = /^\w+\/([^/]+)\/Attachments\/(.+)$/.exec(path) ?? [];
    if (fileName !== undefined) return this.#attach(owner ?? '', fileName, request.body);
    const document = this.documents.write(path, request);
    if (document) return document;
    const [, id] = /^ManualJournals(?:\/([^/]+))?$/.exec(path) ?? [];
    if (id !== undefined) return this.#change(id, request);
    if (path !== 'ManualJournals' || request.method !== 'PUT') return json(404, { Message: 'Not found' });
    return this.#create(request);
  }

  #read(path: string, query: URLSearchParams): FakeReply {
    try {
      return this.documents.get(path, query) ?? this.#get(path, query);
    } catch (error) {
      if (error instanceof UnreadableFilter)
        return json(400, { Message: `QueryParseException ${error.message}` });
      throw error;
    }
  }

  #get(path: string, query: URLSearchParams): FakeReply {
    const { organisation } = this.#options;
    if (path === 'Organisation') {
      const PeriodLockDate = `/Date(${Date.parse(this.lockedUntil)}+0000)/`;
      return json(200, { Organisations: [{ ...organisation, PeriodLockDate }] });
    }
    const files = /^\w+\/([^/]+)\/Attachments$/.exec(path)?.[1];
    if (files !== undefined) {
      const there = this.attachments.filter(({ journal }) => journal === files);
      return json(200, {
        Attachments: there.map(({ fileName, content }) => ({
          FileName: decodeURIComponent(fileName),
          ContentLength: content.length,
        })),
      });
    }
    if (path === 'Accounts') {
      return json(200, {
        Accounts: [...this.accounts].map(([Code, account]) => ({ Code, Name: Code, ...account })),
      });
    }
    if (path === 'TrackingCategories') {
      const TrackingCategories = [...this.tracking].map(([Name, options]) => ({
        Name,
        Options: [...options].map((option) => ({ Name: option, Status: 'ACTIVE' })),
      }));
      return json(200, { TrackingCategories });
    }
    if (path === 'TaxRates') {
      const TaxRates = [...this.taxRates].map(([TaxType, rate]) => ({
        ...{ TaxType, Name: TaxType, Status: 'ACTIVE' },
        EffectiveRate: Number(rate) * 100,
      }));
      return json(200, { TaxRates });
    }
    const one = /^ManualJournals\/(.+)$/.exec(path);
    if (one) {
      const found = this.journals.find((each) => each.ManualJournalID === one[1]);
      return found ? json(200, { ManualJournals: [shown(found)] }) : json(404, { Message: 'Not found' });
    }
    if (path !== 'ManualJournals') return json(404, { Message: 'Not found' });
    const where = query.get('where') ?? '';
    const size = Number(query.get('pageSize') ?? 100);
    const start = (Number(query.get('page')) - 1) * size;
    return json(200, {
      ManualJournals: this.journals
        .filter((row) => fits(where, { ...row }))
        .slice(start, start + size)
        .map(shown),
    });
  }

  #create(request: FakeRequest): FakeReply {
    const parsed = z
      .strictObject({ ManualJournals: z.array(journal).length(1) })
      .safeParse(readJson(request.body));
    if (!parsed.success) return json(400, { Message: z.prettifyError(parsed.error) });
    const [sent] = parsed.data.ManualJournals;
    if (!sent) return json(400, { Message: 'A journal is required' });
    const complaints = this.#complaints(sent).map((Message) => ({ Message }));
    if (complaints.length > 0) {
      const failed = { ...sent, StatusAttributeString: 'ERROR', ValidationErrors: complaints };
      const isSummed = request.url.searchParams.get('summarizeErrors') !== 'false';
      return isSummed
        ? json(400, { ErrorNumber: 10, Message: 'A validation exception occurred', Elements: [failed] })
        : json(200, { Status: 'OK', ManualJournals: [failed] });
    }
    const row: XeroJournalRow = { ...this.#taxed(sent), ManualJournalID: randomUUID() };
    this.journals.push(row);
    return json(200, { Status: 'OK', ManualJournals: [shown(row)] });
  }

  /** VAT that is taken out of each line stands beside it. */
  #taxed(sent: z.infer<typeof journal>): z.infer<typeof journal> {
    if (sent.LineAmountTypes !== 'Inclusive') return sent;
    const JournalLines = sent.JournalLines.map((each) => {
      const rate = new Decimal(this.taxRates.get(each.TaxType ?? 'NONE') ?? 0);
      const TaxAmount = each.LineAmount.times(rate).div(rate.plus(1)).toDecimalPlaces(2);
      return { ...each, TaxAmount };
    });
    return { ...sent, JournalLines };
  }

  #complaints(sent: z.infer<typeof journal>): string[] {
    const complaints: string[] = [];
    const total = sum(sent.JournalLines.map((each) => each.LineAmount));
    if (!total.isZero())
      complaints.push(`The total debits (${total.toFixed()}) must equal total credits (0)`);
    if (sent.Date <= this.lockedUntil) complaints.push('The document date cannot be before the lock date');
    for (const { AccountCode: code, Tracking = [], TaxType = 'NONE' } of sent.JournalLines) {
      if (!this.taxRates.has(TaxType)) complaints.push(`The TaxType code '${TaxType}' does not exist`);
      const account = this.accounts.get(code);
      const isClosed =
        account?.Type === 'BANK' || ['DEBTORS', 'CREDITORS'].includes(account?.SystemAccount ?? '');
      if (!account) complaints.push(`Account code '${code}' is not a recognised account`);
      else if (account.Status !== 'ACTIVE')
        complaints.push(`Account code '${code}' has been archived, or removed`);
      else if (isClosed) complaints.push(`Account ${code} cannot be used in manual journals`);
      for (const { Name, Option } of Tracking) {
        if (!this.tracking.get(Name)?.has(Option))
          complaints.push(`Tracking option ${Option} does not exist`);
      }
    }
    return complaints;
  }

  #change(id: string, request: FakeRequest): FakeReply {
    const row = this.journals.find((each) => each.ManualJournalID === id);
    if (!row) return json(404, { Message: 'Not found' });
    const parsed = z
      .strictObject({ ManualJournals: z.array(change).length(1) })
      .safeParse(readJson(request.body));
    const status = parsed.success ? parsed.data.ManualJournals[0]?.Status : undefined;
    if (status === undefined) return json(400, { Message: 'The status is not valid' });
    if (row.Status !== 'DRAFT' && status !== 'VOIDED')
      return json(400, { Message: 'Only drafts can be changed' });
    row.Status = status;
    return json(200, { Status: 'OK', ManualJournals: [shown(row)] });
  }

  #attach(id: string, fileName: string, content: Buffer): FakeReply {
    const isThere =
      this.journals.some((each) => each.ManualJournalID === id) ||
      this.documents.rows.some((row) => row.id === id);
    if (!isThere) return json(404, { Message: 'Not found' });
    this.attachments.push({ journal: id, fileName, content });
    return json(200, { Attachments: [{ AttachmentID: randomUUID(), FileName: fileName }] });
  }
}

function shown(row: XeroJournalRow): Record<string, unknown> {
  const Date_ = `/Date(${Date.parse(row.Date)}+0000)/`;
  const lines = row.JournalLines.map((each) => ({ TaxType: 'NONE', Tracking: [], ...each, IsBlank: false }));
  return { ...row, Date: Date_, JournalLines: lines, ShowOnCashBasisReports: true, HasAttachments: false };
}

/** What stands on an account, for tests that look at the books. */
export function balanceOf(fake: XeroFake, account: string): string {
  const lines = fake.journals.filter((each) => each.Status === 'POSTED').flatMap((each) => each.JournalLines);
  const amounts = lines.filter((each) => each.AccountCode === account).map((each) => each.LineAmount);
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).toFixed();
}
