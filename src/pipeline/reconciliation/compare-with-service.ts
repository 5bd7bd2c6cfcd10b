// Whether the invoicing service stands by what is in the books: every document that was booked and told is Posted there, and no
// invoice among them was cancelled without a credit note. Counts alone may agree while the documents do not.
import type { Guid } from '../../domain/ids.js';
import type { Runtime } from '../../domain/runtime.js';
import { type IsoDate, isSourceKind, SOURCE_KINDS } from '../../domain/source-document.js';
import { askAgain } from '../intake/ask-again.js';
import { pageThrough } from '../intake/page-through.js';
import type { TenantContext } from '../tenant-context.js';
import { type CreditNoteReader, findUnanswered, isCancelled } from './cancelled-in-books.js';
import type { LocalPosting } from './local-posting.js';

export type Patience = Pick<Runtime, 'timers' | 'random'>;

/** What the service calls Posted: guid → whether it is an invoice that was cancelled. */
type Posted = ReadonlyMap<Guid, boolean>;

export interface NotStoodBy {
  readonly posting: LocalPosting;
  /** What the service says of it; `gone`: nothing. `cancelled`: no credit note answers it. */
  readonly found: { readonly outcome: 'status'; readonly status: string } | { readonly outcome: 'cancelled' };
}

/** Told, or decided: whatever is on its way to being told is not expected to be Posted. */
const TOLD: ReadonlySet<string> = new Set(['acknowledged', 'orphaned', 'parked']);
/** Read one by one in a run; there are hardly ever any. */
const READ_MAX = 200;

export class ServiceSide {
  readonly #store: CreditNoteReader;
  readonly #tenant: TenantContext;
  readonly #period: { readonly from: IsoDate; readonly to: IsoDate };
  readonly #patience: Patience;
  readonly #posted: Posted;
  #read = 0;

  private constructor(
    store: CreditNoteReader,
    tenant: TenantContext,
    period: { readonly from: IsoDate; readonly to: IsoDate },
    patience: Patience,
    posted: Posted,
  ) {
    this.#store = store;
    this.#tenant = tenant;
    this.#period = period;
    this.#patience = patience;
    this.#posted = posted;
  }

  static async list(
    store: CreditNoteReader,
    tenant: TenantContext,
    period: { readonly from: IsoDate; readonly to: IsoDate },
    patience: Patience,
  ): Promise<ServiceSide> {
    const posted = new Map<Guid, boolean>();
    for (const kind of SOURCE_KINDS) {
      const query = { kind, accountingStatus: 'Posted', fromDate: period.from, toDate: period.to } as const;
      const listing = await pageThrough(tenant.source, query, patience, ({ documents }) => {
        for (const { guid, payment } of documents) posted.set(guid, isCancelled(payment?.status));
        return Promise.resolve();
      });
      if (listing.failure) throw listing.failure;
    }
    return new ServiceSide(store, tenant, period, patience, posted);
  }

  /** Of these, which are in the books. */
  async notStoodBy(booked: readonly LocalPosting[]): Promise<NotStoodBy[]> {
    const listed = booked.filter((posting) => this.#isExpected(posting));
    const cancelled = listed.filter(({ guid }) => this.#posted.get(guid) === true);
    const unanswered = await findUnanswered(this.#store, this.#tenant.name, cancelled);
    const found: NotStoodBy[] = unanswered.map((posting) => ({
      posting,
      found: { outcome: 'cancelled' },
    }));
    for (const posting of listed.filter(({ guid }) => !this.#posted.has(guid))) {
      const status = await this.#readStatus(posting);
      if (status !== null) found.push({ posting, found: { outcome: 'status', status } });
    }
    return found;
  }

  #isExpected({ kind, state, issueDate }: LocalPosting): boolean {
    const { from, to } = this.#period;
    return isSourceKind(kind) && TOLD.has(state) && issueDate >= from && issueDate <= to;
  }

  /** A list may be late or cut short: only the document itself proves anything. null: it is Posted, or cannot be read. */
  async #readStatus({ kind, guid }: LocalPosting): Promise<string | null> {
    if (!isSourceKind(kind) || this.#read >= READ_MAX) return null;
    this.#read += 1;
    const fetched = await askAgain(this.#patience, () => this.#tenant.source.get(kind, guid));
    if (fetched.outcome === 'gone') return 'gone';
    if (fetched.outcome === 'unreadable') return null;
    const { accountingStatus } = fetched.document;
    return accountingStatus === 'Posted' ? null : accountingStatus;
  }
}
