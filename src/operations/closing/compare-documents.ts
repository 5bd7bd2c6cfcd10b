// Goes through the documents of a period: writes each with everything that belongs to it, and notes what differs.
import { isSourceKind } from '../../domain/source-document.js';
import { Decimal } from '../../domain/money.js';
import type { JournalJson } from '../../domain/journal-json.js';
import type { Message } from '../../domain/message.js';
import { writtenNumber } from '../../domain/text.js';
import { settlementKey } from '../../domain/posting-key.js';
import type { ErpEntry } from '../../erp/erp-adapter.js';
import { message } from '../../language/messages.js';
import type { SetAside } from '../../certificate/certificate.js';
import { findUnanswered } from '../../sync/reconcile.js';
import type { Tenant } from '../../tenants/tenant.js';
import type { Period } from '../connected-tenants.js';
import type { ContentCheck, BooksSide } from './content-check.js';
import type { SourceSide } from './read-source.js';
import type { ClosingDocument, ClosingRecords } from './records.js';
import { Ledger, Tallies } from './tally.js';

export interface Comparing {
  readonly records: ClosingRecords;
  readonly tenant: Tenant;
  readonly period: Period;
  readonly source: SourceSide;
  readonly books: BooksSide | null;
  readonly content: ContentCheck;
  readonly onProgress: (done: number) => void;
}

export interface ComparedDocuments {
  readonly differences: readonly Message[];
  readonly setAside: readonly SetAside[];
  readonly bySubject: Tallies;
  readonly accounts: Ledger;
  readonly vat: Ledger;
  readonly entries: number;
  readonly originals: Readonly<Record<string, number>>;
  readonly numbers: readonly string[];
}

const PAGE = 500;
const IN_BOOKS = new Set(['posted', 'writing_back', 'acknowledged', 'orphaned']);
/** Decided: it stays out of the books, with a reason. Everything else that is not in them waits. */
const DECIDED = new Set(['skipped', 'rejected', 'reversed']);

export async function compareDocuments(
  comparing: Comparing,
  write: (record: string, name: string) => Promise<void>,
): Promise<ComparedDocuments> {
  const { records, tenant, period, source, books, content } = comparing;
  const found = new Findings(comparing);
  const seen = new Set<string>();
  const keys = new Set<string>();
  let after: string | null = null;
  let done = 0;
  for (;;) {
    const page: readonly ClosingDocument[] = await records.documents(tenant.name, period, after, PAGE);
    for (const document of page) {
      seen.add(document.guid);
      const entries = keysOf(document).flatMap((key) => {
        keys.add(key);
        return books?.entries.get(key) ?? [];
      });
      found.judge(document, entries);
      await write(recordOf(document, entries), calledOf(document));
    }
    const booked = page.filter((document) => isHeldAgainstSource(document, period));
    const cancelled = booked.filter(({ guid }) => source.documents.get(guid)?.isCancelled);
    for (const document of await findUnanswered(records, tenant.name, cancelled))
      found.differs(message('CLOSE_CANCELLED', named(document)));
    for (const difference of await content.differences(booked, (read) => comparing.onProgress(done + read)))
      found.differs(difference);
    done += page.length;
    comparing.onProgress(done);
    after = page.at(-1)?.postingId ?? null;
    if (page.length < PAGE || after === null) break;
  }
  for (const difference of content.unread()) found.differs(difference);
  for (const [guid, listed] of source.documents)
    if (!seen.has(guid))
      found.differs(message('CLOSE_NOT_KNOWN', { kind: listed.kind, number: listed.number || guid }));
  for (const [key, entries] of books?.entries ?? [])
    if (!keys.has(key)) {
      for (const entry of entries) {
        found.differs(message('CLOSE_ENTRY_UNKNOWN', { entry: shown(entry), key }));
        await write(JSON.stringify({ key, entry: plainEntry(entry) }), key);
      }
    } else if (entries.length > 1)
      found.differs(message('CLOSE_ENTRY_TWICE', { key, count: entries.length }));
  return found;
}

/** In the books from a content that the bridge read itself, and of a day that the service's lists were asked about. */
function isHeldAgainstSource({ kind, state, issueDate, bookedElsewhere }: ClosingDocument, period: Period) {
  const isOfPeriod = issueDate >= period.from && issueDate <= period.to;
  return isSourceKind(kind) && IN_BOOKS.has(state) && isOfPeriod && !bookedElsewhere;
}

class Findings implements ComparedDocuments {
  readonly differences: Message[] = [];
  readonly setAside: SetAside[] = [];
  readonly bySubject = new Tallies();
  readonly accounts = new Ledger();
  readonly vat = new Ledger();
  readonly originals: Record<string, number> = {};
  readonly numbers: string[] = [];
  entries = 0;
  readonly #comparing: Comparing;

  constructor(comparing: Comparing) {
    this.#comparing = comparing;
  }

  differs(difference: Message): void {
    this.differences.push(difference);
  }

  judge(document: ClosingDocument, entries: readonly ErpEntry[]): void {
    const { period } = this.#comparing;
    const isListed = isSourceKind(document.kind);
    if (isListed && document.issueDate >= period.from && document.issueDate <= period.to)
      this.#atSource(document);
    if (IN_BOOKS.has(document.state)) this.#inBooks(document, entries);
    else this.#outOfBooks(document, entries);
  }

