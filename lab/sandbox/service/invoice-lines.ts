// Write rule 4: a line is either an existing item (guid + qty) or a new inline item, which then joins the catalogue.
import { TAX_CODES, UNITS_OF_MEASURE, type InvoiceLine } from '../model.js';
import type { Account } from './account.js';
import type { DataObject } from './data-object.js';
import { createItem, itemOf } from './items.js';
import { Refusal } from './refusal.js';

const LINES_MAX = 1_000;
const INLINE_FIELDS = ['item_number', 'description', 'unit_price', 'tax', 'uom'] as const;

export interface DraftLine {
  readonly line: InvoiceLine;
  /** Set on inline lines: what the catalogue item will be made of. */
  readonly inline: DataObject | null;
}

/** Checks without an effect, so that a refused invoice leaves nothing behind. */
export function draftLines(account: Account, lines: readonly DataObject[]): DraftLine[] {
  if (lines.length === 0) throw new Refusal('required-field', 'Field items is required');
  if (lines.length > LINES_MAX)
    throw new Refusal('line-shape', `An invoice has at most ${LINES_MAX} lines here`);
  return lines.map((line) => {
    checkLine(account, line);
    return line.has('guid')
      ? { line: existingLine(account, line), inline: null }
      : { line: inlineLine(line), inline: line };
  });
}

/** A tax-exempt customer's lines bear no VAT, and say so. */
export function withoutVat(lines: readonly InvoiceLine[], exempt: boolean): InvoiceLine[] {
  return lines.map((line) => (exempt ? { ...line, tax: 'Z' } : line));
}

/** Adds the inline lines to the catalogue. */
export function commitLines(account: Account, drafts: readonly DraftLine[]): InvoiceLine[] {
  return drafts.map(({ line, inline }) =>
    inline === null ? line : { ...line, guid: createItem(account, inline, line.item_number).guid },
  );
}

function checkLine(account: Account, line: DataObject): void {
  if (!line.has('qty')) throw new Refusal('line-shape', 'Field qty is required on every line');
  line.integer('qty', 0);
  line.decimal('discount');
  line.flag('discount_type');
  if (line.has('guid')) {
    itemOf(account, line.text('guid'));
    return;
  }
  for (const name of INLINE_FIELDS)
    if (!line.has(name)) throw new Refusal('line-shape', `Field ${name} is required on an inline line`);
  if (!line.flag('add_new'))
    throw new Refusal('line-shape', 'An inline line needs add_new: 1, any other line the guid of an item');
  line.oneOf('tax', TAX_CODES, null);
  line.oneOf('uom', UNITS_OF_MEASURE, null);
  line.decimal('unit_price');
}

function existingLine(account: Account, line: DataObject): InvoiceLine {
  const item = itemOf(account, line.text('guid'));
  return {
    guid: item.guid,
    item_number: item.item_number,
    description: line.text('description', item.description),
    qty: line.integer('qty', 0),
    uom: item.uom,
    tax: line.oneOf('tax', TAX_CODES, item.tax),
    unit_price: line.decimal('unit_price', item.unit_price),
    discount: line.decimal('discount'),
    discount_type: line.flag('discount_type'),
  };
}

function inlineLine(line: DataObject): InvoiceLine {
  return {
    guid: '',
    item_number: line.text('item_number'),
    description: line.text('description'),
    qty: line.integer('qty', 0),
    uom: line.oneOf('uom', UNITS_OF_MEASURE, null),
    tax: line.oneOf('tax', TAX_CODES, null),
    unit_price: line.decimal('unit_price'),
    discount: line.decimal('discount'),
    discount_type: line.flag('discount_type'),
  };
}
