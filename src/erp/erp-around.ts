// An adapter around another one. What happens around a call is said once, not once for each call; and the methods belong to a class, so
// that a process with hundreds of companies does not keep a dozen functions for each of them, over and over.
import type { PostingKey } from '../domain/ids.js';
import type { IsoDate } from '../domain/source-document.js';
import type { CallBudget } from '../http/call-budget.js';
import type {
  Attachment,
  ErpAdapter,
  ErpCapabilities,
  ErpEntry,
  ErpReference,
  ExpectedChart,
  PostRequest,
  PreparedPost,
  ReverseRequest,
} from './erp-adapter.js';

/** Calls that are answered once; the entries of a period come page by page. */
export type ErpCall =
  | 'health'
  | 'validate'
  | 'prepare'
  | 'post'
  | 'find-by-key'
  | 'find-by-reference'
  | 'resume'
  | 'reverse'
  | 'attach'
  | 'match';

export interface AroundErp {
  /** `act` is the call itself: whoever has a budget for it gives it there. */
  around<Answer>(call: ErpCall, act: (budget?: CallBudget) => Promise<Answer>): Promise<Answer>;
  /** Left out: they are handed on as they come. */
  entries?(read: () => AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry>;
}

export class ErpAround implements ErpAdapter {
  readonly capabilities: ErpCapabilities;
  readonly ledger: string;
  /** Only where the adapter has it: whoever asks goes by that. */
  declare readonly match?: NonNullable<ErpAdapter['match']>;
  readonly #erp: ErpAdapter;
  readonly #around: AroundErp;

  constructor(erp: ErpAdapter, around: AroundErp, capabilities: ErpCapabilities = erp.capabilities) {
    this.#erp = erp;
    this.#around = around;
    this.capabilities = capabilities;
    this.ledger = erp.ledger;
    if (!erp.match) return;
    this.match = (entry, journal) =>
      around.around('match', async (budget) => erp.match?.(entry, journal, budget));
  }

  health() {
    return this.#around.around('health', () => this.#erp.health());
  }

  validate(expected: ExpectedChart) {
    return this.#around.around('validate', () => this.#erp.validate(expected));
  }

  prepare(request: PostRequest) {
    return this.#around.around('prepare', () => this.#erp.prepare(request));
  }

  post(prepared: PreparedPost) {
    return this.#around.around('post', (budget) => this.#erp.post(prepared, budget));
  }

  findByKey(key: PostingKey) {
    return this.#around.around('find-by-key', (budget) => this.#erp.findByKey(key, budget));
  }

  findByReference(reference: string) {
    return this.#around.around('find-by-reference', (budget) => this.#erp.findByReference(reference, budget));
  }

  resume(draft: ErpEntry, prepared: PreparedPost) {
    return this.#around.around('resume', (budget) => this.#erp.resume(draft, prepared, budget));
  }

  reverse(request: ReverseRequest) {
    return this.#around.around('reverse', (budget) => this.#erp.reverse(request, budget));
  }

  attach(reference: ErpReference, attachment: Attachment) {
    return this.#around.around('attach', (budget) => this.#erp.attach(reference, attachment, budget));
  }

  entries(period: { readonly from: IsoDate; readonly to: IsoDate }): AsyncIterable<ErpEntry> {
    const read = () => this.#erp.entries(period);
    return this.#around.entries?.(read) ?? read();
  }

  close(): Promise<void> {
    return this.#erp.close();
  }
}
