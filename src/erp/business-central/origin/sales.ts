// Sales documents of Business Central as records. Pure.
import { asAnswer } from '../../answer.js';
import { Decimal, sum } from '../../../domain/money.js';
import { isPostingKey, isTrialKey } from '../../../domain/posting-key.js';
import type { SubmissionKind } from '../../../domain/submission.js';
import {
  asReading,
  type ErpFeed,
  type ErpFile,
  type ErpRecord,
  given,
  type ReadErpFile,
  type Reading,
  sold,
  type Twins,
  unfit,
  amountUnless,
  lineOf,
  vatCode,
  type ErpFiles,
} from '../../../origins/erp-records.js';
import { answered } from '../../answer.js';
import {
  anyOf,
  type BcCustomer,
  bcFile,
  bcFound,
  type BcReader,
  bcSale,
  type BcSale,
  type BcSaleLine,
  SALE_SETS,
  type SaleSet,
  isNote,
} from './read.js';
import type { IsoDate } from '../../../domain/ids.js';
import { told } from '../../told.js';
import type { CustomersFeed } from './records.js';

/** By number: a posted document keeps it for ever, and people know it. */
export function referenceOf(set: SaleSet, number: string): string {
  return `${SALE_SETS[set].word} ${number}`;
}

export function numberIn(set: SaleSet, reference: string): string | null {
  const start = `${SALE_SETS[set].word} `;
  const number = reference.startsWith(start) ? reference.slice(start.length) : '';
  return /^\S.{0,19}$/.test(number) ? number : null;
}

/** The bridge booked it from the service, where it stands already; its key stands behind the number that people know. */
export function isBooking({ externalDocumentNumber: number }: BcSale): boolean {
  const last = number.split(' ').at(-1) ?? '';
  return isPostingKey(last) || isTrialKey(last);
}

/** Business Central posts an empty document where a number would be missing from its series. */
export function isEmpty(sale: BcSale): boolean {
  return itemsOf(sale).length === 0 && sale.totalAmountIncludingTax.isZero();
}

export function saleOf(set: SaleSet, kind: SubmissionKind, sale: BcSale, kennitala: string): ErpRecord {
  const items = itemsOf(sale);
  const total = sum(items.map((line) => line.netAmount.times(line.taxPercent.plus(100).div(100))));
  const isPosted = set === 'salesInvoices' || set === 'salesCreditMemos';
  const { invoiceNumber: credited } = sale;
  const value = {
    customer: { kennitala },
    ...given({ currency: sale.currencyCode, issue_date: sale.date, due_date: isPosted ? sale.dueDate : '' }),
    ...given({ description: sale.number, booking: sale.externalDocumentNumber }),
    ...given({ delivery_date: isPosted ? '' : sale.requestedDeliveryDate }),
    ...(set === 'salesCreditMemos' ? given({ credit_of: referenceOf('salesInvoices', credited) }) : {}),
    ...amountUnless(total, sale.totalAmountIncludingTax),
    lines: items.map(itemOf),
  };
  const record = { kind, reference: referenceOf(set, sale.number), value };
  return isPosted ? { ...record, booked: 'origin' } : record;
}

/** Lines of text have nothing that is sold. */
function itemsOf({ lines }: BcSale): readonly BcSaleLine[] {
  return lines.filter(({ lineObjectNumber: number }) => number !== '');
}

const CENT = 0.01;

/** Where quantity and price do not come to the sum (VAT in the price, a discount on the whole document), the sum is one line. */
function itemOf(line: BcSaleLine) {
  const { quantity, unitPrice, discountPercent, netAmount: amount, unitOfMeasureCode: unit } = line;
  const plain = {
    ...{ itemNumber: line.lineObjectNumber, description: line.description, amount },
    tax: vatCode(line.taxPercent),
  };
  const counted = quantity.times(unitPrice).times(new Decimal(100).minus(discountPercent).div(100));
  if (counted.minus(amount).abs().greaterThan(CENT))
    return lineOf({ ...plain, quantity: new Decimal(1), unit: null, unitPrice: amount });
  return lineOf({ ...plain, quantity, unit, unitPrice, discountPercent });
}

// The sales documents of one set, each behind its customer.

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

// Attachments of Business Central: documentAttachments of API v2.0, which lists name, size and the time of the last change, and gives the
// bytes at an address of their own. Recalled, not tried: that other bytes always stamp that time.

/** A list of one document has no pages here: what it has is what it answers. */
export function bcFiles(reader: BcReader, set: SaleSet): ErpFiles {
  return {
    list: async (numbers) => {
      const owners = await reader.numbered(set, numbers, bcFound, [], { $select: 'id,number' });
      const files: ErpFile[] = [];
      for (const { id, number: of } of owners)
        for (const { id: file, fileName: name, byteSize: bytes, version } of await filesAt(
          reader,
          `${set}(${id})`,
        ))
          files.push({ of, name, bytes, version, at: `${set}(${id})/${file}` });
      return { files, isFull: false };
    },
  };
}

/** Looked at before and after: list and content are two calls. */
export function readBcFile(reader: BcReader): ReadErpFile {
  return async ({ at, version }) => {
    const slash = at.lastIndexOf('/');
    const [owner, id] = [at.slice(0, slash), at.slice(slash + 1)];
    const find = async () =>
      (await filesAt(reader, owner)).find((file) => file.id === id && file.version === version);
    const before = await find();
    if (before === undefined) return null;
    const path = `documentAttachments(${id})/attachmentContent`;
    const content = answered(await asAnswer(() => reader.client.download(path, before.byteSize)));
    return (await find()) === undefined ? null : content;
  };
}

/** What the bridge says itself of a document is none of its files. */
async function filesAt({ client }: BcReader, owner: string) {
  const all = answered(await asAnswer(() => client.list(`${owner}/documentAttachments`, {}, bcFile)));
  return all.filter(({ fileName }) => !isNote(fileName));
}
