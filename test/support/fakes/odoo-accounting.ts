// What Odoo's accounting does with an entry, traps included: amounts are rounded without a word, taxes and a balancing
// line appear when `tax_ids` is not sent empty, and posting into a locked period moves the date instead of refusing.
import { z } from 'zod';
import { Decimal, sum } from '../../../src/domain/money.js';
import { decimal, integer } from './fake-json.js';
import { type OdooRecords, type Row, userError, validationError } from './odoo-records.js';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const lineValues = z.strictObject({
  account_id: integer,
  name: z.string().optional(),
  debit: decimal.optional(),
  credit: decimal.optional(),
  partner_id: integer.optional(),
  currency_id: integer.optional(),
  amount_currency: decimal.optional(),
  date_maturity: day.optional(),
  analytic_distribution: z.record(z.string(), z.unknown()).optional(),
  tax_ids: z.tuple([z.tuple([z.unknown(), z.unknown(), z.array(z.unknown())])]).optional(),
});

export const moveValues = z.strictObject({
  move_type: z.literal('entry'),
  journal_id: integer,
  date: day,
  ref: z.string(),
  reversed_entry_id: integer.optional(),
  line_ids: z.array(z.tuple([z.unknown(), z.unknown(), lineValues])),
});

const itemValues = z.strictObject({
  account_id: integer,
  name: z.string(),
  quantity: integer,
  price_unit: decimal,
  analytic_distribution: z.record(z.string(), z.unknown()).optional(),
  tax_ids: z.tuple([z.tuple([z.unknown(), z.unknown(), z.array(z.unknown())])]),
});

export const invoiceValues = z.strictObject({
  move_type: z.enum(['out_invoice', 'out_refund', 'in_invoice', 'in_refund']),
  journal_id: integer,
  partner_id: integer,
  date: day,
  invoice_date: day,
  invoice_date_due: day,
  invoice_payment_term_id: z.literal(false).optional(),
  ref: z.string(),
  payment_reference: z.string(),
  invoice_origin: z.string(),
  invoice_line_ids: z.array(z.tuple([z.unknown(), z.unknown(), itemValues])),
});

const PARTIAL = 'account.partial.reconcile';

type LineValues = z.infer<typeof lineValues>;

export class OdooAccounting {
  readonly #records: OdooRecords;
  #number = 0;

  constructor(records: OdooRecords) {
    this.#records = records;
  }

