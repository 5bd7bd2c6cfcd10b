// What the schemas of settings say of a value that they refuse.
import type { TextTable } from '../table.js';

export const SCHEMA_TEXTS = {
  ACCOUNT_UNQUOTED: () => 'an account is text: put it in quotes, so that a leading zero survives',
  ACCOUNT_EMPTY: () => 'an account cannot be empty',
  VAT_CODE_UNQUOTED: () => 'a VAT code is text: put it in quotes',
  DAY_UNFIT: () => 'must be a date, written 2025-12-31',
  DAY_NOT_THERE: () => 'must be a day that the calendar has',
  NUMBER_NOT_POSITIVE: () => 'must be a number above zero',
  NUMBER_NEGATIVE: () => 'must be a number, zero or above',
  TEMPLATE_FIELD_UNKNOWN: () =>
    'may hold only these fields: {documentNo} {number} {party} {kennitala} {description} {date}',
  CASE_FITS_ALL: () => 'must name at least one thing that has to fit',
  SPREAD_NEEDS_ACCOUNT: () => 'is needed: something is spread over months',
  SUMMARY_NEEDS_VAT_LINES: () =>
    'needs vat.mode: explicit-lines, or the ERP would round the VAT of a whole day at once',
  NO_TENANT_NAME: () => 'This is not a tenant name.',
  NO_ORIGIN_NAME: () => 'This is not a name of an origin.',
  FILE_PATTERN_UNFIT: () =>
    'This is no pattern of file names: up to 100 signs with * and ? in them, none of them a slash; ! before it leaves files out.',
  FILE_PATTERNS_NAME_NONE: () =>
    'These patterns only leave files out: name those that go first, such as "*.pdf".',
  SERIES_UNFIT: () => 'A series is up to 20 letters, digits and hyphens.',
  NO_DAY: () => 'This is not a day like 2026-01-31.',
  NO_KENNITALA: () => 'This is not a kennitala.',
  NO_TIME: () => 'Write a time as 07:30.',
  ERP_ADDRESS_UNFIT: () => 'must be a URL such as https://erp.example.is',
  ERP_ADDRESS_NOT_HTTPS: () => 'must start with https:// (http:// is accepted for localhost only)',
  KENNITALA_UNFIT: () => 'must be a kennitala: ten digits, a hyphen after the sixth is allowed',
  LEDGER_NAME_UNFIT: () => 'may have letters, digits, dots, hyphens and underscores, at most 60',
  ACCOUNT_NAME_UNFIT: () => 'may have letters, digits and hyphens',
  LEDGER_UNFIT: () => 'must have no spaces, at most 100 characters',
  USER_NEEDED: () => 'is needed with `protocol: json-rpc`: the log-in name that the API key belongs to',
  DATABASE_UNFIT: () => 'must be the name of a database: letters, digits, _ and -',
  COMPANY_NUMBER_UNFIT: () => 'must be the number that Uniconta shows for the company, such as 12345',
  CLEARING_ACCOUNTS_SHARED: () =>
    'must name a different Xero account for each account, so that entries can be read back',
  SUBLEDGER_INCOMPLETE: () =>
    'must name one account of customers and one of suppliers with `books: documents`',
  CLEARING_ACCOUNT_NEEDED: () =>
    'must name a clearing account for the accounts of `subledger`: payments and reversals go through it',
  CURRENCY_NEEDS_DOCUMENTS: () =>
    'can be `in-currency` only with `books: documents`: manual journals have no currency',
} satisfies TextTable;
