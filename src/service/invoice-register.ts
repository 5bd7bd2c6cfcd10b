// The invoices of an account, as whoever makes one looks for it again: by what its reply named, or by the mark in one of its fields. The
// service filters invoices by day at most (both documents), so one list serves all who look for something in it: that of a day those who
// are in doubt, and that of a month, read now and then, those who are not.
import type { Guid } from '../domain/ids.js';
import type { IsoDate, SourceInvoice } from '../domain/source-document.js';
import { marksIn } from '../domain/submission.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { ApiClient } from './api-client.js';
import { CREDENTIAL_ENDPOINTS as credential } from './credential-endpoints.js';
import {
  type FoundInvoice,
  type HowRecent,
  MARK_FIELDS,
  type MarkField,
  type Search,
} from './invoicing-target.js';
import type { Surface } from './source-settings.js';
import { everyPage, heldAgainst, valueOf } from './whole-lists.js';
import { OPERATIONS } from './operations.js';

/** The surface that lists everything in one answer is asked for pages all the same. */
const PAGE_SIZE = 250;
/** What a history that was lost has sent is on every list that a process reads after it. */
const LATELY_MS = 12 * 60 * 60 * 1_000;
/** Lists that are kept, each without the invoices that carry no mark. */
const KEPT_MAX = 64;

interface Period {
  readonly from_date: IsoDate;
  readonly to_date: IsoDate;
}

interface Read {
  /** When it was begun: what was there by then is on it. */
  readonly at: number;
  readonly listed: Promise<Search<SourceInvoice>>;
}

export class InvoiceRegister {
  readonly #client: ApiClient;
  readonly #surface: Surface;
  readonly #reads = new Map<string, Read>();

  constructor(client: ApiClient, surface: Surface) {
    this.#client = client;
    this.#surface = surface;
  }

  async find(mark: string, field: MarkField, day: IsoDate, recent: HowRecent): Promise<Search<FoundInvoice>> {
    const period = recent === 'lately' ? monthOf(day) : { from_date: day, to_date: day };
    const listed = await this.#read(period, recent === 'lately' ? LATELY_MS : recent.maxAgeMs);
    if (listed.outcome === 'incomplete') return listed;
    const found = listed.found.filter((invoice) => carries(invoice, field, mark));
    return { outcome: 'complete', found: found.map(asFound) };
  }

  /** By its guid, or by the number that Document 2 shows in its place. null: the service does not show it with the mark. */
  async read(named: string, mark: string, field: MarkField): Promise<FoundInvoice | null> {
    const answer = await OPERATIONS.readInvoice[this.#surface](this.#client, named);
    if (answer.outcome !== 'ok' || !answer.value.readable) return null;
    const { document } = answer.value.record;
    return carries(document, field, mark) ? asFound(document) : null;
  }

  /** Of a draft or order, which the credential surface alone has. null: the service says that there is none. */
  async listMade(kind: 'draft' | 'order', guid: Guid): Promise<readonly FoundInvoice[] | null> {
    if (this.#surface === 'agent') return null;
    const answer = await this.#client.call(credential[`get-invoices-from-${kind}`], { guid });
    if (answer.outcome === 'ok') {
      const [problem] = answer.value.problems;
      if (problem) throw coded('SOURCE_REFUSED', message('LISTED_UNREADABLE', problem));
      return answer.value.records.map(({ document }) => asFound(document));
    }
    // Refused credentials look alike (Document 1, "Authentication" 5).
    valueOf(await this.#client.call(credential.hello, {}));
    return null;
  }

  #read(period: Period, maxAgeMs: number): Promise<Search<SourceInvoice>> {
    const name = `${period.from_date} ${period.to_date}`;
    const now = this.#client.now().getTime();
    const known = this.#reads.get(name);
    if (known !== undefined && now - known.at <= maxAgeMs) return known.listed;
    if (this.#reads.size >= KEPT_MAX) this.#reads.clear();
    const listed = this.#list(period);
    const read = { at: now, listed };
    this.#reads.set(name, read);
    // What proves nothing is not kept.
    const forget = () => {
      if (this.#reads.get(name) === read) this.#reads.delete(name);
    };
    listed.then(({ outcome }) => (outcome === 'incomplete' ? forget() : undefined), forget);
    return listed;
  }

  async #list(period: Period): Promise<Search<SourceInvoice>> {
    const counted = valueOf(await OPERATIONS.countInvoices[this.#surface](this.#client, period));
    const pages = await everyPage(
      (page) => this.#page(period, page),
      ({ document }) => document.guid,
    );
    const listed = heldAgainst(counted, pages, 'invoices');
    if (listed.outcome === 'incomplete') return listed;
    const invoices = [...listed.records.values()].map(({ document }) => document);
    return { outcome: 'complete', found: invoices.filter(isMarked) };
  }

  async #page(period: Period, page: number) {
    const paged = { ...period, page, limit: PAGE_SIZE };
    return valueOf(await OPERATIONS.listInvoices[this.#surface](this.#client, paged));
  }
}

function monthOf(day: IsoDate): Period {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  return { from_date: `${day.slice(0, 7)}-01`, to_date: last };
}

function isMarked(invoice: SourceInvoice): boolean {
  return MARK_FIELDS.some((field) => marksIn(textOf(invoice, field)).length > 0);
}

function carries(invoice: SourceInvoice, field: MarkField, mark: string): boolean {
  return marksIn(textOf(invoice, field)).includes(mark);
}

function textOf(invoice: SourceInvoice, field: MarkField): string {
  return field === 'cost_provide' ? invoice.costProvide : invoice[field];
}

function asFound({
  guid,
  number,
  amount,
  currency,
  type,
  issueDate,
  customer,
  status,
}: SourceInvoice): FoundInvoice {
  return {
    ...{ guid, number, currency, type, issueDate },
    amount: amount.toFixed(2),
    kennitala: customer.registrationNo.replace(/\D/g, ''),
    isPaid: status.toLowerCase() === 'paid',
  };
}