  create(values: z.infer<typeof moveValues>): Row {
    const { line_ids: commands, ...header } = values;
    const company = Number(this.#records.byId('account.journal', header.journal_id)['company_id']);
    this.#checkCompany(
      company,
      commands.map(([, , line]) => line.account_id),
    );
    const lines = commands.map(([, , line]) => this.#completed(line));
    const move = this.#records.insert('account.move', {
      ...{ ...header, company_id: company },
      ...{ name: '/', state: 'draft' },
    });
    for (const line of [
      ...lines,
      ...this.#addedByOdoo(
        commands.map(([, , line]) => line),
        lines,
      ),
    ]) {
      this.#records.insert('account.move.line', { ...line, move_id: move.id });
    }
    return move;
  }

  /** Amounts follow the kind of the document; what is owed goes on the partner's account, and every line has the partner. */
  createInvoice(values: z.infer<typeof invoiceValues>): Row {
    const { invoice_line_ids: commands, ...header } = values;
    const company = Number(this.#records.byId('account.journal', header.journal_id)['company_id']);
    this.#checkCompany(
      company,
      commands.map(([, , line]) => line.account_id),
    );
    const isOwedToUs = ['out_invoice', 'in_refund'].includes(header.move_type);
    const items = commands.flatMap(([, , { price_unit, tax_ids, quantity: _one, ...line }]) => {
      const balance = isOwedToUs ? price_unit.negated() : price_unit;
      const item = this.#completed({ ...line, ...sided(balance) });
      return [item, ...tax_ids[0][2].map((id) => this.#taxLine(Number(id), item))];
    });
    const owed = sum(items.map((line) => (line['credit'] as Decimal).minus(line['debit'] as Decimal)));
    const code = header.move_type.startsWith('out') ? '1500' : '2410';
    const control = this.#records
      .search('account.account', [['code', '=', code]])
      .find((account) => account['company_id'] === company);
    const term = this.#completed({
      ...{ account_id: control?.id ?? 0, name: header.payment_reference, ...sided(owed) },
      date_maturity: this.#dueDate(header),
    });
    const { invoice_payment_term_id: _term, ...kept } = header;
    const move = this.#records.insert('account.move', {
      ...{ ...kept, invoice_date_due: this.#dueDate(header), company_id: company },
      ...{ name: '/', state: 'draft' },
    });
    const about = { move_id: move.id, partner_id: header.partner_id };
    this.#records.insert('account.move.line', { ...term, ...about, display_type: 'payment_term' });
    for (const item of items)
      this.#records.insert('account.move.line', { ...item, ...about, display_type: 'product' });
    return move;
  }

  /** Verified on 19: the payment term of a partner replaces the due date that it is given, unless no term is asked for. */
  #dueDate({
    partner_id,
    invoice_date_due,
    invoice_payment_term_id,
  }: Omit<z.infer<typeof invoiceValues>, 'invoice_line_ids'>): string {
    const { due_after_terms: by } = this.#records.byId('res.partner', partner_id);
    return typeof by === 'string' && invoice_payment_term_id !== false ? by : invoice_date_due;
  }

  reconcile(lines: readonly Row[]): void {
    const accounts = new Set(lines.map((line) => line['account_id']));
    const moves = lines.map((line) => this.#records.byId('account.move', Number(line['move_id'])));
    if (accounts.size !== 1) throw userError('Entries are not from the same account.');
    if (moves.some((move) => move['state'] !== 'posted'))
      throw userError('You can only reconcile posted entries.');
    if (lines.some((line) => this.openOf(line).isZero()))
      throw userError('You are trying to reconcile some entries that are already reconciled.');
    const debits = lines.filter((line) => !(line['debit'] as Decimal).isZero());
    const credits = lines.filter((line) => !(line['credit'] as Decimal).isZero());
    for (const debit of debits)
      for (const credit of credits) {
        const amount = Decimal.min(this.openOf(debit), this.openOf(credit));
        if (!amount.isZero()) this.#records.insert(PARTIAL, partialOf(debit, credit, amount));
      }
    for (const line of lines) line['reconciled'] = this.openOf(line).isZero();
  }

  /** Whatever stands against these lines stands against them no more. */
  removeReconcile(lines: readonly Row[]): void {
    const partials = lines.flatMap((line) => this.#partialsOf(line));
    const touched = partials.flatMap((each) => [
      Number(each['debit_move_id']),
      Number(each['credit_move_id']),
    ]);
    this.#records.remove(
      PARTIAL,
      partials.map(({ id }) => id),
    );
    for (const id of touched) {
      const line = this.#records.byId('account.move.line', id);
      line['reconciled'] = this.openOf(line).isZero();
    }
  }

  /** What is left of it, without a sign. */
  openOf(line: Row): Decimal {
    const matched = sum(this.#partialsOf(line).map((each) => each['amount'] as Decimal));
    return (line['debit'] as Decimal)
      .minus(line['credit'] as Decimal)
      .abs()
      .minus(matched);
  }

  #partialsOf({ id }: Row): Row[] {
    return this.#records
      .rows(PARTIAL)
      .filter((each) => each['debit_move_id'] === id || each['credit_move_id'] === id);
  }

  post(move: Row): void {
    if (move['state'] !== 'draft') throw userError('You can only post draft entries.');
    const lines = this.#records.search('account.move.line', [['move_id', '=', move.id]]);
    const balance = sum(lines.map((line) => (line['debit'] as Decimal).minus(line['credit'] as Decimal)));
    if (!balance.isZero()) throw userError('The entry is not balanced.');
    const accounts = lines.map((line) => this.#records.byId('account.account', Number(line['account_id'])));
    if (accounts.some((account) => account['deprecated'] === true)) {
      throw userError('A line of this move is using a deprecated account, you cannot post it.');
    }
    const locked = this.#lockedUntil(Number(move['company_id']));
    if (String(move['date']) <= locked) move['date'] = dayAfter(locked);
    this.#number++;
    move['state'] = 'posted';
    move['name'] = `EINV/2026/${String(this.#number).padStart(4, '0')}`;
  }

  remove(move: Row): void {
    if (move['state'] === 'posted') throw userError('You cannot delete an entry which has been posted once.');
    const lines = this.#records.search('account.move.line', [['move_id', '=', move.id]]);
    this.#records.remove(
      'account.move.line',
      lines.map((line) => line.id),
    );
    this.#records.remove('account.move', [move.id]);
  }

  #completed(line: LineValues): Record<string, unknown> {
    this.#records.byId('account.account', line.account_id);
    if (line.partner_id !== undefined) this.#records.byId('res.partner', line.partner_id);
    const company = this.#records.rows('res.company')[0];
    const home = Number(company?.['currency_id']);
    const decimals = Number(this.#records.byId('res.currency', home)['decimal_places']);
    const rounded = (value: Decimal | undefined) => (value ?? new Decimal(0)).toDecimalPlaces(decimals);
    const [debit, credit] = [rounded(line.debit), rounded(line.credit)];
    if (debit.isNegative() || credit.isNegative()) throw validationError('Wrong credit or debit value.');
    const { tax_ids: _taxes, ...rest } = line;
    const balance = debit.minus(credit);
    const currencyAmount = line.amount_currency ?? balance;
    if (line.currency_id !== undefined && currencyAmount.times(balance).lessThanOrEqualTo(0)) {
      throw validationError(
        'The amount expressed in the secondary currency must have the sign of the balance.',
      );
    }
    return {
      ...rest,
      debit,
      credit,
      currency_id: line.currency_id ?? home,
      amount_currency: currencyAmount,
    };
  }

  /** The account's own taxes, where the caller did not say that there are none, and what then is missing to balance. */
  #addedByOdoo(
    sent: readonly LineValues[],
    lines: readonly Record<string, unknown>[],
  ): Record<string, unknown>[] {
    const added: Record<string, unknown>[] = [];
    sent.forEach((line, index) => {
      const account = this.#records.byId('account.account', line.account_id);
      const taxes = line.tax_ids?.[0][2] ?? [];
      added.push(...taxes.map((id) => this.#taxLine(Number(id), lines[index]!)));
      if (line.tax_ids !== undefined || account['tax_ids'] === false) return;
      const credit = (lines[index]!['credit'] as Decimal).times('0.24').toDecimalPlaces(0);
      added.push(this.#completed({ account_id: line.account_id, name: '24%', credit }));
    });
    const all = [...lines, ...added];
    const balance = sum(all.map((line) => (line['debit'] as Decimal).minus(line['credit'] as Decimal)));
    if (balance.isZero()) return added;
    const suspense = this.#records.rows('account.account')[0];
    const side = balance.isPositive() ? { credit: balance } : { debit: balance.negated() };
    const name = 'Automatic Balancing Line';
    return [...added, this.#completed({ account_id: suspense?.id ?? 0, name, ...side })];
  }

  /** On top of the line, whatever the tax says of included prices. */
  #taxLine(id: number, line: Record<string, unknown>): Record<string, unknown> {
    const tax = this.#records.byId('account.tax', id);
    const balance = (line['debit'] as Decimal).minus(line['credit'] as Decimal);
    const vat = balance.times(Number(tax['amount'])).div(100).toDecimalPlaces(2);
    const side = vat.isPositive() ? { debit: vat } : { credit: vat.negated() };
    // A share of the tax without an account goes where the line goes.
    const account = tax['account_id'] === false ? line['account_id'] : tax['account_id'];
    return this.#completed({ account_id: Number(account), name: String(tax['name']), ...side });
  }

  #checkCompany(company: number, accounts: readonly number[]): void {
    const strange = accounts.find(
      (id) => this.#records.byId('account.account', id)['company_id'] !== company,
    );
    if (strange === undefined) return;
    throw userError(`Incompatible companies on records: account ${strange} belongs to another company.`);
  }

  #lockedUntil(companyId: number): string {
    const company = this.#records.byId('res.company', companyId);
    const dates = ['fiscalyear_lock_date', 'tax_lock_date', 'hard_lock_date'].map((field) => company[field]);
    return (
      dates
        .filter((date) => typeof date === 'string')
        .sort()
        .at(-1) ?? ''
    );
  }
}

function partialOf(debit: Row, credit: Row, amount: Decimal): Record<string, unknown> {
  return { debit_move_id: debit.id, credit_move_id: credit.id, amount };
}

function sided(balance: Decimal): { debit?: Decimal; credit?: Decimal } {
  return balance.isPositive() ? { debit: balance } : { credit: balance.negated() };
}

function dayAfter(date: string): string {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
