// The least of Tryton's JSON-RPC that setting a company up and judging its books needs; written apart from the adapter's
// client, so that one misreading cannot pass on both sides.
export const dec = (value: string) => ({ __class__: 'Decimal', decimal: value });

export function date(day: string) {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  return { __class__: 'date', year, month, day: dayOfMonth };
}

export class TrytonRpc {
  readonly #url: string;
  #authorization = '';
  #context: Record<string, unknown> = { language: 'en' };

  private constructor(url: string) {
    this.#url = url;
  }

  static async login(url: string, user: string, password: string): Promise<TrytonRpc> {
    const rpc = new TrytonRpc(url);
    const [id, session] = (await rpc.#send('common.db.login', [user, { password }, 'en'])) as [
      number,
      string,
    ];
    rpc.#authorization = `Session ${Buffer.from(`${user}:${String(id)}:${session}`).toString('base64')}`;
    return rpc;
  }

  use(context: Record<string, unknown>): void {
    this.#context = { ...this.#context, ...context };
  }

  call(method: string, ...parameters: unknown[]): Promise<unknown> {
    return this.#send(method, [...parameters, this.#context]);
  }

  async create(model: string, values: Record<string, unknown>): Promise<number> {
    const [id] = await this.createAll(model, [values]);
    return id!;
  }

  /** In one request, which takes little longer than one record. */
  createAll(model: string, records: readonly Record<string, unknown>[]): Promise<number[]> {
    return this.call(`model.${model}.create`, records) as Promise<number[]>;
  }

  search(model: string, domain: unknown[]): Promise<number[]> {
    return this.call(`model.${model}.search`, domain, 0, null, null) as Promise<number[]>;
  }

  read(model: string, ids: number[], fields: string[]): Promise<Record<string, unknown>[]> {
    return this.call(`model.${model}.read`, ids, fields) as Promise<Record<string, unknown>[]>;
  }

  searchRead(model: string, domain: unknown[], fields: string[]): Promise<Record<string, unknown>[]> {
    const parameters = [domain, 0, null, null, fields];
    return this.call(`model.${model}.search_read`, ...parameters) as Promise<Record<string, unknown>[]>;
  }

  async #send(method: string, params: unknown[]): Promise<unknown> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: this.#authorization },
      body: JSON.stringify({ id: 1, method, params }),
    });
    if (!response.ok) throw new Error(`${method}: HTTP ${String(response.status)}`);
    const answer = (await response.json()) as { result?: unknown; error?: unknown };
    if (answer.error !== undefined)
      throw new Error(`${method}: ${JSON.stringify(answer.error).slice(0, 500)}`);
    return answer.result;
  }
}
