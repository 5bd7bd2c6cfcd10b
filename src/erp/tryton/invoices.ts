// The calls about invoices, with the module account_invoice.
import * as z from 'zod';
import type { IsoDate } from '../../domain/source-document.js';
import type { Answer } from '../answer.js';
import type { Domain, TrytonModels } from './client.js';
import { date, PARTY_FIELDS, wireDate, wireDecimal, wireIds, wireParty } from './wire.js';
import { madeOf } from '../../domain/made-of.js';
import { wireInteger } from '../../http/wire-json.js';

const INVOICES_PER_PAGE = 100;
const NOTHING = z.unknown();
const ORIGINS = z.array(z.object({ origin: z.string() }));
const NUMBERS = z.array(z.object({ number: z.string().nullable() }));

export class TrytonInvoices {
  readonly #models: TrytonModels;
  readonly #fields: readonly string[];

  constructor(models: TrytonModels, withAnalytic: boolean) {
    this.#models = models;
    this.#fields = invoiceFields(withAnalytic);
  }

  /** Names of fields of invoice lines, which say which modules there are. Empty: there are no invoices in this Tryton. */
  async lineFields(): Promise<ReadonlySet<string>> {
    const domain = [['model.model', '=', 'account.invoice.line']];
    const fields = await this.#models.find('ir.model.field', domain, ['name'], wireFieldNames, {});
    return new Set(fields.map(({ name }) => name));
  }

  taxes(company: number): Promise<WireTax[]> {
    return this.#models.find('account.tax', [['company', '=', company]], TAX_FIELDS, wireTaxes, { company });
  }

  /** The oldest address of a party: an invoice must have one. */
  async address(party: number): Promise<number | undefined> {
    const parameters = [[['party', '=', party]], 0, 1, [['id', 'ASC']]];
    const [address] = await this.#models.read('party.address.search', parameters, wireIds, {});
    return address;
  }

  find(company: number, domain: Domain): Promise<WireInvoice[]> {
    const ours = [['company', '=', company], ...domain];
    const context = { company };
    return this.#models.find('account.invoice', ours, this.#fields, wireInvoices, context, INVOICES_PER_PAGE);
  }

  findAfter(
    company: number,
    afterId: number,
    period: { readonly from: IsoDate; readonly to: IsoDate },
  ): Promise<WireInvoice[]> {
    return this.find(company, [
      ['accounting_date', '>=', date(period.from)],
      ['accounting_date', '<=', date(period.to)],
      ['id', '>', afterId],
    ]);
  }

  async create(company: number, values: unknown): Promise<Answer<number>> {
    const answer = await this.#models.call('account.invoice.create', [[values]], wireIds, { company });
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value[0] ?? 0 } : answer;
  }

  post(company: number, id: number): Promise<Answer<unknown>> {
    return this.#models.call('account.invoice.post', [[id]], NOTHING, { company });
  }

  /** Tryton asks a person whether an invoice may be due in the past; what was due when it was made is not for us to change. */
  async confirmPastDueDate(company: number, id: number): Promise<Answer<unknown>> {
    const user = await this.#models.user();
    if (user.outcome !== 'ok') return user;
    const values = { user: user.value, name: `invoice_payment_term_${String(id)}`, always: false };
    return this.#models.call('res.user.warning.create', [[values]], NOTHING, { company });
  }

  /** Tryton deletes no invoice that has a number, so a draft gives its number back first. */
  async remove(company: number, id: number): Promise<Answer<unknown>> {
    const unnumbered = await this.setNumber(company, id, null);
    if (unnumbered.outcome !== 'ok') return unnumbered;
    return this.#models.call('account.invoice.delete', [[id]], NOTHING, { company });
  }

  setNumber(company: number, id: number, number: string | null): Promise<Answer<unknown>> {
    return this.#models.call('account.invoice.write', [[id], { number }], NOTHING, { company });
  }

  async number(company: number, id: number): Promise<string | null> {
    const parameters = [[id], ['number']];
    const [invoice] = await this.#models.read('account.invoice.read', parameters, NUMBERS, { company });
    return invoice?.number ?? null;
  }

  /** Which of these lines posted credit notes were made of. */
  async credited(company: number, lines: readonly number[]): Promise<ReadonlySet<number>> {
    const names = new Map(lines.map((id) => [`account.invoice.line,${String(id)}`, id]));
    const domain = [
      ['origin', 'in', [...names.keys()]],
      ['invoice.state', 'in', ['posted', 'paid']],
    ];
    const made = await this.#models.find('account.invoice.line', domain, ['origin'], ORIGINS, { company });
    return new Set(made.flatMap(({ origin }) => names.get(origin) ?? []));
  }

  open(company: number, domain: Domain): Promise<WireOpenInvoice[]> {
    const ours = [['company', '=', company], ['state', 'in', ['posted', 'paid']], ...domain];
    return this.#models.find('account.invoice', ours, OPEN_INVOICE_FIELDS, wireOpenInvoices, { company }, 2);
  }

  lines(company: number, domain: Domain): Promise<WireOpenLine[]> {
    return this.#models.find('account.move.line', domain, OPEN_LINE_FIELDS, wireOpenLines, { company }, 100);
  }

  /** What is set against an invoice lessens what is to be paid of it. */
  setAgainst(company: number, invoice: number, lines: readonly number[]): Promise<Answer<unknown>> {
    const parameters = [[invoice], { payment_lines: [['add', lines]] }];
    return this.#models.call('account.invoice.write', parameters, NOTHING, { company });
  }

  unreconcile(company: number, reconciliations: readonly number[]): Promise<Answer<unknown>> {
    return this.#models.call('account.move.reconciliation.delete', [reconciliations], NOTHING, { company });
  }

  /** Lines that come to nothing; Tryton marks the invoices among them as paid. */
  reconcile(company: number, lines: readonly number[], day: IsoDate): Promise<Answer<unknown>> {
    const values = { company, date: date(day), lines: [['add', lines]] };
    return this.#models.call('account.move.reconciliation.create', [[values]], NOTHING, { company });
  }
}

