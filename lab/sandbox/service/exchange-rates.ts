// ISK for one unit of each currency. Fixed and round on purpose: a sandbox shows that a rate is used, not today's.
import type { DecimalText } from '../model.js';

const ISK_PER_UNIT: Readonly<Record<string, DecimalText>> = {
  ISK: '1',
  EUR: '147.5',
  USD: '136.2',
  DKK: '19.76',
  NOK: '12.64',
  SEK: '13.02',
  JPY: '0.912',
  GBP: '173.4',
  AUD: '89.1',
  PLN: '34.5',
  CAD: '98.7',
  CHF: '154.9',
  CNY: '18.9',
  NZD: '81.6',
  MXN: '7.12',
  SGD: '103.5',
  HKD: '17.45',
  KRW: '0.0982',
  TRY: '3.94',
  RUB: '1.47',
  INR: '1.62',
  VND: '0.00536',
  BRL: '24.3',
  ZAR: '7.53',
  UAH: '3.28',
  CZK: '5.87',
};

export function iskPerUnit(currency: string): DecimalText {
  return ISK_PER_UNIT[currency] ?? '1';
}
