// Whether a document in the books still says at the source what it said when it was booked. The lists tell of most that they do; a
// list may be shorter than the document, so one that differs there is read by itself before anything is said of it.
import type { Guid } from '../../domain/ids.js';
import { isSourceKind, type SourceKind } from '../../domain/source-document.js';
import { Decimal } from '../../domain/money.js';
import { parseLossless } from '../../domain/canonical-json.js';
import type { Message } from '../../domain/message.js';
import type { Runtime } from '../../domain/runtime.js';
import type { FetchOutcome, InvoicingSource } from '../../service/invoicing-source.js';
import { message } from '../../language/messages.js';
import { changedFields, contentHash } from '../../sync/content-hash.js';
import { isCancelled } from '../../sync/reconcile.js';
import { askAgain } from '../../sync/intake.js';
import type { SourceSide } from './read-source.js';
import type { ClosingDocument, ClosingRecords } from './records.js';
import type { ErpEntry } from '../../erp/erp-adapter.js';
import type { TenantContext } from '../../sync/tenant-context.js';
import type { Period } from '../connected-tenants.js';
import { Ledger } from './tally.js';

export interface ContentCheckDeps {
  readonly source: Pick<InvoicingSource, 'get'>;
  readonly listed: SourceSide;
  readonly records: Pick<ClosingRecords, 'snapshot'>;
  readonly runtime: Pick<Runtime, 'timers' | 'random'>;
}

/** The connection has its own limits; this only keeps the answers in memory few. */
const READS_AT_ONCE = 8;
/** A service that does not answer so often in a row is away: the rest is counted, not asked for. */
const FAILURES_MAX = 8;

type Record = Readonly<{ [field: string]: unknown }>;

function beforeCancelled(record: Record): Record {
  return isCancelled(String(record['status'])) ? { ...record, status: '' } : record;
}

export class ContentCheck {
  readonly #deps: ContentCheckDeps;
  #failuresInARow = 0;
  #unread = 0;
  #problem = '';

  constructor(deps: ContentCheckDeps) {
    this.#deps = deps;
  }

  async differences(
    documents: readonly ClosingDocument[],
    onProgress: (read: number) => void,
  ): Promise<Message[]> {
    const doubtful = documents.filter((document) => this.#isDoubtful(document));
    const found: Message[] = [];
    for (let at = 0; at < doubtful.length; at += READS_AT_ONCE) {
      const some = doubtful.slice(at, at + READS_AT_ONCE);
      const told = await Promise.all(some.map((document) => this.#readAgain(document)));
      for (const difference of told) if (difference !== null) found.push(difference);
      onProgress(at + some.length);
    }
    return found;
  }

  /** Nobody knows whether these are as they were. */
  unread(): Message[] {
    if (this.#unread === 0) return [];
    return [message('CLOSE_CONTENT_UNREAD', { count: this.#unread, problem: this.#problem })];
  }

  /** What is not listed, or with another amount, is a difference already. */
  #isDoubtful({ guid, amount, currency, contentHash: booked }: ClosingDocument): boolean {
    const listed = this.#deps.listed.documents.get(guid);
    if (listed === undefined || booked === null) return false;
    const isSameAmount = listed.currency === currency && new Decimal(listed.amount).equals(amount);
    return isSameAmount && listed.contentHash !== booked;
  }

  async #readAgain(document: ClosingDocument): Promise<Message | null> {
    const { kind, guid } = document;
    if (!isSourceKind(kind)) return null;
    const fetched = await this.#get(kind, guid);
    if (fetched === null) return null;
    const named = { kind, number: document.number || guid };
    switch (fetched.outcome) {
      case 'gone':
        return message('CLOSE_NOT_AT_SOURCE', named);
      case 'unreadable':
        return message('CLOSE_SOURCE_UNREADABLE', { problem: `${kind} ${named.number}: ${fetched.problem}` });
      case 'found': {
        const record = fetched.record ?? (parseLossless(fetched.snapshot) as Record);
        // That it was cancelled is judged together with the credit notes.
        if (contentHash(kind, record) === document.contentHash) return null;
        if (contentHash(kind, beforeCancelled(record)) === document.contentHash) return null;
        const fields = await this.#readFields(document, kind, record);
        return message('CLOSE_CONTENT_CHANGED', { ...named, fields });
      }
    }
  }

  async #get(kind: SourceKind, guid: Guid): Promise<FetchOutcome | null> {
    if (this.#failuresInARow >= FAILURES_MAX) {
      this.#unread += 1;
      return null;
    }
    try {
      const fetched = await askAgain(this.#deps.runtime, () => this.#deps.source.get(kind, guid));
      this.#failuresInARow = 0;
      return fetched;
    } catch (error) {
      this.#failuresInARow += 1;
      this.#unread += 1;
      this.#problem = error instanceof Error ? error.message : String(error);
      return null;
    }
  }

  /** Empty where the record that it was booked from is no longer there. */
  async #readFields({ postingId, contentHash: booked }: ClosingDocument, kind: SourceKind, now: Record) {
    const snapshot = await this.#deps.records.snapshot(postingId);
    if (snapshot === null) return '';
    const before = parseLossless(snapshot) as Record;
    return contentHash(kind, before) === booked ? changedFields(kind, before, now).join(' ') : '';
  }
}

// What the ERP has under keys of ours in a period.

export interface BooksSide {
  /** Live entries by key; reversed ones and their reversals cancel out and are left aside. */
  readonly entries: ReadonlyMap<string, readonly ErpEntry[]>;
  readonly accounts: Ledger;
  /** null: no entry shows a VAT code. */
  readonly vat: Ledger | null;
  readonly count: number;
}

/** null: this ERP shows nothing to programs. */
export async function readBooks({ erp }: TenantContext, period: Period): Promise<BooksSide | null> {
  if (erp.capabilities.lookUp === 'none') return null;
  const entries = new Map<string, ErpEntry[]>();
  const accounts = new Ledger();
  const vat = new Ledger();
  let count = 0;
  for await (const entry of erp.entries(period)) {
    if (entry.reversed === true || entry.state !== 'posted') continue;
    entries.set(entry.key, [...(entries.get(entry.key) ?? []), entry]);
    accounts.addEntry(entry);
    vat.addVat(entry.lines);
    count += 1;
  }
  return { entries, accounts, vat: vat.names().length === 0 ? null : vat, count };
}
