// Products of Tryton that have a code. Their price and VAT are their template's, so templates are listed, and each is read with its products.
import { Decimal, sum } from '../../../domain/decimal.js';
import { asReading, type ErpRecord, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { itemOf, unfitItem } from '../items.js';
import { type Twins, twinsAmong } from '../twins.js';
import { vatCode } from '../vat-and-units.js';
import type { TrytonReader } from './reader.js';
import { PRODUCT_FIELDS, type WireProduct, wireProducts } from './wire.js';

const MODEL = 'product.product';
const TEMPLATE = 'product.template';
const CHILDREN = ['products', 'list_prices'];

export class ProductsFeed implements ErpFeed {
  readonly name = 'product';
  readonly kinds = ['item'] as const;
  readonly #reader: TrytonReader;
  readonly #placeOf: (model: string, id: number) => string;

  constructor(reader: TrytonReader, placeOf: (model: string, id: number) => string) {
    this.#reader = reader;
    this.#placeOf = placeOf;
  }

  list(since: string | null, after: string | null) {
    return this.#reader.list(TEMPLATE, [['products.code', '!=', null]], CHILDREN, since, after);
  }

  async read(templates: readonly string[]): Promise<Reading[]> {
    const products = await this.#find([['template', 'in', templates.map(Number)]]);
    if (products.length === 0) return [];
    const twins = await this.#twins(products);
    return templates.flatMap((template) => {
      const its = products.filter((product) => product.template === Number(template));
      return its.length === 0 ? [] : [this.#readingOf(template, its, twins)];
    });
  }

  async find(reference: string): Promise<string | null> {
    const [found] = await this.#find([['code', '=', reference]]);
    return found === undefined ? null : String(found.template);
  }

  #readingOf(template: string, products: readonly WireProduct[], twins: Twins): Reading {
    const place = this.#placeOf(TEMPLATE, Number(template));
    const items = products.map((product) => productOf(product, this.#placeOf(MODEL, product.id)));
    const [problem] = items.flatMap((item) => unfitItem(item, twins) ?? []);
    return problem === undefined ? asReading(template, place, items) : unfit(template, place, problem);
  }

  #find(domain: readonly unknown[]): Promise<WireProduct[]> {
    return this.#reader.find(MODEL, [['code', '!=', null], ...domain], PRODUCT_FIELDS, wireProducts);
  }

  async #twins(products: readonly WireProduct[]): Promise<Twins> {
    const codes = products.map(({ code }) => code);
    const same = await this.#find([
      ['code', 'in', codes],
      ['active', '=', true],
    ]);
    return twinsAmong(
      same.map((product) => ({
        record: productOf(product, ''),
        name: `${product.name ?? ''} (${String(product.id)})`,
      })),
    );
  }
}

function productOf(product: WireProduct, place: string): ErpRecord {
  const taxes = product['template.']['account_category.']?.['customer_taxes_used.'] ?? [];
  const unfitTax = taxes.find(({ type }) => type !== 'percentage');
  const percent = sum(taxes.map(({ rate }) => (rate ?? new Decimal(0)).times(100)));
  return itemOf({
    ...{ code: product.code ?? '', name: product.name ?? '', place, isActive: product.active },
    ...{ price: product.list_price ?? new Decimal(0), unit: product['default_uom.']?.symbol },
    // No tax at all is nobody's word for 0 %.
    tax: taxes.length === 0 ? '' : (unfitTax?.type ?? vatCode(percent)),
  });
}
