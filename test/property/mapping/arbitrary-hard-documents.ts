// Hard documents, with both of their papers: invoices with fees and discounts of every kind, and costs with an e-invoice that states what
// people do on bills (returns, deposits, prepayments, customs, reverse charge). Each says what an exact journal of it comes to.
import fc from 'fast-check';
import { Decimal, sum, roundTo } from '../../../src/domain/money.js';
import { cost, invoice, item, type Raw } from '../../unit/mapping/build.js';

const NONE = new Decimal(0);
const RATE = { S: new Decimal('0.24'), AA: new Decimal('0.11'), Z: NONE } as const;
const PERCENT = { S: 24, AA: 11, Z: 0 } as const;
type Tax = keyof typeof RATE;
const TAXES: Tax[] = ['S', 'AA', 'Z'];

export interface HardDocument {
  readonly name: string;
  readonly kind: 'invoice' | 'cost';
  readonly raw: Raw;
  readonly context: Raw;
  /** What to book, in ISK to a króna a rate: VAT by rate, and the total. null: the papers do not tell, so a person does. */
  readonly exact: { readonly vat: Readonly<Record<'S' | 'AA', Decimal>>; readonly total: Decimal } | null;
}

interface Currency {
  readonly code: 'ISK' | 'EUR' | 'DKK' | 'JPY';
  readonly decimals: number;
  readonly rate: Decimal;
}

export const FX_TABLE = {
  EUR: { '2025-03-10': 149.8 },
  DKK: { '2025-03-10': 20.07 },
  JPY: { '2025-03-10': 0.93 },
};
const ISK: Currency = { code: 'ISK', decimals: 0, rate: new Decimal(1) };
const currency = fc.constantFrom<Currency>(
  ISK,
  ISK,
  { code: 'EUR', decimals: 2, rate: new Decimal('149.8') },
  { code: 'DKK', decimals: 2, rate: new Decimal('20.07') },
  { code: 'JPY', decimals: 0, rate: new Decimal('0.93') },
);

/** Worth some krónur at least, in any of the currencies. */
const amount = (max = 50_000_000) =>
  fc.integer({ min: 20_000, max }).map((cents) => new Decimal(cents).div(100));
const inUnits = (value: Decimal, { decimals }: Currency) => roundTo(value, decimals);

interface Priced {
  readonly tax: Tax;
  readonly net: Decimal;
  readonly raw: Raw;
}

const pricedLine = (among: readonly Tax[], { decimals, code }: Currency): fc.Arbitrary<Priced> =>
  fc
    .record({
      tax: fc.constantFrom(...among),
      qty: fc.integer({ min: 1, max: 12 }),
      price: amount(9_000_000),
      off: fc.constantFrom(0, 0, 0, 5, 12.5, 30),
      isPercent: fc.boolean(),
      number: fc.constantFrom('V1', 'V2'),
    })
    .map(({ tax, qty, price, off, isPercent, number }) => {
      const each = roundTo(price, code === 'ISK' ? 0 : decimals);
      const full = each.times(qty);
      const discount = isPercent ? new Decimal(off) : roundTo(each.times(off).div(100), decimals);
      const net = roundTo(isPercent ? full.times(100 - off).div(100) : full.minus(discount), 2);
      const shape = {
        qty,
        price: each.toFixed(),
        tax,
        discount: discount.toFixed(),
        percent: isPercent,
        number,
      };
      return { tax, net, raw: item(shape) };
    });

const perTax = (lines: readonly { tax: Tax; net: Decimal }[]) => {
  const of = (tax: Tax) => sum(lines.filter((line) => line.tax === tax).map(({ net }) => net));
  return { S: of('S'), AA: of('AA'), Z: of('Z') };
};
type PerTax = Readonly<Record<Tax, Decimal>>;

const vatOf = (nets: PerTax, decimals: number): PerTax => ({
  S: roundTo(nets.S.times(RATE.S), decimals),
  AA: roundTo(nets.AA.times(RATE.AA), decimals),
  Z: NONE,
});
const all = ({ S, AA, Z }: PerTax) => sum([S, AA, Z]);

const INVOICE_KINDS = ['plain', 'exempt', 'discounted', 'charged', 'fee', 'off'] as const;

