// Documents that reconcile, from fast-check: every price, rate, discount and currency that can occur, with totals in any of
// the forms that the service may use. `wild` breaks them: what no document should hold.
import fc from 'fast-check';
import { CURRENCY_CODES, currencyDecimals, roundTo, Decimal, sum } from '../../../src/domain/money.js';
import { base64, sampleRules, ublXml, type Raw } from '../../unit/mapping/build.js';

const RATE = { S: new Decimal('0.24'), AA: new Decimal('0.11'), Z: new Decimal(0) } as const;
type Tax = keyof typeof RATE;
const TAXES: Tax[] = ['S', 'AA', 'Z'];

const currency = fc.oneof(
  { weight: 3, arbitrary: fc.constant('ISK') },
  { weight: 2, arbitrary: fc.constantFrom(...CURRENCY_CODES) },
);
const day = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Between half and twice the reference, so that it is plausible. */
const rateOf = (code: string) =>
  fc.integer({ min: 50, max: 200 }).map((percent) => {
    const reference = new Decimal(sampleRules.fx.reference[code] ?? 1);
    return code === 'ISK' ? new Decimal(1) : roundTo(reference.times(percent).div(100), 6);
  });

interface Line {
  tax: Tax;
  qty: number;
  price: Decimal;
  discount: Decimal;
  percent: boolean;
  number: string;
}

const line = (decimals: number, perUnit: boolean): fc.Arbitrary<Line> =>
  fc
    .record({
      tax: fc.constantFrom(...TAXES),
      qty: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) },
        fc.integer({ min: -3, max: -1 }),
      ),
      cents: fc.integer({ min: 10_000, max: 90_000_000 }),
      off: fc.integer({ min: 0, max: 60 }),
      percent: fc.boolean(),
      number: fc.constantFrom('V1', 'V2', 'V3', 'VX', ''),
    })
    .map(({ tax, qty, cents, off, percent, number }) => {
      const price = new Decimal(cents).div(100).toDecimalPlaces(decimals);
      const discount = percent && !perUnit ? new Decimal(off) : roundTo(price.times(off).div(200), decimals);
      return { tax, qty, price, discount, percent: percent && !perUnit, number };
    });

function netOf({ qty, price, discount, percent }: Line, perUnit: boolean): Decimal {
  const full = price.times(qty);
  if (percent) return roundTo(full.times(new Decimal(100).minus(discount)).div(100), 2);
  return roundTo(full.minus(perUnit ? discount.times(qty) : discount), 2);
}

export interface InvoiceCase {
  readonly document: Raw;
  readonly context: Raw;
  /** What was charged, in the document's currency. */
  readonly vat: Decimal;
}

const text = fc.constantFrom('', 'Sala', 'Ráðgjöf í mars', '😀 \u0000\n', '{party}', 'x'.repeat(400));

export const invoiceCase: fc.Arbitrary<InvoiceCase> = currency.chain((code) => {
  const decimals = code === 'ISK' ? 2 : currencyDecimals(code);
  return fc.boolean().chain((perUnit) =>
    fc
      .record({
        lines: fc.array(line(decimals, perUnit), { minLength: 1, maxLength: 8 }),
        rate: rateOf(code),
        totals: fc.constantFrom('none', 'nets', 'grosses', 'vat'),
        extra: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: -150, max: 40 })),
        exempt: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
        charged: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
        small: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 4 }),
        isAtZero: fc.boolean(),
        status: fc.constantFrom('Sent', 'Paid', 'Collection'),
        issued: day,
        number: fc.integer({ min: 1, max: 999_999 }),
        description: text,
        asText: fc.boolean(),
        guid: fc.uuid(),
      })
      .map((made) => invoiceOf(code, perUnit, made)),
  );
});

interface Made {
  lines: Line[];
  rate: Decimal;
  totals: string;
  extra: number;
  exempt: boolean;
  /** An exempt customer was charged VAT after all. */
  charged: boolean;
  /** A taxed line of so many cents: its VAT is within the tolerance. */
  small: number | null;
  /** The totals of what was sold without VAT are all kept at 0 %. */
  isAtZero: boolean;
  status: string;
  issued: string;
  number: number;
  description: string;
  asText: boolean;
  guid: string;
}

