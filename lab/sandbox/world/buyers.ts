// The customers of a company and the catalogue it sells from.
import type { Customer, InvoiceCustomer, Item } from '../model.js';
import type { Random } from '../random.js';
import { between, happens, pick, weighted } from './working-days.js';
import {
  companyKennitala,
  personKennitala,
  companyName,
  foreignCompanyName,
  personName,
  plainLetters,
  PLACES,
  STREETS,
} from './names.js';
import type { Trade } from './trades.js';

const FOREIGN_CURRENCIES = [
  ['EUR', 45],
  ['USD', 25],
  ['GBP', 14],
  ['DKK', 8],
  ['NOK', 5],
  ['SEK', 3],
] as const;
type Place = readonly [zip: string, city: string];
const ABROAD: Readonly<Record<string, readonly [street: string, ...Place]>> = {
  EUR: ['Friedrichstraße', '10117', 'Berlin'],
  USD: ['Congress Street', '02210', 'Boston'],
  GBP: ['Great Eastern Street', 'EC2A 3HX', 'London'],
  DKK: ['Strandgade', '1401', 'København'],
  NOK: ['Bryggen', '5003', 'Bergen'],
  SEK: ['Kungsgatan', '411 19', 'Göteborg'],
};

/** A customer, and the snapshot that all its invoices share. */
export interface Buyer {
  readonly customer: Customer;
  readonly printed: InvoiceCustomer;
}

export function buyersOf(
  random: Random,
  trade: Trade,
  count: number,
  exempt: boolean,
  since: string,
): Buyer[] {
  return Array.from({ length: count }, (_, index) => {
    // The first three are a company, a foreign company where the trade has any, and an embassy where there is one.
    const embassy = exempt && index === 2;
    const foreign =
      !embassy && trade.foreignShare > 0 && (index === 1 || happens(random, trade.foreignShare));
    const person = !embassy && !foreign && index !== 0 && happens(random, 0.3);
    return buyer(random, { foreign, person, exempt: embassy, ordinal: index + 1, since });
  });
}

interface BuyerKind {
  readonly foreign: boolean;
  readonly person: boolean;
  readonly exempt: boolean;
  readonly ordinal: number;
  readonly since: string;
}

function buyer(random: Random, kind: BuyerKind): Buyer {
  const currency = kind.foreign ? weighted(random, FOREIGN_CURRENCIES) : 'ISK';
  const name = nameOf(random, kind, currency);
  const registrationNo = kind.person ? personKennitala(random) : companyKennitala(random);
  const [street, zip, city] = ABROAD[currency] ?? [pick(random, STREETS), ...pick(random, PLACES)];
  const printed: InvoiceCustomer = {
    guid: random.guid(),
    name,
    address: `${street} ${between(random, 1, 90)}`,
    zip,
    city,
    registration_no: registrationNo,
    email: kind.person
      ? `${plainLetters(name).replaceAll('-', '.')}@postur.example`
      : `bokhald@${plainLetters(name)}.example`,
  };
  const byEInvoice = !kind.person && !kind.foreign && happens(random, 0.6);
  const dueDays = pick(random, [0, 10, 14, 14, 15, 20, 30]);
  const customer: Customer = {
    ...printed,
    output_select: byEInvoice ? '2' : '3',
    term: '',
    photo: '',
    due_date: dueDays,
    settlement_date: dueDays + pick(random, [0, 10, 14]),
    trading_partner_id: byEInvoice ? registrationNo : '',
    phone_number: String(between(random, 4_100_000, 8_999_999)),
    vat: '',
    lang: kind.foreign ? 'en' : 'is',
    currency,
    tax_exempt: kind.exempt,
    updated_timestamp: `${kind.since} 09:00:00`,
    is_claim: !kind.foreign && happens(random, 0.5),
    is_discount: happens(random, 0.1),
    active: true,
    customer_number: String(1000 + kind.ordinal),
  };
  return { customer, printed };
}

function nameOf(random: Random, kind: BuyerKind, currency: string): string {
  if (kind.exempt) return `Sendiráð ${pick(random, ['Noregs', 'Danmerkur', 'Kanada', 'Finnlands'])}`;
  if (kind.foreign) return foreignCompanyName(random, currency);
  return kind.person ? personName(random) : companyName(random);
}

export function catalogueOf(random: Random, trade: Trade, since: string): Item[] {
  return trade.items.map((each, index) => ({
    guid: random.guid(),
    item_number: String(index + 1).padStart(4, '0'),
    description: each.description,
    uom: each.uom,
    tax: each.tax,
    unit_price: String(each.price),
    category: each.category,
    active: true,
    updated_timestamp: `${since} 09:00:00`,
    product_cost: String(Math.round(each.price * (0.3 + random.next() * 0.4))),
  }));
}