/** `discounted`, `charged`: the totals per rate show it. `fee`, `off`: only the amount does. */
export const hardInvoice: fc.Arbitrary<HardDocument> = fc
  .tuple(fc.constantFrom(...INVOICE_KINDS), currency, fc.boolean())
  .chain(([kind, money, isCredit]) =>
    fc
      .record({
        lines: fc.array(pricedLine(kind === 'exempt' ? ['S', 'AA'] : TAXES, money), {
          minLength: 1,
          maxLength: 6,
        }),
        percent: fc.integer({ min: 2, max: 18 }),
        fee: fc.integer({ min: 150, max: 990 }),
        hasTotals: fc.boolean(),
      })
      .map((made) => invoiceOf(kind, money, isCredit, made)),
  );

function invoiceOf(
  kind: (typeof INVOICE_KINDS)[number],
  money: Currency,
  isCredit: boolean,
  made: { lines: Priced[]; percent: number; fee: number; hasTotals: boolean },
): HardDocument {
  const nets = perTax(made.lines);
  const factor = new Decimal(
    kind === 'discounted' ? 100 - made.percent : kind === 'charged' ? 100 + made.percent : 100,
  );
  const scaled = (tax: Tax) => roundTo(nets[tax].times(factor).div(100), 2);
  const totals = { S: scaled('S'), AA: scaled('AA'), Z: scaled('Z') };
  const vats = kind === 'exempt' ? { S: NONE, AA: NONE, Z: NONE } : vatOf(totals, 2);
  const gross = all(totals).plus(all(vats));
  const fee = inUnits(new Decimal(made.fee).div(money.rate).plus(1), money);
  const off = inUnits(gross.times(made.percent).div(100), money);
  const shown = kind === 'fee' ? gross.plus(fee) : kind === 'off' ? gross.minus(off) : gross;
  const isTold = kind === 'discounted' || kind === 'charged' || made.hasTotals;
  const raw = invoice({
    amount: shown.times(isCredit ? -1 : 1).toFixed(),
    currency: money.code,
    exchange_rate: money.code === 'ISK' ? 1 : money.rate.toFixed(),
    items: made.lines.map((line) => line.raw),
    ...(isCredit ? { type: 'credit', refer_guid: '00000000-0000-4000-8000-000000000001' } : {}),
    ...(isTold
      ? { total_24vat: totals.S.toFixed(), total_11vat: totals.AA.toFixed(), total_0vat: totals.Z.toFixed() }
      : {}),
  });
  const isTaxed = !nets.S.plus(nets.AA).isZero();
  const context = { customer: { tax_exempt: kind === 'exempt' && isTaxed } };
  const isUnclear = kind === 'fee' || kind === 'off';
  const inIsk = (value: Decimal) => roundTo(value.times(money.rate), 0);
  const vat = { S: inIsk(vats.S), AA: inIsk(vats.AA) };
  return {
    name: `${kind} ${isCredit ? 'credit note' : 'invoice'} in ${money.code}`,
    kind: 'invoice',
    raw: { ...raw, ...(isCredit ? negatedTotals(raw) : {}) },
    context,
    exact: isUnclear ? null : { vat, total: inIsk(inUnits(shown, money)) },
  };
}

function negatedTotals(raw: Raw): Raw {
  const names = ['total_24vat', 'total_11vat', 'total_0vat'];
  return {
    ...Object.fromEntries(names.map((name) => [name, new Decimal(String(raw[name])).neg().toFixed()])),
    items: (raw['items'] as Raw[]).map((one) => ({
      ...one,
      qty: -Number(one['qty']),
      ...(one['discount_type'] === 1
        ? {}
        : { discount: new Decimal(String(one['discount'])).neg().toFixed() }),
    })),
  };
}

const COST_KINDS = [
  'plain',
  'returned', // a VAT category that is negative
  'deposit', // a part without VAT that is negative
  'fee', // beyond the taxed part, and stated nowhere
  'discount', // below the taxed part, and stated nowhere
  'prepaid', // the cost is what is left to pay
  'prepaid whole',
  'customs',
  'customs by rule',
  'hospitality',
  'abroad',
] as const;
type CostKind = (typeof COST_KINDS)[number];

export const hardCost: fc.Arbitrary<HardDocument> = fc
  .tuple(fc.constantFrom(...COST_KINDS), currency, fc.constantFrom('Invoice' as const, 'CreditNote' as const))
  .chain(([kind, money, root]) =>
    fc
      .record({
        nets: fc.tuple(amount(), fc.option(amount(), { nil: NONE }), fc.option(amount(), { nil: NONE })),
        part: fc.integer({ min: 1, max: 95 }),
        extra: fc.integer({ min: 500, max: 90_000 }),
        isStated: fc.boolean(),
        howPaid: fc.integer({ min: 1, max: 4 }),
      })
      .map((made) => costOf(kind, hasForeign(kind) ? money : ISK, root, made)),
  );

