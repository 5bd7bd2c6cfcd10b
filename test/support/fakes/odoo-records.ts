// The few models of Odoo that matter here, with the ORM's manners: domains in prefix form, `false` for empty, unknown
// fields refused by name, and an exception name for everything that goes wrong.
import { isLosslessNumber } from 'lossless-json';
import { Decimal } from '../../../src/domain/money.js';

export type Row = Record<string, unknown> & { id: number };

export class OdooException extends Error {
  override readonly name: string;
  readonly status: number;

  constructor(name: string, message: string, status = 422) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export const userError = (message: string) => new OdooException('odoo.exceptions.UserError', message);
export const validationError = (message: string) =>
  new OdooException('odoo.exceptions.ValidationError', message);
const invalidField = (model: string, field: string) =>
  new OdooException('builtins.ValueError', `Invalid field '${field}' on model '${model}'`, 500);

/** Links to another model: field → model. */
const LINKS: Readonly<Record<string, string>> = {
  'account.move.journal_id': 'account.journal',
  'account.move.reversed_entry_id': 'account.move',
  'account.move.line.move_id': 'account.move',
  'account.move.line.account_id': 'account.account',
  'account.move.line.partner_id': 'res.partner',
  'account.move.line.currency_id': 'res.currency',
  'account.partial.reconcile.debit_move_id': 'account.move.line',
  'account.partial.reconcile.credit_move_id': 'account.move.line',
  'account.analytic.account.plan_id': 'account.analytic.plan',
  'res.company.currency_id': 'res.currency',
  'res.partner.parent_id': 'res.partner',
  'account.journal.company_id': 'res.company',
  'account.account.company_id': 'res.company',
  'account.move.company_id': 'res.company',
  'account.move.partner_id': 'res.partner',
  'account.move.currency_id': 'res.currency',
  'account.move.line.product_id': 'product.product',
  'account.move.line.product_uom_id': 'uom.uom',
  'res.partner.commercial_partner_id': 'res.partner',
  'sale.order.partner_id': 'res.partner',
  'sale.order.currency_id': 'res.currency',
  'sale.order.line.order_id': 'sale.order',
  'sale.order.line.product_id': 'product.product',
  'sale.order.line.product_uom_id': 'uom.uom',
  'sale.order.line.product_uom': 'uom.uom',
  'product.product.uom_id': 'uom.uom',
};

interface Table {
  readonly fields: ReadonlySet<string>;
  /** Columns that no two rows may share, as the database sees to it. */
  readonly unique: readonly string[];
  rows: Row[];
}

export class OdooRecords {
  readonly #tables = new Map<string, Table>();
  #lastId = 0;

  define(model: string, fields: readonly string[], unique: readonly string[] = []): void {
    this.#tables.set(model, { fields: new Set(['id', ...fields]), unique, rows: [] });
  }

  /** Its module is not installed. */
  forget(model: string): void {
    this.#tables.delete(model);
  }

  rows(model: string): Row[] {
    return this.#table(model).rows;
  }

  fields(model: string): string[] {
    return [...this.#table(model).fields];
  }

  insert(model: string, values: Record<string, unknown>): Row {
    const table = this.#table(model);
    for (const field of Object.keys(values)) if (!table.fields.has(field)) throw invalidField(model, field);
    const row: Row = { id: ++this.#lastId };
    for (const field of table.fields) if (field !== 'id') row[field] = values[field] ?? field === 'active';
    const { unique } = table;
    if (
      unique.length > 0 &&
      table.rows.some((other) => unique.every((field) => other[field] === row[field]))
    ) {
      const message = `duplicate key value violates unique constraint on ${model} (${unique.join(', ')})`;
      throw new OdooException('psycopg2.errors.UniqueViolation', message, 500);
    }
    table.rows.push(row);
    return row;
  }

  remove(model: string, ids: readonly number[]): void {
    const table = this.#table(model);
    table.rows = table.rows.filter((row) => !ids.includes(row.id));
  }

  byId(model: string, id: number): Row {
    const row = this.#table(model).rows.find((each) => each.id === id);
    if (row) return row;
    const message = `Record does not exist or has been deleted. (Record: ${model}(${id},), User: 2)`;
    throw new OdooException('odoo.exceptions.MissingError', message, 404);
  }

  /** Archived records do not show. */
  search(model: string, domain: readonly unknown[]): Row[] {
    const hidden = (row: Row) => row['active'] === false;
    return this.#table(model).rows.filter((row) => !hidden(row) && this.#matches(model, row, domain));
  }

  read(model: string, rows: readonly Row[], fields: readonly string[]): Record<string, unknown>[] {
    const { fields: known } = this.#table(model);
    for (const field of fields) if (!known.has(field)) throw invalidField(model, field);
    return rows.map((row) => ({
      id: row.id,
      ...Object.fromEntries(fields.map((field) => [field, this.#shown(model, row, field)])),
    }));
  }

  #shown(model: string, row: Row, field: string): unknown {
    const linked = LINKS[`${model}.${field}`];
    const value = row[field];
    if (linked === undefined || typeof value !== 'number') return value;
    const target = this.byId(linked, value);
    return [value, target['name'] ?? target['code']];
  }

  #matches(model: string, row: Row, domain: readonly unknown[]): boolean {
    const tokens = [...domain];
    const next = (): boolean => {
      const token = tokens.shift();
      if (token === '|') {
        const [first, second] = [next(), next()];
        return first || second;
      }
      if (!Array.isArray(token)) throw new OdooException('builtins.ValueError', 'Invalid domain term', 500);
      return this.#holds(model, row, String(token[0]), String(token[1]), token[2]);
    };
    let whole = true;
    while (tokens.length > 0) whole = next() && whole;
    return whole;
  }

  #holds(model: string, row: Row, path: string, operator: string, wanted: unknown): boolean {
    const value = this.#value(model, row, path.split('.'));
    const plain = (item: unknown): unknown => (isLosslessNumber(item) ? Number(item.value) : item);
    const right = Array.isArray(wanted) ? wanted.map(plain) : plain(wanted);
    if (operator === '=') return value === right;
    if (operator === '!=') return value !== right;
    if (operator === 'in' && Array.isArray(right)) return right.includes(value);
    if (operator === 'ilike') return String(value).toLowerCase().includes(String(right).toLowerCase());
    if (operator === '>') return Number(value) > Number(right);
    if (operator === '>=') return String(value) >= String(right);
    if (operator === '<=') return String(value) <= String(right);
    throw new OdooException('builtins.ValueError', `Invalid operator ${operator}`, 500);
  }

  #value(model: string, row: Row, path: readonly string[]): unknown {
    const [field, ...rest] = path;
    if (field === undefined || !this.#table(model).fields.has(field)) throw invalidField(model, field ?? '');
    const value = row[field];
    const linked = LINKS[`${model}.${field}`];
    if (rest.length === 0) return Decimal.isDecimal(value) ? value.toFixed() : value;
    return linked === undefined || typeof value !== 'number'
      ? false
      : this.#value(linked, this.byId(linked, value), rest);
  }

  #table(model: string): Table {
    const table = this.#tables.get(model);
    if (table) return table;
    throw new OdooException('werkzeug.exceptions.NotFound', `the model ${model} does not exist`, 404);
  }
}
