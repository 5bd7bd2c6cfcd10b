// The same HTTP calls as the bridge makes for a document, and nothing else: no records, no queue, no promise. What the bridge
// does beside it is what its promises cost on this machine at this moment.
import { createHash, createHmac } from 'node:crypto';
import { Pool } from 'undici';

export interface BareLoopOptions {
  readonly sourceUrl: string;
  readonly maintCode: string;
  readonly username: string;
  readonly apiKey: string;
  readonly erpUrl: string;
  readonly erpSecret: string;
  readonly inFlight: number;
}

export interface BareLoopResult {
  readonly documents: number;
  readonly ms: number;
}

type Kind = 'invoice' | 'cost';

export interface Listed {
  readonly kind: Kind;
  readonly guid: string;
}

const PAGE = 100;
const PAGES_MAX = 20_000;

export function runBareLoop(options: BareLoopOptions): Promise<BareLoopResult> {
  return BareLoop.measured(options, async (documents, carry) => {
    const next = documents[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: options.inFlight }, async () => {
        for (const document of next) await carry(document);
      }),
    );
  });
}

export class BareLoop {
  /** From the first page of the list to the last document, whoever carries them. */
  static async measured(
    options: BareLoopOptions,
    carryAll: (documents: readonly Listed[], carry: (document: Listed) => Promise<void>) => Promise<void>,
  ): Promise<BareLoopResult> {
    const source = new Pool(options.sourceUrl, { connections: options.inFlight });
    const erp = new Pool(options.erpUrl, { connections: options.inFlight });
    const loop = new BareLoop(options, source, erp);
    try {
      const startedAt = performance.now();
      const documents = [...(await loop.list('invoice')), ...(await loop.list('cost'))];
      await carryAll(documents, (document) => loop.carry(document));
      return { documents: documents.length, ms: performance.now() - startedAt };
    } finally {
      await Promise.all([source.destroy(), erp.destroy()]);
    }
  }

  readonly #options: BareLoopOptions;
  readonly #source: Pool;
  readonly #erp: Pool;
  readonly #authorization: string;

  constructor(options: BareLoopOptions, source: Pool, erp: Pool) {
    this.#options = options;
    this.#source = source;
    this.#erp = erp;
    const login = Buffer.from(`${options.username}:${options.apiKey}`).toString('base64');
    this.#authorization = `Basic ${login}`;
  }

  async list(kind: Kind): Promise<Listed[]> {
    const listed: Listed[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const body = (await this.#ask(
        `get-${kind}s?accounting_status=Created&limit=${PAGE}&page=${page}`,
      )) as Record<string, unknown>;
      const records = (Object.values(body).find(Array.isArray) ?? []) as { guid: string }[];
      listed.push(...records.map(({ guid }) => ({ kind, guid })));
      if (records.length < PAGE) break;
    }
    return listed;
  }

  /** Read, book, look it up, read, tell, read back: the six calls of the protocol. */
  async carry({ kind, guid }: Listed): Promise<void> {
    const key = createHash('sha256').update(`${this.#options.username}${kind}${guid}`).digest('hex');
    await this.#ask(`get-${kind}?guid=${guid}`);
    await this.#book('POST', '/v1/journals', JSON.stringify(journal(key, guid)), key);
    await this.#book('GET', `/v1/journals?key=${key}`, '');
    await this.#ask(`get-${kind}?guid=${guid}`);
    const data = JSON.stringify({ accounting_status: 'Posted', accounting_message: 'Posted to the ledger.' });
    await this.#ask(`update-${kind}?guid=${guid}`, new URLSearchParams({ data }).toString());
    await this.#ask(`get-${kind}?guid=${guid}`);
  }

  async #ask(path: string, form?: string): Promise<unknown> {
    const answer = await this.#source.request({
      method: form === undefined ? 'GET' : 'POST',
      path: `/api/v1/${path}&en4_maint_code=${this.#options.maintCode}`,
      headers: {
        authorization: this.#authorization,
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ?? null,
    });
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
    return answer.body.json();
  }

  async #book(method: 'GET' | 'POST', target: string, body: string, key?: string): Promise<void> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const hash = createHash('sha256').update(body).digest('hex');
    const signed = `${timestamp}.${method}.${target}.${hash}`;
    const signature = createHmac('sha256', this.#options.erpSecret).update(signed).digest('hex');
    const answer = await this.#erp.request({
      method,
      path: target,
      headers: {
        'x-ledgerbridge-timestamp': timestamp,
        'x-ledgerbridge-signature': `v1=${signature}`,
        ...(key === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': key }),
      },
      body: body === '' ? null : body,
    });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new Error(`${target}: ${answer.statusCode} ${text}`);
  }
}

/** The size of an ordinary one. */
function journal(key: string, guid: string) {
  const line = (role: string, account: string, debit: string, credit: string) => ({
    account,
    role,
    debit,
    credit,
    text: `Document ${guid}`,
  });
  return {
    key,
    documentNo: guid.slice(0, 8),
    externalReference: guid,
    postingDate: '2026-10-01',
    documentDate: '2026-10-01',
    description: `Document ${guid}`,
    currency: 'ISK',
    exchangeRate: '1',
    lines: [
      line('receivable', '7600', '124000', '0'),
      line('revenue', '1000', '0', '100000'),
      line('vat', '9530', '0', '24000'),
    ],
  };
}