/** Customs and hospitality are billed in krónur here. */
const hasForeign = (kind: CostKind) =>
  !['customs', 'customs by rule', 'hospitality', 'discount'].includes(kind);

interface MadeCost {
  nets: readonly [Decimal, Decimal, Decimal];
  part: number;
  extra: number;
  isStated: boolean;
  howPaid: number;
}

/** What was bought, by rate and in the currency, with the signs of its kind. */
function boughtOf(kind: CostKind, money: Currency, { nets, part, extra }: MadeCost): PerTax {
  const [S, AA, Z] = nets.map((net) => inUnits(net, money)) as [Decimal, Decimal, Decimal];
  const share = inUnits(S.times(part).div(200), money);
  if (kind === 'returned') return { S, AA: share.neg(), Z };
  if (kind === 'deposit') return { S, AA, Z: share.neg() };
  if (kind === 'abroad') return { S: NONE, AA: NONE, Z: S };
  if (kind === 'customs' || kind === 'customs by rule') return { S: NONE, AA: NONE, Z: new Decimal(extra) };
  if (kind === 'fee' || kind === 'discount') return { S, AA, Z: NONE };
  return { S, AA, Z };
}

function costOf(
  kind: CostKind,
  money: Currency,
  root: 'Invoice' | 'CreditNote',
  made: MadeCost,
): HardDocument {
  const { part, extra, isStated, howPaid } = made;
  const bought = boughtOf(kind, money, made);
  const isCustoms = kind === 'customs' || kind === 'customs by rule';
  const goods = bought.Z.times(part + 10);
  const vats = isCustoms
    ? { S: roundTo(goods.times(RATE.S), 0), AA: NONE, Z: NONE }
    : vatOf(bought, money.decimals);
  const beyond = inUnits(new Decimal(kind === 'fee' ? extra : 0), money);
  const less =
    kind === 'discount'
      ? inUnits(
          all(bought)
            .times(part + 5)
            .div(200),
          money,
        )
      : NONE;
  const total = all(bought).plus(all(vats)).plus(beyond).minus(less);
  const prepaid =
    kind === 'prepaid' || kind === 'prepaid whole' ? inUnits(total.times(part).div(100), money) : NONE;
  const owed = total.minus(prepaid);
  const inIsk = (value: Decimal) => roundTo(value.times(money.rate), 0);
  const vat = { S: inIsk(vats.S), AA: inIsk(vats.AA) };
  const isSilent = kind === 'hospitality';
  const stated = (tax: Tax) => ({
    percent: PERCENT[tax],
    tax: vats[tax].toFixed(),
    taxable: bought[tax].toFixed(),
  });
  const taxes = !isCustoms
    ? TAXES.filter((tax) => !bought[tax].isZero()).map(stated)
    : kind === 'customs' || isStated
      ? [{ percent: 24, tax: vats.S.toFixed(), taxable: goods.toFixed() }]
      : [{ percent: 0, tax: 0, taxable: total.toFixed() }];
  const raw = cost(
    {
      amount: (kind === 'prepaid' ? owed : total).toFixed(),
      currency: money.code,
      vat_S: isSilent ? 0 : vat.S.toFixed(),
      vat_AA: isSilent ? 0 : vat.AA.toFixed(),
      how_paid: howPaid,
      cost_code: isSilent ? '3163' : kind === 'customs by rule' ? CUSTOMS_CODE : '2353',
    },
    {
      root,
      payable: owed.toFixed(),
      ...(prepaid.isZero() && !isStated ? {} : { inclusive: total.toFixed(), prepaid: prepaid.toFixed() }),
      taxes,
      taxTotal: all(vats).toFixed(),
      country: kind === 'abroad' ? 'IE' : 'IS',
    },
  );
  return {
    name: `${kind} ${root} in ${money.code}`,
    kind: 'cost',
    raw,
    context: {},
    exact: kind === 'discount' ? null : { vat: isSilent ? { S: NONE, AA: NONE } : vat, total: inIsk(total) },
  };
}

/** Has `importVat` in the rules of the test. */
export const CUSTOMS_CODE = '2533';
