// The enumerations of Document 1, "Conventions" and "Cost". What we send is held to them; what we read may be newer.
export const CURRENCIES = [
  'ISK',
  'EUR',
  'USD',
  'DKK',
  'NOK',
  'SEK',
  'JPY',
  'GBP',
  'AUD',
  'PLN',
  'CAD',
  'CHF',
  'CNY',
  'NZD',
  'MXN',
  'SGD',
  'HKD',
  'KRW',
  'TRY',
  'RUB',
  'INR',
  'VND',
  'BRL',
  'ZAR',
  'UAH',
  'CZK',
] as const;

export const VAT_CODES = ['S', 'AA', 'Z'] as const;

/** Percent per VAT code. */
export const VAT_PERCENT: Readonly<Record<(typeof VAT_CODES)[number], number>> = { S: 24, AA: 11, Z: 0 };

export const UNITS = [
  'C62',
  'HUR',
  'DAY',
  'MIN',
  'KGS',
  'MTR',
  'LTR',
  'MTK',
  'MTQ',
  'TNE',
  'KWH',
  'KTM',
] as const;

/** The numeric codes are the contract; category names are refused, the alias `Items` among them. */
export const COST_CODES: Readonly<Record<string, string>> = {
  '3028': 'product consumption, material usage',
  '2173': 'purchased labor and services for resale',
  '3033': 'salary',
  '3085': 'pension fund contribution',
  '3090': 'other salary-related expenses',
  '2093': 'operating supplies and other production costs',
  '2243': 'housing operating costs',
  '2193': 'rent of facilities',
  '2423': 'expensed small tools and equipment',
  '2443': 'maintenance and repairs',
  '2353': 'various purchased services',
  '2383': 'miscellaneous office expenses',
  '2403': 'leasing of movable assets',
  '2263': 'sales expenses, advertisements',
  '3163': 'hospitality, gifts, sponsorships',
  '2333': 'travel expenses',
  '3140': 'vehicle expenses',
  '2283': 'other vehicle expenses',
  '2533': 'miscellaneous other expenses',
  '2633': 'interest income and other capital income',
  '3653': 'interest expenses and other capital expenses',
  '5028': 'capitalized operating assets',
  '2153': 'item',
  '3080': 'calculated remuneration',
  '9535': 'VAT settlement invoice',
};

export const INVOICE_STATUSES = ['Draft', 'Sent', 'Cancelled', 'Paid', 'Collection'] as const;
export const INVOICE_TYPES = ['invoice', 'credit'] as const;
export const OUTPUT_SELECTS = ['2', '3', '4'] as const;
export const LANGUAGES = ['is', 'en'] as const;

/** The documents spell the yearly value in two ways and do not say which one works; both are let through. */
export const RECURRING_INTERVALS = ['weekly', 'monthly', 'quarterly', 'yearly', 'annuall'] as const;

export const TASK_LISTS = ['open', 'invoice', 'older'] as const;
export const SORTS = ['date_desc', 'date_asc', 'created_desc', 'created_asc'] as const;

export const ATTACHMENT_EXTENSIONS = ['jpg', 'jpeg', 'png', 'gif', 'pdf'] as const;
export const ATTACHMENT_BYTES_MAX = 5 * 1024 * 1024;
