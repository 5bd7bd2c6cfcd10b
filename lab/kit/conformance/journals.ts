// The journals that the suite posts, made of the names that the bed's chart knows.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Decimal, ZERO } from '../../../src/domain/money.js';
import type { Journal, JournalLine, JournalParty, LineRole } from '../../../src/domain/journal.js';
import type { IsoDate } from '../../../src/domain/source-document.js';
import type { ConformanceChart } from './target.js';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** First letters of real posting keys: invoices, costs, settlements. Reversals have R. */
const KEY_KINDS = ['I', 'C', 'S'] as const;
export type KeyKind = (typeof KEY_KINDS)[number] | 'R';
let keysMade = 0;

/**
 * New each time, so that the suite can run twice on the same books. The form is that of real posting keys, each kind in
 * turn: an adapter must not know ours by their first letter.
 */
export function freshKey(kind?: KeyKind): string {
  const letter = kind ?? KEY_KINDS[keysMade++ % KEY_KINDS.length] ?? 'I';
  return letter + [...randomBytes(19)].map((byte) => BASE32.charAt(byte & 31)).join('');
}

const KENNITALA_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2] as const;

/** A customer that no ERP has yet: the chart's new one under a kennitala of its own. */
export function freshCustomer(chart: ConformanceChart): JournalParty {
  const digits = `4${String(randomInt(1, 10))}0${String(randomInt(1, 10))}${String(randomInt(1000, 10_000))}`;
  const sum = KENNITALA_WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  const check = (11 - (sum % 11)) % 11;
  // No kennitala has the check digit ten.
  if (check === 10) return freshCustomer(chart);
  const kennitala = `${digits}${String(check)}0`;
  return { ...chart.newCustomer, kennitala, name: `${chart.newCustomer.name} ${digits}` };
}

export interface SaleOptions {
  readonly net?: string;
  readonly vat?: string;
  readonly date?: IsoDate;
  readonly text?: string;
  readonly description?: string;
  readonly revenueAccount?: string;
  readonly customer?: JournalParty;
  readonly dimensions?: Readonly<Record<string, string>>;
}

/** A sale with 24 % VAT: receivable against revenue and VAT. */
export function sale(chart: ConformanceChart, options: SaleOptions = {}): Journal {
  const net = new Decimal(options.net ?? '10000');
  const vat = new Decimal(options.vat ?? '2400');
  const customer = options.customer ?? chart.customer;
  const text = options.text ?? 'Sala á vörum';
  const revenue = line(options.revenueAccount ?? chart.revenue, 'revenue', net.negated(), text);
  return {
    ...header(chart, options),
    party: customer,
    lines: [
      receivable(chart, net.plus(vat), customer, text),
      options.dimensions ? { ...revenue, dimensions: options.dimensions } : revenue,
      { ...line(chart.vatOut, 'vat-out', vat.negated(), 'Virðisaukaskattur 24%'), vatBase: net },
    ],
  };
}

/** A bought service with VAT: expense and input VAT against payable. */
export function purchase(chart: ConformanceChart): Journal {
  const total = new Decimal('6200');
  return {
    ...header(chart, { description: 'Keypt þjónusta' }),
    party: chart.supplier,
    lines: [
      line(chart.expense, 'expense', new Decimal('5000'), 'Skrifstofukostnaður'),
      line(chart.vatIn, 'vat-in', new Decimal('1200'), 'Innskattur 24%'),
      {
        ...line(chart.payable, 'payable', total.negated(), chart.supplier.name),
        counterparty: chart.supplier.kennitala,
        dueDate: chart.openDate,
      },
    ],
  };
}

/** A sale at 24 % whose VAT the ERP is to take out. */
export function grossSale(chart: ConformanceChart): Journal {
  const { revenue = chart.revenue, codeOut = 'U24' } = chart.taxed ?? {};
  const net = new Decimal('10000');
  const gross = net.times('1.24');
  return {
    ...header(chart, {}),
    party: chart.customer,
    lines: [
      receivable(chart, gross, chart.customer, 'Sala á vörum'),
      { ...line(revenue, 'revenue', gross.negated(), 'Sala með VSK'), vatCode: codeOut, vatBase: net },
    ],
  };
}

/** A bought service at 24 %, likewise. */
export function grossPurchase(chart: ConformanceChart): Journal {
  const { expense = chart.expense, codeIn = 'I24' } = chart.taxed ?? {};
  const net = new Decimal('5000');
  const gross = net.times('1.24');
  return {
    ...header(chart, { description: 'Keypt þjónusta' }),
    party: chart.supplier,
    lines: [
      { ...line(expense, 'expense', gross, 'Skrifstofukostnaður'), vatCode: codeIn, vatBase: net },
      {
        ...line(chart.payable, 'payable', gross.negated(), chart.supplier.name),
        counterparty: chart.supplier.kennitala,
        dueDate: chart.openDate,
      },
    ],
  };
}

/** 99.99 in the foreign currency, with an ISK-only rounding line as the mapper makes them. */
export function foreignSale(chart: ConformanceChart): Journal {
  const { currency, rate } = chart.foreign;
  const exchangeRate = new Decimal(rate);
  const parts = [new Decimal('33.33'), new Decimal('66.66')];
  const total = new Decimal('99.99');
  const iskTotal = total.times(exchangeRate).toDecimalPlaces(0);
  const iskParts = parts.map((part) => part.times(exchangeRate).toDecimalPlaces(0));
  const rounding = iskTotal.minus(iskParts.reduce((sum, part) => sum.plus(part), ZERO));
  const lines: JournalLine[] = [
    {
      ...receivable(chart, iskTotal, chart.customer, 'Erlend sala'),
      currency,
      currencyAmount: total,
    },
    ...parts.map((part, index): JournalLine => {
      const isk = iskParts[index] ?? ZERO;
      return {
        ...line(chart.revenue, 'revenue', isk.negated(), `Liður ${String(index + 1)}`),
        currency,
        currencyAmount: part.negated(),
      };
    }),
  ];
  if (!rounding.isZero()) lines.push(line(chart.rounding, 'rounding', rounding.negated(), 'Aurajöfnun'));
  return {
    ...header(chart, { description: 'Erlend sala' }),
    currency,
    exchangeRate,
    party: chart.customer,
    lines,
  };
}

/** Debit and credit a króna apart. */
export function crooked(chart: ConformanceChart): Journal {
  const journal = sale(chart);
  const [first, ...rest] = journal.lines;
  return first ? { ...journal, lines: [{ ...first, debit: first.debit.plus(1) }, ...rest] } : journal;
}

function header(chart: ConformanceChart, options: SaleOptions): Omit<Journal, 'lines'> {
  const date = options.date ?? chart.openDate;
  return {
    documentNo: `SR-${randomBytes(3).toString('hex').toUpperCase()}`,
    externalReference: randomUUID(),
    postingDate: date,
    documentDate: date,
    dueDate: date,
    description: options.description ?? 'Sala',
    currency: 'ISK',
    exchangeRate: new Decimal(1),
  };
}

function receivable(
  chart: ConformanceChart,
  amount: Decimal,
  customer: JournalParty,
  text: string,
): JournalLine {
  return {
    ...line(chart.receivable, 'receivable', amount, text),
    counterparty: customer.kennitala,
    dueDate: chart.openDate,
  };
}

/** Plus is debit. */
function line(account: string, role: LineRole, amount: Decimal, text: string): JournalLine {
  return {
    account,
    role,
    debit: amount.isPositive() ? amount : ZERO,
    credit: amount.isPositive() ? ZERO : amount.negated(),
    text,
  };
}
