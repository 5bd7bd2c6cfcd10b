import { Decimal } from 'decimal.js';
import { TAXES, UNITS, VAT_PERCENT } from './enumerations.js';
import { Fields, type Json } from './fields.js';
import { requireItem } from './items.js';
import { float } from './json-text.js';
import type { Line } from './records.js';
import { Refusal } from './refusal.js';
import type { World } from './world.js';

export interface ReadLines {
  readonly lines: Line[];
  readonly ignored: string[];
}

/** Write rule 4: an existing item (guid and qty) or a new inline one (add_new, and all of its fields). */
export function readLines(world: World, objects: readonly Json[]): ReadLines {
  const inline = new Set<string>();
  const ignored: string[] = [];
  const lines = objects.map((object) => {
    const fields = new Fields(object, 'json');
    const line = fields.has('guid') ? lineOfItem(world, fields) : inlineLine(world, fields, inline);
    ignored.push(...fields.unread().map((key) => `items.${key}`));
    return line;
  });
  return { lines, ignored };
}

/** "then only qty, discount, discount_type are needed": the rest is the item's own. */
function lineOfItem(world: World, fields: Fields): Line {
  const item = requireItem(world, fields.text('guid'));
  const { guid, number: itemNumber, description, uom, tax, unitPrice } = item;
  return { guid, itemNumber, description, uom, tax, unitPrice, ...readQuantity(world, fields) };
}

function inlineLine(world: World, fields: Fields, inline: Set<string>): Line {
  if (fields.raw('add_new') !== 1) throw new Refusal('A line needs the guid of an item or add_new = 1');
  const itemNumber = fields.text('item_number');
  const used = world.freedoms.inlineNumbers === 'unique-ever' && world.inlineNumbers.has(itemNumber);
  if (used || inline.has(itemNumber)) throw new Refusal(`item_number ${itemNumber} is not unique`);
  inline.add(itemNumber);
  return {
    guid: world.newKept().guid,
    itemNumber,
    description: fields.text('description'),
    uom: fields.oneOf('uom', UNITS),
    tax: fields.oneOf('tax', TAXES),
    unitPrice: fields.number('unit_price'),
    ...readQuantity(world, fields),
  };
}

function readQuantity(world: World, fields: Fields) {
  return {
    qty: world.freedoms.wholeQuantities ? fields.whole('qty') : fields.number('qty'),
    discount: fields.maybeNumber('discount'),
    percent: fields.flag('discount_type'),
  };
}

const netOf = (line: Line): Decimal => {
  const gross = new Decimal(line.qty).times(line.unitPrice);
  const discount = new Decimal(line.discount ?? 0);
  return line.percent ? gross.minus(gross.times(discount).div(100)) : gross.minus(discount);
};

const withVat = (line: Line): Decimal =>
  netOf(line)
    .times(100 + (VAT_PERCENT[line.tax] ?? 0))
    .div(100);

const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, value) => total.plus(value), new Decimal(0)).toDecimalPlaces(2);

/** Write rule 2: "`amount` equals Σ(line items) + VAT, rounded to 2 decimals; a mismatch is rejected." */
export function checkAmount(amount: number, lines: readonly Line[]): void {
  const expected = sum(lines.map(withVat));
  if (!expected.equals(amount)) {
    throw new Refusal(`Amount mismatch: expected ${expected.toFixed(2)}, got ${amount}`);
  }
}

export function takeInlineNumbers(world: World, lines: readonly Line[]): void {
  for (const line of lines) world.inlineNumbers.add(line.itemNumber);
}

export function totalsByVat(world: World, lines: readonly Line[]): Json {
  const measure = world.freedoms.vatTotals === 'gross' ? withVat : netOf;
  const total = (tax: string) => float(sum(lines.filter((line) => line.tax === tax).map(measure)).toNumber());
  return { total_0vat: total('Z'), total_11vat: total('AA'), total_24vat: total('S') };
}

/** `discount_type` is a boolean whose note writes 1 and 0; so does this service. */
export function lineShape(line: Line): Json {
  return {
    discount_type: line.percent ? 1 : 0,
    ...(line.discount === null ? {} : { discount: float(line.discount) }),
    unit_price: float(line.unitPrice),
    tax: line.tax,
    uom: line.uom,
    qty: line.qty,
    description: line.description,
    item_number: line.itemNumber,
    guid: line.guid,
  };
}