function smallLine(cents: number, decimals: number): Line {
  const price = roundTo(new Decimal(cents).div(100), decimals);
  return { tax: 'S', qty: 1, price, discount: new Decimal(0), percent: false, number: 'V1' };
}

function invoiceOf(code: string, perUnit: boolean, made: Made): InvoiceCase {
  const lines =
    made.small === null
      ? made.lines
      : [
          ...made.lines.map((each) => ({ ...each, tax: 'Z' as const })),
          smallLine(made.small, code === 'ISK' ? 2 : currencyDecimals(code)),
        ];
  const isUncharged = made.exempt && !made.charged;
  const nets = perTax((tax) =>
    sum(lines.filter((each) => each.tax === tax).map((each) => netOf(each, perUnit))),
  );
  // A fee or discount of some per mille that the lines do not show: then only the totals give the amount.
  const wanted = perTax((tax) => roundTo(nets[tax].times(1000 + made.extra).div(1000), 2));
  const vats = perTax((tax) => (isUncharged ? new Decimal(0) : roundTo(wanted[tax].times(RATE[tax]), 2)));
  const amount = sum(TAXES.flatMap((tax) => [wanted[tax], vats[tax]]));
  const kind = made.extra === 0 ? made.totals : 'nets';
  const total = (tax: Tax) => {
    if (kind === 'none') return new Decimal(0);
    if (isUncharged && made.isAtZero) return tax === 'Z' ? amount : new Decimal(0);
    if (kind === 'vat') return tax === 'Z' ? new Decimal(0) : vats[tax];
    return kind === 'nets' ? wanted[tax] : wanted[tax].plus(vats[tax]);
  };
  const write = (value: Decimal): unknown => (made.asText ? value.toFixed(2) : value.toNumber());
  const document: Raw = {
    guid: made.guid,
    number: String(made.number),
    amount: write(amount),
    currency: code,
    status: made.status,
    issue_date: made.issued,
    due_date: made.issued,
    settlement_date: made.issued,
    description: made.description,
    type: 'invoice',
    refer_guid: '',
    accounting_status: 'Created',
    total_24vat: write(total('S')),
    total_11vat: write(total('AA')),
    total_0vat: write(total('Z')),
    exchange_rate: made.rate.toFixed(),
    items: lines.map((each, index) => ({
      guid: `${made.guid}-${String(index)}`,
      item_number: each.number,
      description: `Vara ${each.number}`,
      qty: each.qty,
      tax: each.tax,
      unit_price: write(each.price),
      discount: write(each.discount),
      discount_type: each.percent ? 1 : 0,
    })),
    customer: { guid: 'c', name: 'Dæmi ehf.', registration_no: '4101212040' },
  };
  return { document, context: { customer: { tax_exempt: made.exempt } }, vat: sum(Object.values(vats)) };
}

function perTax(amount: (tax: Tax) => Decimal): Record<Tax, Decimal> {
  return { S: amount('S'), AA: amount('AA'), Z: amount('Z') };
}

