import { moment } from './dates.js';
import type { Fields, Json } from './fields.js';
import { takePage } from './paging.js';
import { Refusal } from './refusal.js';

/** "The only record of activity is the audit log and the `action_id` returned by each call." */
export class Audit {
  readonly #records: { agent_id: string; action: string; ip_address: string; timestamp: string }[] = [];
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  get last(): number {
    return 70_000 + this.#records.length;
  }

  record(agent: string, action: string): number {
    this.#records.push({ timestamp: moment(this.#now()), ip_address: '127.0.0.1', action, agent_id: agent });
    return this.last;
  }

  list(query: Fields): Json {
    const wanted = query.maybeText('agent_id');
    const limit = query.maybeWhole('limit') ?? 50;
    if (limit < 1 || limit > 200) throw new Refusal('limit must be 1 to 200');
    const found = this.#records.filter((record) => wanted === null || record.agent_id === wanted);
    const page = takePage(found, query, 50);
    return { limit, page: page.page, total: found.length, data: page.things };
  }
}
