// What a supplier's invoice shows beyond what a cost keeps: address, VAT number, account, terms. Derived from the
// supplier's kennitala, so that the same supplier is the same on every invoice.
import type { Cost } from '../model.js';
import { PLACES, STREETS } from '../world/places.js';
import { isFromAbroad } from './cost-vat.js';

export interface SupplierFacts {
  readonly name: string;
  readonly abroad: boolean;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  readonly country: string;
  readonly vatNumber: string;
  /** Bank, ledger 66 of claims and number: 4 + 2 + 6 digits. */
  readonly bankAccount: string;
  readonly termDays: number;
  /** Days from the due date (gjalddagi) to the last day without interest (eindagi). */
  readonly graceDays: number;
}

const COUNTRY_OF_CURRENCY: Readonly<Record<string, readonly [string, string, string]>> = {
  EUR: ['IE', 'D04 V4X7', 'Dublin'],
  USD: ['US', '94107', 'San Francisco'],
  GBP: ['GB', 'EC2A 4NE', 'London'],
  DKK: ['DK', '1620', 'København'],
  NOK: ['NO', '0155', 'Oslo'],
  SEK: ['SE', '111 22', 'Stockholm'],
  PLN: ['PL', '00-001', 'Warszawa'],
  CHF: ['CH', '8001', 'Zürich'],
  CAD: ['CA', 'M5V 2T6', 'Toronto'],
};

export function supplierFacts(cost: Cost): SupplierFacts {
  const number = seedOf(cost.supplier_id || cost.supplier_name);
  const abroad = isFromAbroad(cost);
  const [country, zip, city] = abroad
    ? (COUNTRY_OF_CURRENCY[cost.currency] ?? ['US', '10001', 'New York'])
    : ['IS', ...(PLACES[number % PLACES.length] ?? ['101', 'Reykjavík'])];
  const street = STREETS[number % STREETS.length] ?? 'Aðalgata';
  return {
    name: cost.supplier_name || cost.supplier_id || 'Óþekktur birgir',
    abroad,
    street: abroad ? `${number % 200} Harbour Street` : `${street} ${(number % 80) + 1}`,
    zip,
    city,
    country,
    vatNumber: `${abroad ? country : 'IS'}${10_000 + (number % 130_000)}`,
    bankAccount: `0${String(101 + (number % 800))}66${String(number % 1_000_000).padStart(6, '0')}`,
    termDays: 10 + (number % 3) * 10,
    graceDays: 10,
  };
}

function seedOf(text: string): number {
  let seed = 7;
  for (const character of text) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return seed;
}