export const costCase: fc.Arbitrary<Raw> = currency.chain((code) =>
  fc
    .record({
      bases: fc.tuple(
        fc.integer({ min: 0, max: 900_000 }),
        fc.integer({ min: 0, max: 900_000 }),
        fc.integer({ min: 0, max: 90_000 }),
      ),
      vatFree: fc.boolean(),
      rate: rateOf(code),
      cost_code: fc.constantFrom(
        ...Object.keys(sampleRules.cost.codes).filter((known) => known !== '2633'),
        'Items',
      ),
      how_paid: fc.constantFrom(1, 2, 3, 4),
      root: fc.constantFrom('Invoice' as const, 'CreditNote' as const),
      country: fc.constantFrom('IS', 'IE'),
      issue_date: day,
      guid: fc.uuid(),
    })
    .map(({ bases: [s, aa, z], vatFree, rate, root, country, ...rest }) => {
      const taxed = !vatFree && sampleRules.cost.codes[rest.cost_code]?.vat !== 'none';
      const vatS = taxed ? Math.round(s * 0.24) : 0;
      const vatAA = taxed ? Math.round(aa * 0.11) : 0;
      const isk = new Decimal(s + aa + z + vatS + vatAA);
      const amount = roundTo(isk.div(rate), code === 'ISK' ? 0 : currencyDecimals(code)).toFixed();
      const taxes =
        code === 'ISK'
          ? [
              { percent: 24, tax: vatS },
              { percent: 11, tax: vatAA },
            ]
          : [{ percent: 24, tax: '1000' }];
      const stated = code === 'ISK' ? {} : { taxIsk: roundTo(rate.times(1000), 2).toFixed() };
      const xml = base64(
        ublXml({
          root,
          country,
          currency: code,
          payable: amount,
          taxes,
          ...stated,
          id: rest.guid.slice(0, 6),
        }),
      );
      return {
        ...rest,
        description: 'Kostnaður',
        supplier_id: '5501192180',
        amount,
        currency: code,
        vat_S: vatS,
        vat_AA: vatAA,
        xml,
        accounting_status: 'Created',
        project_name: '',
      };
    }),
);

const nonsense = fc.oneof(
  fc.constantFrom(
    null,
    '',
    ' ',
    '0',
    '-1',
    '1e5',
    'NaN',
    'Infinity',
    '__proto__',
    'constructor',
    true,
    false,
    [],
    {},
    -0,
  ),
  fc.double(),
  fc.string({ maxLength: 30 }),
  fc.integer(),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A document with one or more fields replaced by nonsense, or removed. */
export function wild(document: fc.Arbitrary<Raw>): fc.Arbitrary<Raw> {
  return fc
    .tuple(document, fc.array(fc.tuple(fc.nat(), nonsense, fc.boolean()), { minLength: 1, maxLength: 4 }))
    .map(([sound, changes]) => {
      const broken: Raw = { ...sound };
      for (const [at, value, isDeep] of changes) {
        const keys = Object.keys(broken);
        const key = keys[at % keys.length] ?? 'guid';
        const inner = broken[key];
        const first = Array.isArray(inner) ? (inner[0] as unknown) : undefined;
        if (isDeep && typeof first === 'object' && first !== null) {
          const innerKeys = Object.keys(first);
          broken[key] = [{ ...first, [innerKeys[at % Math.max(innerKeys.length, 1)] ?? 'qty']: value }];
        } else broken[key] = value;
      }
      return broken;
    });
}

const days = ['2025-99-99', '2025-02-30', '2024-02-29', '9999-12-31', '0001-01-01', '2025-03-10'];

/** Rules of a record's own: values out of place, days that are none, tables where there should be none, depth. */
export const wildRules: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.tuple(fc.constantFrom(...Object.keys(sampleRules)), fc.nat(), nonsense).map(([group, at, value]) => {
    const keys = Object.keys((sampleRules as unknown as Record<string, Raw>)[group] ?? {});
    return { [group]: { [keys[at % Math.max(keys.length, 1)] ?? 'x']: value } };
  }),
  fc.record(
    {
      period: fc.record({
        lockedUntil: fc.constantFrom(...days),
        whenLocked: fc.constantFrom('park', 'firstOpenDay'),
      }),
      skip: fc.record({ before: fc.constantFrom(...days) }),
      fx: fc.record({
        table: fc.dictionary(
          fc.constantFrom(...CURRENCY_CODES),
          fc.dictionary(fc.constantFrom(...days), fc.oneof(fc.integer({ min: 0, max: 200 }), nonsense)),
        ),
      }),
      rounding: fc.record({ iskDecimals: fc.constantFrom(0, 0, 3, -1) }),
      numbering: fc.record({ lengthMax: fc.constantFrom(4, 20) }),
    },
    { requiredKeys: [] },
  ),
  fc.integer({ min: 1, max: 20_000 }).map((levels) => {
    let nested: unknown = 1;
    for (let level = 0; level < levels; level += 1) nested = level % 2 ? [nested] : { a: nested };
    return { fx: nested };
  }),
);
