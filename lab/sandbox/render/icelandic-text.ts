// Amounts, dates and kennitölur as Icelanders write them.
import type { DateText, Hundredths } from '../model.js';

const WHOLE_CURRENCIES: readonly string[] = ['ISK', 'JPY', 'KRW', 'VND'];

/** 1.234.567 kr, 1.234,50 in currencies with cents; cents of krónur are shown only where there are some. */
export function icelandicAmount(amount: Hundredths, currency: string): string {
  const magnitude = Math.abs(amount);
  const whole = Math.floor(magnitude / 100).toLocaleString('is-IS');
  const hidesCents = WHOLE_CURRENCIES.includes(currency) && magnitude % 100 === 0;
  const cents = hidesCents ? '' : `,${String(magnitude % 100).padStart(2, '0')}`;
  return `${amount < 0 ? '-' : ''}${whole}${cents}`;
}

export function icelandicDate(date: DateText): string {
  const [year, month, day] = date.split('-');
  return `${day ?? ''}.${month ?? ''}.${year ?? ''}`;
}

export function kennitalaText(kennitala: string): string {
  return /^\d{10}$/.test(kennitala) ? `${kennitala.slice(0, 6)}-${kennitala.slice(6)}` : kennitala;
}
