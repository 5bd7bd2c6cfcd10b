// Three hundred documents of a small company: sales at every rate, credit notes, costs with and without deduction, foreign
// ones with rounding lines, dimensions, old and new customers. The same seed gives the same documents.
import { Decimal, sum, ZERO } from '../../../src/domain/decimal.js';
import type { Journal, JournalLine, JournalParty, LineRole } from '../../../src/domain/journal.js';
import { TRYTON_CUSTOMER, TRYTON_PLACES, TRYTON_SUPPLIER } from './tryton-company.js';

export interface MixedDocument {
  readonly key: string;
  readonly journal: Journal;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RATES = { EUR: '145.35', DKK: '19.47' } as const;

export function mixedDocuments(seed: number, count: number): MixedDocument[] {
  const chance = new Chance(seed);
  return Array.from({ length: count }, (_, index) => {
    const journal = chance.pick([sale, sale, creditNote, cost, cost, foreignSale, foreignCost])(
      chance,
      index,
    );
    const letters = Array.from({ length: 19 }, () => BASE32.charAt(chance.below(32))).join('');
    return { key: `${journal.party?.kind === 'supplier' ? 'C' : 'I'}${letters}`, journal };
  });
}

/** mulberry32. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  amount(): Decimal {
    return new Decimal(1 + this.below(2_000_000)).div(this.pick([1, 1, 100])).toDecimalPlaces(2);
  }
}

function sale(chance: Chance, index: number): Journal {
  const net24 = chance.amount();
  const net11 = chance.pick([ZERO, chance.amount()]);
  const vat24 = net24.times('0.24').toDecimalPlaces(2);
  const vat11 = net11.times('0.11').toDecimalPlaces(2);
  const who = customer(chance);
  return document(chance, `SR-${String(index)}`, who, [
    { ...line('1500', 'receivable', sum([net24, net11, vat24, vat11])), counterparty: who.kennitala },
    { ...line('3000', 'revenue', net24.negated()), ...place(chance) },
    { ...line('3010', 'revenue', net11.negated()), ...place(chance) },
    line('2500', 'vat-out', vat24.negated()),
    line('2501', 'vat-out', vat11.negated()),
  ]);
}

function creditNote(chance: Chance, index: number): Journal {
  const mirrored = sale(chance, index);
  const lines = mirrored.lines.map((each) => ({ ...each, debit: each.credit, credit: each.debit }));
  return { ...mirrored, documentNo: `KR-${String(index)}`, lines };
}

function cost(chance: Chance, index: number): Journal {
  const net = chance.amount();
  const vat = net.times('0.24').toDecimalPlaces(2);
  const isDeductible = chance.below(3) > 0;
  const expense = isDeductible ? net : net.plus(vat);
  const credit = line(chance.pick(['2410', '1910', '2430']), 'payable', net.plus(vat).negated());
  return document(chance, `K-${String(index)}`, { kind: 'supplier', ...TRYTON_SUPPLIER }, [
    { ...line(chance.pick(['6100', '6300', '6520', '4000']), 'expense', expense), ...place(chance) },
    ...(isDeductible ? [line('1600', 'vat-in', vat)] : []),
    credit.account === '2410' ? { ...credit, counterparty: TRYTON_SUPPLIER.kennitala } : credit,
  ]);
}

function foreignSale(chance: Chance, index: number): Journal {
  const who = customer(chance);
  return foreign(chance, `SR-E${String(index)}`, who, ['1500', 'receivable', 1], ['3020', 'revenue', -1]);
}

function foreignCost(chance: Chance, index: number): Journal {
  const who: JournalParty = { kind: 'supplier', ...TRYTON_SUPPLIER };
  return foreign(chance, `K-E${String(index)}`, who, ['2410', 'payable', -1], ['6400', 'expense', 1]);
}

type Side = readonly [account: string, role: LineRole, sign: 1 | -1];

/** The currency side adds up to the cent; what the króna side lacks goes on the rounding account. */
function foreign(chance: Chance, number: string, who: JournalParty, whole: Side, part: Side): Journal {
  const currency = chance.pick(['EUR', 'DKK'] as const);
  const rate = new Decimal(RATES[currency]);
  const parts = Array.from({ length: 1 + chance.below(3) }, () =>
    new Decimal(1 + chance.below(90_000)).div(100),
  );
  const isk = (amount: Decimal) => amount.times(rate).toDecimalPlaces(0);
  const of = ([account, role, sign]: Side, amount: Decimal): JournalLine => ({
    ...line(account, role, isk(amount).times(sign)),
    currency,
    currencyAmount: amount.times(sign),
  });
  const lines: JournalLine[] = [
    { ...of(whole, sum(parts)), counterparty: who.kennitala },
    ...parts.map((amount) => of(part, amount)),
  ];
  const difference = sum(lines.map((each) => each.debit.minus(each.credit)));
  if (!difference.isZero()) lines.push(line('9900', 'rounding', difference.negated()));
  return { ...document(chance, number, who, lines), currency, exchangeRate: rate };
}

function document(
  chance: Chance,
  documentNo: string,
  party: JournalParty,
  lines: readonly JournalLine[],
): Journal {
  const month = String(1 + chance.below(6)).padStart(2, '0');
  const postingDate = `2026-${month}-${String(1 + chance.below(28)).padStart(2, '0')}`;
  return {
    documentNo,
    externalReference: `00000000-0000-4000-8000-${String(chance.below(1_000_000_000)).padStart(12, '0')}`,
    postingDate,
    documentDate: postingDate,
    description: `${documentNo} ${party.name}`,
    currency: 'ISK',
    exchangeRate: new Decimal(1),
    party,
    lines: lines.filter((each) => !each.debit.equals(each.credit)),
  };
}

/** Half of them are customers that Tryton has not seen. */
function customer(chance: Chance): JournalParty {
  const number = chance.below(24);
  if (number < 12) return { kind: 'customer', ...TRYTON_CUSTOMER };
  const kennitala = `66010${String(10000 + number)}`;
  return { kind: 'customer', kennitala, name: `Viðskiptavinur ${String(number)} ehf.` };
}

function place(chance: Chance): { dimensions?: Record<string, string> } {
  return chance.below(2) === 0 ? {} : { dimensions: { costLocation: chance.pick(TRYTON_PLACES) } };
}

/** Plus is debit. */
function line(account: string, role: LineRole, amount: Decimal): JournalLine {
  const debit = amount.isPositive() ? amount : ZERO;
  return {
    account,
    role,
    debit,
    credit: amount.isPositive() ? ZERO : amount.negated(),
    text: `Færsla á ${account}`,
  };
}
