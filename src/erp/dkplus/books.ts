// What dk holds under our keys: booked journals by their reference, and supplier invoices, whether they wait for people or are booked.
import { isPostingKey } from '../../domain/posting-key.js';
import { asLookUp, type LookUpAnswer } from '../answer.js';
import type { ErpEntry, FindOutcome } from '../erp-adapter.js';
import { foundEntries } from '../found-entries.js';
import { listFailed } from '../told.js';
import { BOOKED_AHEAD_DAYS, LIST_PAGES_MAX, PAGE_SIZE } from './assumptions.js';
import type { DkClient } from './client.js';
import type { DkPlusConfiguration } from './config.js';
import { invoiceIdOf, toDraft } from './supplier-invoices.js';
import { toEntries } from './translate.js';
import type { DkInvoice, DkTransaction } from './wire.js';

export class DkBooks {
  readonly #client: DkClient;
  readonly #configuration: DkPlusConfiguration;

  constructor(client: DkClient, configuration: DkPlusConfiguration) {
    this.#client = client;
    this.#configuration = configuration;
  }

  /** An invoice may be booked between two looks: one that is in both lists has left the first by the next look. */
  async findByKey(key: string): Promise<FindOutcome> {
    if (this.#configuration.supplierInvoices !== 'approval') return foundEntries(await this.#booked(key));
    const waiting = await this.#waiting((invoice) => invoice.Reference === key);
    if (waiting.outcome !== 'ok') return waiting;
    const booked = await this.#bookedInvoice(key);
    if (booked.outcome !== 'ok' || waiting.value.length === 0) return foundEntries(booked);
    if (booked.value.length === 0) return foundEntries(waiting);
    const still = await this.#waiting((invoice) => invoice.Reference === key);
    if (still.outcome !== 'ok') return still;
    return foundEntries({ outcome: 'ok', value: [...booked.value, ...still.value] });
  }

  async findByReference(reference: string): Promise<FindOutcome> {
    const id = invoiceIdOf(reference);
    if (id !== null) return foundEntries(await this.#waiting((invoice) => invoice.ID === id));
    const answer = await this.#voucher(reference);
    if (answer.outcome !== 'ok') return answer;
    // A reversal stands under its original's voucher; asked for by number, the original is meant.
    const [first] = toEntries(answer.value, this.#configuration).filter((entry) => !entry.reversed);
    return first ? this.findByKey(first.key) : { outcome: 'none' };
  }

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<ErpEntry> {
    const isInPeriod = ({ postingDate }: ErpEntry) => postingDate >= period.from && postingDate <= period.to;
    // Read first: what is booked meanwhile is seen twice rather than not at all.
    const waiting = await this.#listWaiting();
    const since = daysBefore(period.from, BOOKED_AHEAD_DAYS);
    const ours: DkTransaction[] = [];
    for (let page = 1; page <= LIST_PAGES_MAX; page++) {
      const answer = await this.#client.createdAfter(since, page);
      if (answer.outcome !== 'ok') throw listFailed(answer);
      ours.push(...answer.value.filter((transaction) => isPostingKey(transaction.Reference)));
      if (answer.value.length < PAGE_SIZE) break;
    }
    const booked = toEntries(ours, this.#configuration).filter(isInPeriod);
    yield* booked;
    const keys = new Set(booked.map(({ key }) => key));
    yield* waiting.filter((entry) => isInPeriod(entry) && !keys.has(entry.key));
  }

  async #listWaiting(): Promise<readonly ErpEntry[]> {
    if (this.#configuration.supplierInvoices !== 'approval') return [];
    const waiting = await this.#waiting(({ Reference }) => isPostingKey(Reference));
    if (waiting.outcome !== 'ok') throw listFailed(waiting);
    return waiting.value;
  }

  async #waiting(isMeant: (invoice: DkInvoice) => boolean): Promise<LookUpAnswer<ErpEntry[]>> {
    const answer = asLookUp(await this.#client.waitingInvoices());
    if (answer.outcome !== 'ok') return answer;
    const meant = answer.value.filter(isMeant);
    return { outcome: 'ok', value: meant.map((invoice) => toDraft(invoice, this.#configuration)) };
  }

  async #booked(key: string): Promise<LookUpAnswer<ErpEntry[]>> {
    const answer = asLookUp(await this.#client.transactions(key));
    if (answer.outcome !== 'ok') return answer;
    const ours = answer.value.filter((transaction) => transaction.Reference === key);
    const entries: ErpEntry[] = [];
    for (const entry of toEntries(ours, this.#configuration)) {
      const together = await this.#voucher(entry.reference.id);
      if (together.outcome !== 'ok') return together;
      const again = toEntries(together.value, this.#configuration).find((each) => each.key === key);
      entries.push(again ?? entry);
    }
    return { outcome: 'ok', value: entries };
  }

  /** Where the ledger does not show the reference of an invoice, the supplier's transaction does, and both have one voucher. */
  async #bookedInvoice(key: string): Promise<LookUpAnswer<ErpEntry[]>> {
    const booked = await this.#booked(key);
    if (booked.outcome !== 'ok' || booked.value.length > 0) return booked;
    const answer = asLookUp(await this.#client.supplierTransactions(key));
    if (answer.outcome !== 'ok') return answer;
    const ours = answer.value.filter(({ Reference, Voucher }) => Reference === key && Voucher !== '');
    const entries: ErpEntry[] = [];
    for (const voucher of new Set(ours.map(({ Voucher }) => Voucher))) {
      const together = await this.#voucher(voucher);
      if (together.outcome !== 'ok') return together;
      const named = together.value.map((each) =>
        isPostingKey(each.Reference) ? each : { ...each, Reference: key },
      );
      entries.push(...toEntries(named, this.#configuration).filter((entry) => entry.key === key));
    }
    return { outcome: 'ok', value: entries };
  }

  /** dk matches parts of a voucher's number as well. */
  async #voucher(voucher: string): Promise<LookUpAnswer<DkTransaction[]>> {
    const answer = asLookUp(await this.#client.transactionsOfVoucher(voucher));
    if (answer.outcome !== 'ok') return answer;
    return { outcome: 'ok', value: answer.value.filter(({ Voucher }) => Voucher === voucher) };
  }
}

function daysBefore(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - days);
  return day.toISOString().slice(0, 10);
}