// Invoices and taxes in Tryton's JSON. Fields of modules that may not be activated are asked for only where they are needed.

const text = z.string().nullable();
const id = wireInteger;

export const wireTaxes = z.array(
  z.object({
    id,
    name: z.string(),
    type: z.string(),
    parent: id.nullable(),
    invoice_account: id.nullable(),
    credit_note_account: id.nullable(),
  }),
);
export type WireTax = z.infer<typeof wireTaxes>[number];
export const TAX_FIELDS = ['name', 'type', 'parent', 'invoice_account', 'credit_note_account'];

const wireItem = z.object({
  id,
  type: z.string(),
  account: id.nullable(),
  'account.': z.object({ code: text }).nullable().optional(),
  amount: wireDecimal.nullable(),
  unit_price: wireDecimal.nullable(),
  quantity: z.coerce.number().nullable(),
  description: text,
  taxes: z.array(id),
  /** `model,id` of what it was made from: the line of another invoice, where this one credits it. */
  origin: text,
  'analytic_accounts.': z
    .array(
      z.object({
        root: id.nullable(),
        account: id.nullable(),
        'account.': z.object({ code: text, name: text, root: id.nullable() }).nullable().optional(),
      }),
    )
    .optional(),
});
export type WireItem = z.infer<typeof wireItem>;

const wireInvoiceTax = z.object({
  account: id,
  'account.': z.object({ code: text }),
  base: wireDecimal,
  amount: wireDecimal,
  manual: madeOf(z.union([z.boolean(), wireInteger]), Boolean),
  tax: id.nullable(),
  description: z.string(),
});

const wireInvoice = z.object({
  id,
  type: z.enum(['out', 'in']),
  state: z.enum(['draft', 'validated', 'posted', 'paid', 'cancelled']),
  number: text,
  description: text,
  comment: text,
  accounting_date: wireDate.nullable(),
  invoice_date: wireDate.nullable(),
  party: id,
  'party.': wireParty,
  invoice_address: id,
  account: id,
  'account.': z.object({ code: text }),
  journal: id,
  currency: id,
  total_amount: wireDecimal,
  move: id.nullable(),
  cancel_move: id.nullable(),
  'lines.': z.array(wireItem),
  'taxes.': z.array(wireInvoiceTax),
});
export type WireInvoice = z.infer<typeof wireInvoice>;
export const wireInvoices = z.array(wireInvoice);

const ITEM_FIELDS = [
  ...[
    'type',
    'account',
    'account.code',
    'amount',
    'unit_price',
    'quantity',
    'description',
    'taxes',
    'origin',
  ],
];
const ANALYTIC_ITEM_FIELDS = ['root', 'account', 'account.code', 'account.name', 'account.root'].map(
  (field) => `analytic_accounts.${field}`,
);
const TAX_LINE_FIELDS = ['account', 'account.code', 'base', 'amount', 'manual', 'tax', 'description'];

export function invoiceFields(withAnalytic: boolean): string[] {
  const items = withAnalytic ? [...ITEM_FIELDS, ...ANALYTIC_ITEM_FIELDS] : ITEM_FIELDS;
  return [
    ...['type', 'state', 'number', 'description', 'comment', 'accounting_date', 'invoice_date', 'party'],
    ...['invoice_address', 'account', 'account.code', 'journal', 'currency', 'total_amount'],
    ...['move', 'cancel_move'],
    ...PARTY_FIELDS.map((field) => `party.${field}`),
    ...items.map((field) => `lines.${field}`),
    ...TAX_LINE_FIELDS.map((field) => `taxes.${field}`),
  ];
}

/** What is to be paid of a posted invoice, and what was set against it. */
const wireOpenInvoice = z.object({
  id,
  state: z.string(),
  account: id,
  party: id,
  lines_to_pay: z.array(id),
  payment_lines: z.array(id),
});
export type WireOpenInvoice = z.infer<typeof wireOpenInvoice>;
export const wireOpenInvoices = z.array(wireOpenInvoice);
export const OPEN_INVOICE_FIELDS = ['state', 'account', 'party', 'lines_to_pay', 'payment_lines'];

const wireOpenLine = z.object({
  id,
  debit: wireDecimal,
  credit: wireDecimal,
  date: wireDate,
  reconciliation: id.nullable(),
});
export type WireOpenLine = z.infer<typeof wireOpenLine>;
export const wireOpenLines = z.array(wireOpenLine);
export const OPEN_LINE_FIELDS = ['debit', 'credit', 'date', 'reconciliation'];

export const wireFieldNames = z.array(z.object({ id, name: z.string() }));
