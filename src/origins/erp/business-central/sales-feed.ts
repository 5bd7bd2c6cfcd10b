// The sales documents of one set, each behind its customer.
import type { IsoDate } from '../../../domain/ids.js';
import type { SubmissionKind } from '../../../domain/submission.js';
import { told } from '../../../erp/told.js';
import { asReading, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { sold, type Twins } from '../twins.js';
import type { CustomersFeed } from './customers.js';
import { anyOf, type BcReader } from './reader.js';
import { isBooking, isEmpty, numberIn, saleOf } from './sales.js';
import { type BcCustomer, type BcSale, bcSale, SALE_SETS, type SaleSet } from './wire.js';

export interface SalesFeedParts {
  readonly reader: BcReader;
  readonly customers: CustomersFeed;
  readonly set: SaleSet;
  /** What it becomes at the service. */
  readonly kind: SubmissionKind;
  readonly since: IsoDate;
  readonly placeOf: (number: string) => string;
}

export class SalesFeed implements ErpFeed {
  readonly name: SaleSet;
  readonly kinds: readonly SubmissionKind[];
  readonly #parts: SalesFeedParts;
  readonly #filters: readonly string[];

  constructor(parts: SalesFeedParts) {
    const { date, statuses } = SALE_SETS[parts.set];
    this.#parts = parts;
    this.name = parts.set;
    this.kinds = [parts.kind];
    this.#filters = [anyOf('status', statuses), `${date} ge ${parts.since}`];
  }

  list(since: string | null, after: string | null) {
    return this.#parts.reader.list(this.name, this.#filters, since, after);
  }

  async read(numbers: readonly string[]): Promise<Reading[]> {
    const { reader, customers, set } = this.#parts;
    const expand = { $expand: SALE_SETS[set].lines };
    const all = await reader.numbered(set, numbers, bcSale(set), this.#filters, expand);
    const sales = all.filter((sale) => !isBooking(sale) && !isEmpty(sale));
    const bought = await customers.numbered([...new Set(sales.map(({ customerNumber: who }) => who))]);
    const twins = await customers.twins(bought);
    return sales.map((sale) => this.#readingOf(sale, bought, twins));
  }

  find(reference: string): Promise<string | null> {
    return Promise.resolve(numberIn(this.name, reference));
  }

  #readingOf(sale: BcSale, bought: readonly BcCustomer[], twins: Twins): Reading {
    const { set, kind, customers, placeOf } = this.#parts;
    const place = placeOf(sale.number);
    const who = bought.find(({ number }) => number === sale.customerNumber);
    const customer = who && customers.recordOf(who);
    if (!customer) {
      const party = who?.displayName ?? sale.customerNumber;
      return unfit(sale.number, place, told('PARTY_WITHOUT_KENNITALA', { party }));
    }
    if (set === 'salesCreditMemos' && sale.invoiceNumber === '')
      return unfit(sale.number, place, told('CREDITS_NOT_ONE'));
    return asReading(sale.number, place, sold(saleOf(set, kind, sale, customer.reference), customer, twins));
  }
}
