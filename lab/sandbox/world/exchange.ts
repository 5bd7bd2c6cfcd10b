// What foreign money costs in krónur on a day: the sandbox's fixed rate with a slow swing of three percent.
import { daysBetween } from '../clock.js';
import type { DateText, DecimalText } from '../model.js';
import { iskPerUnit } from '../service/exchange-rates.js';

const SWING = 0.03;
const DAYS_PER_SWING = 290;

export function rateOn(currency: string, day: DateText): DecimalText {
  if (currency === 'ISK') return '1';
  const middle = Number(iskPerUnit(currency));
  const phase = currency.charCodeAt(0) + currency.charCodeAt(1);
  const turn = (daysBetween('2020-01-01', day) / DAYS_PER_SWING) * 2 * Math.PI + phase;
  return (middle * (1 + SWING * Math.sin(turn))).toFixed(middle < 1 ? 4 : 2);
}