  #atSource(document: ClosingDocument): void {
    const { kind, currency, amount, guid } = document;
    const listed = this.#comparing.source.documents.get(guid);
    this.bySubject.add(`${kind} ${currency}`, amount);
    if (kind === 'invoice' && document.number !== '') this.numbers.push(document.number);
    if (listed === undefined) {
      // A cost that was set back to New is not handed over; what is decided or gone is no difference.
      if (!DECIDED.has(document.state) && document.sourceStatus !== 'New')
        this.differs(message('CLOSE_NOT_AT_SOURCE', named(document)));
      return;
    }
    if (document.state === 'acknowledged' && listed.accountingStatus !== 'Posted')
      this.differs(message('CLOSE_NOT_POSTED', { ...named(document), status: listed.accountingStatus }));
    if (!new Decimal(listed.amount).equals(amount) || listed.currency !== currency)
      this.differs(
        message('CLOSE_AMOUNT_CHANGED', {
          ...named(document),
          was: `${writtenNumber(amount)} ${currency}`,
          is: `${writtenNumber(listed.amount)} ${listed.currency}`,
        }),
      );
  }

  #inBooks(document: ClosingDocument, entries: readonly ErpEntry[]): void {
    const { period, books } = this.#comparing;
    for (const journal of bookedJournals(document)) {
      if (journal.postingDate < period.from || journal.postingDate > period.to) continue;
      if (document.bookedElsewhere) continue;
      this.entries += 1;
      this.accounts.addJournal(journal);
      this.vat.addVat(journal.lines);
    }
    const isOurs = document.postingDate !== null && document.postingDate >= period.from;
    if (books !== null && isOurs && !document.bookedElsewhere && entries.length === 0)
      this.differs(message('CLOSE_ENTRY_MISSING', { ...named(document), entry: document.erpNumber ?? '' }));
    if (document.state !== 'acknowledged')
      this.differs(message('CLOSE_WAITING', { ...named(document), state: document.state }));
    this.#originalsOf(document);
  }

  #originalsOf(document: ClosingDocument): void {
    if (!this.#comparing.tenant.originals.keep || !isSourceKind(document.kind)) return;
    const ours = document.originals.filter(({ generation }) => generation === document.generation);
    for (const { state, role, expired } of ours) {
      const counted = expired === undefined ? state : 'expired';
      this.originals[counted] = (this.originals[counted] ?? 0) + 1;
      if (!['attached', 'kept', 'absent'].includes(state))
        this.differs(message('CLOSE_ORIGINAL', { ...named(document), role, state }));
    }
    if (ours.length > 0) return;
    const role = document.kind === 'invoice' ? 'pdf' : 'file';
    this.originals['wanted'] = (this.originals['wanted'] ?? 0) + 1;
    this.differs(message('CLOSE_ORIGINAL', { ...named(document), role, state: 'wanted' }));
  }

  #outOfBooks(document: ClosingDocument, entries: readonly ErpEntry[]): void {
    const { kind, number, guid, state, amount, currency, reason, decidedBy } = document;
    const own = entries.filter(({ key }) => key === document.key || key === settlementKey(document.key));
    for (const entry of own)
      this.differs(message('CLOSE_ENTRY_NOT_CLAIMED', { ...named(document), entry: shown(entry), state }));
    // Nothing came of it, and its documents stand for themselves.
    if (kind === 'summary' && DECIDED.has(state)) return;
    this.setAside.push({
      ...{ kind, number, guid, state, amount, currency, decidedBy },
      code: reason?.code ?? '',
      why: reason,
    });
    if (!DECIDED.has(state)) this.differs(message('CLOSE_WAITING', { ...named(document), state }));
  }
}

function named({ kind, number, guid }: ClosingDocument) {
  return { kind, number: number || guid };
}

function calledOf({ kind, number, guid }: ClosingDocument): string {
  return [kind, number, guid].filter((part) => part !== '').join(' ');
}

function keysOf({ key, summaryKey, settlement, undone }: ClosingDocument): string[] {
  const parts = settlement === null ? [] : [settlementKey(key)];
  return [summaryKey ?? key, ...parts, ...undone.map((part) => part.key)];
}

/** What was booked with others is added up once, in the journal that they share; and so is what undid a part of that. */
function bookedJournals({ journal, settlement, summaryKey, undone }: ClosingDocument): JournalJson[] {
  const own = [summaryKey === null ? journal : null, settlement];
  const kept = own.flatMap((text) => (text === null ? [] : [JSON.parse(text) as JournalJson]));
  return [...kept, ...undone.map((part) => part.journal)];
}

/** Everything that belongs to the document, as it stands, always in the same order. */
function recordOf(document: ClosingDocument, entries: readonly ErpEntry[]): string {
  const { journal, settlement, originals, audit, postingId: _id, ...rest } = document;
  return JSON.stringify({
    document: rest,
    journal: journal === null ? null : (JSON.parse(journal) as unknown),
    settlement: settlement === null ? null : (JSON.parse(settlement) as unknown),
    entries: entries.map(plainEntry),
    originals,
    audit,
  });
}

function plainEntry({ reference, key, state, postingDate, lines }: ErpEntry) {
  return {
    ...{ key, state, postingDate, id: reference.id, number: reference.number ?? '' },
    lines: lines.map(({ account, debit, credit, vatCode }) => ({
      ...{ account, debit: debit.toFixed(), credit: credit.toFixed() },
      ...(vatCode === undefined ? {} : { vatCode }),
    })),
  };
}

function shown({ reference }: ErpEntry): string {
  return reference.number ?? reference.id;
}
