// A source around another one: what happens around a call is said once, not once for each call. See src/erp/connect.ts.
import type { WritableStatus } from '../domain/posting.js';
import type { Guid } from '../domain/ids.js';
import type { SourceKind } from '../domain/source-document.js';
import type { InvoicingSource, ListQuery } from './invoicing-source.js';

export type SourceCall =
  | 'hello'
  | 'list'
  | 'count'
  | 'get'
  | 'update-status'
  | 'move-cost-to-new'
  | 'customer'
  | 'item'
  | 'originals';

export interface AroundSource {
  /** `act` is the call itself. */
  around<Answer>(call: SourceCall, act: () => Promise<Answer>): Promise<Answer>;
}

export class SourceAround implements InvoicingSource {
  readonly #source: InvoicingSource;
  readonly #around: AroundSource;

  constructor(source: InvoicingSource, around: AroundSource) {
    this.#source = source;
    this.#around = around;
  }

  hello() {
    return this.#around.around('hello', () => this.#source.hello());
  }

  list(query: ListQuery, page: number) {
    return this.#around.around('list', () => this.#source.list(query, page));
  }

  count(query: ListQuery) {
    return this.#around.around('count', () => this.#source.count(query));
  }

  get(kind: SourceKind, guid: Guid) {
    return this.#around.around('get', () => this.#source.get(kind, guid));
  }

  updateStatus(kind: SourceKind, guid: Guid, status: WritableStatus, message: string) {
    return this.#around.around('update-status', () => this.#source.updateStatus(kind, guid, status, message));
  }

  moveCostToNew(guid: Guid) {
    return this.#around.around('move-cost-to-new', () => this.#source.moveCostToNew(guid));
  }

  customer(guid: Guid) {
    return this.#around.around('customer', () => this.#source.customer(guid));
  }

  item(guid: Guid) {
    return this.#around.around('item', () => this.#source.item(guid));
  }

  originals(kind: SourceKind, guid: Guid) {
    return this.#around.around('originals', () => this.#source.originals(kind, guid));
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
