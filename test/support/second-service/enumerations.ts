/** The closed lists of the documents. */
export const CURRENCIES =
  'ISK EUR USD DKK NOK SEK JPY GBP AUD PLN CAD CHF CNY NZD MXN SGD HKD KRW TRY RUB INR VND BRL ZAR UAH CZK'.split(
    ' ',
  );

export const VAT_PERCENT: Readonly<Record<string, number>> = { S: 24, AA: 11, Z: 0 };
export const TAXES = Object.keys(VAT_PERCENT);
export const UNITS = 'C62 HUR DAY MIN KGS MTR LTR MTK MTQ TNE KWH KTM'.split(' ');
export const LANGUAGES = ['is', 'en'];

export const COST_CODES = (
  '3028 2173 3033 3085 3090 2093 2243 2193 2423 2443 2353 2383 2403 2263 3163 2333 3140 2283 2533 2633 3653 5028 ' +
  '2153 3080 9535'
).split(' ');

export const INVOICE_ACCOUNTING = ['Created', 'Posted', 'Skipped', 'Error'];
export const COST_ACCOUNTING = ['New', 'Created', 'Posted', 'Skipped', 'Error'];
export const SETTABLE_ACCOUNTING = ['Posted', 'Skipped', 'Error'];

export const ATTACHMENT_TYPES = ['jpg', 'jpeg', 'png', 'gif', 'pdf'];
export const ATTACHMENT_BYTES = 5 * 1024 * 1024;
export const MESSAGE_LENGTH = 500;

export const SCOPES = [
  'dashboard_data',
  'manage_customers',
  'nav',
  'create_invoice',
  'recurring',
  'cost',
  'task',
  'sell_product',
  'bookkeeper',
] as const;
export type Scope = (typeof SCOPES)[number];

const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

/** "10-digit Icelandic national or company ID, no dash, validated with a mod-11 checksum." */
export function isKennitala(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(text[place]), 0);
  return (11 - (sum % 11)) % 11 === Number(text[8]);
}
