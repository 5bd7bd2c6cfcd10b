// Products of Odoo that are sold and have a code. Assumed: the time of the last change of a product moves with that of its template, as
// Odoo has it since version 14.
import { Decimal, sum } from '../../../domain/decimal.js';
import { asReading, type ErpRecord, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { itemOf, unfitItem } from '../items.js';
import { type Twins, twinsAmong } from '../twins.js';
import { vatCode } from '../vat-and-units.js';
import type { OdooReader } from './reader.js';
import { odooProduct, type OdooProduct, odooRate, type OdooRate, PRODUCT_FIELDS } from './wire.js';

const MODEL = 'product.product';
/** What is archived is seen too. */
const SOLD = [
  ['sale_ok', '=', true],
  ['default_code', '!=', false],
  ['active', 'in', [true, false]],
];

type Rates = ReadonlyMap<number, OdooRate>;

export function productOf(product: OdooProduct, rates: Rates): ErpRecord {
  // Taxes of other companies are not shown.
  const taxes = product.taxes_id.flatMap((id) => rates.get(id) ?? []);
  const percent = sum(taxes.map(({ amount }) => amount));
  const unfitTax = taxes.find(({ amount_type: type }) => type !== 'percent');
  const isIncluded = taxes.some(({ price_include: included }) => included === true);
  return itemOf({
    ...{ code: product.default_code.trim(), name: product.name, unit: product.uom_id },
    price: isIncluded ? product.lst_price.div(percent.plus(100).div(100)) : product.lst_price,
    // No tax at all is nobody's word for 0 %.
    tax: taxes.length === 0 ? '' : (unfitTax?.amount_type ?? vatCode(new Decimal(percent))),
    isActive: product.active,
  });
}

export class ProductsFeed implements ErpFeed {
  readonly name = 'product';
  readonly kinds = ['item'] as const;
  readonly isCoarse = true;
  readonly #reader: OdooReader;
  readonly #placeOf: (model: string, id: number) => string;

  constructor(reader: OdooReader, placeOf: (model: string, id: number) => string) {
    this.#reader = reader;
    this.#placeOf = placeOf;
  }

  list(since: string | null, after: string | null) {
    return this.#reader.list(MODEL, SOLD, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const products = await this.#find([['id', 'in', ids.map(Number)]]);
    if (products.length === 0) return [];
    const taxes = [...new Set(products.flatMap(({ taxes_id: all }) => all))];
    const fields = ['amount', 'amount_type', 'price_include'];
    const found = await this.#reader.find('account.tax', [['id', 'in', taxes]], fields, odooRate);
    const rates = new Map(found.map((rate) => [rate.id, rate]));
    const twins = await this.#twins(products);
    return products.map((product) => {
      const place = this.#placeOf(MODEL, product.id);
      const item = productOf(product, rates);
      const problem = unfitItem(item, twins);
      return problem === null ? asReading(product.id, place, [item]) : unfit(product.id, place, problem);
    });
  }

  async find(reference: string): Promise<string | null> {
    const [found] = await this.#find([['default_code', '=', reference]]);
    return found === undefined ? null : String(found.id);
  }

  #find(domain: readonly unknown[]): Promise<OdooProduct[]> {
    return this.#reader.find(MODEL, [...SOLD, ...domain], PRODUCT_FIELDS, odooProduct);
  }

  async #twins(products: readonly OdooProduct[]): Promise<Twins> {
    const same = await this.#find([['default_code', 'in', products.map(({ default_code: code }) => code)]]);
    const sold = same.filter(({ active }) => active);
    return twinsAmong(
      sold.map((product) => ({
        record: productOf(product, new Map()),
        name: `${product.name} (${String(product.id)})`,
      })),
    );
  }
}
