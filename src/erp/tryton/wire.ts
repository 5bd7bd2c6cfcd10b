// Tryton's JSON: decimals, dates and bytes are objects with a class, booleans may come as 0 and 1 (SQLite), and a dotted
// field name gives the related record under a name that ends with a dot.
import * as z from 'zod';
import { madeOf } from '../../domain/made-of.js';
import { Decimal } from '../../domain/money.js';
import { wireInteger } from '../../http/wire-json.js';

export const wireDecimal = madeOf(
  z.object({ __class__: z.literal('Decimal'), decimal: z.string() }),
  ({ decimal }) => new Decimal(decimal),
);

export const wireDate = madeOf(
  z.object({ __class__: z.literal('date'), year: wireInteger, month: wireInteger, day: wireInteger }),
  ({ year, month, day }) =>
    [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-'),
);

const flag = madeOf(z.union([z.boolean(), wireInteger]), Boolean);
const text = z.string().nullable();
const id = wireInteger;

export function decimal(value: Decimal): { __class__: 'Decimal'; decimal: string } {
  return { __class__: 'Decimal', decimal: value.toFixed() };
}

export function date(day: string): { __class__: 'date'; year: number; month: number; day: number } {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  return { __class__: 'date', year, month, day: dayOfMonth };
}

export function bytes(content: Uint8Array): { __class__: 'bytes'; base64: string } {
  return { __class__: 'bytes', base64: Buffer.from(content).toString('base64') };
}

export const wireSession = z.tuple([id, z.string()]);
export const wireIds = z.array(id);

export const wireParty = z.object({
  id,
  code: text,
  name: text,
  'identifiers.': z.array(z.object({ code: z.string() })),
});
export type WireParty = z.infer<typeof wireParty>;
export const wireParties = z.array(wireParty);
export const PARTY_FIELDS = ['name', 'code', 'identifiers.code'];

export const wireCompanies = z.array(
  z.object({ id, 'party.': wireParty, 'currency.': z.object({ id, code: z.string(), digits: wireInteger }) }),
);
export const COMPANY_FIELDS = [
  ...PARTY_FIELDS.map((field) => `party.${field}`),
  'currency.code',
  'currency.digits',
];

export const wireNamed = z.array(z.object({ id, code: text, name: text }));

const wireAccountType = z.object({
  receivable: flag,
  payable: flag,
  revenue: flag,
  expense: flag,
  debt: flag,
});

export const wireAccounts = z.array(
  z.object({
    id,
    code: text,
    name: text,
    closed: flag,
    party_required: flag,
    type: id.nullable(),
    'type.': wireAccountType.nullable().optional(),
  }),
);
export type WireAccount = z.infer<typeof wireAccounts>[number];
export const ACCOUNT_FIELDS = [
  ...['code', 'name', 'closed', 'party_required', 'type'],
  ...Object.keys(wireAccountType.shape).map((field) => `type.${field}`),
];

export const wireAnalyticAccounts = z.array(
  z.object({ id, code: text, name: text, type: z.string(), root: id.nullable() }),
);
export const ANALYTIC_FIELDS = ['code', 'name', 'type', 'root'];

export const wirePeriods = z.array(z.object({ id, name: z.string(), state: z.string() }));

export const wirePostNumbers = z.array(z.object({ id, post_number: text }));

const wireLine = z.object({
  'account.': z.object({ code: text }),
  debit: wireDecimal,
  credit: wireDecimal,
  'party.': wireParty.nullable().optional(),
  'second_currency.': z.object({ code: z.string() }).nullable().optional(),
  amount_second_currency: wireDecimal.nullable(),
  'analytic_lines.': z
    .array(z.object({ 'account.': z.object({ code: text, name: text, root: id.nullable() }) }))
    .optional(),
  'tax_lines.': z.array(z.object({ amount: wireDecimal, type: z.string(), tax: id })).optional(),
});
export type WireLine = z.infer<typeof wireLine>;

const wireMove = z.object({
  id,
  post_number: text,
  description: text,
  date: wireDate,
  state: z.enum(['draft', 'posted']),
  origin: text,
  journal: id,
  'lines.': z.array(wireLine),
});
export type WireMove = z.infer<typeof wireMove>;
export const wireMoves = z.array(wireMove);

const LINE_FIELDS = [
  'account.code',
  'debit',
  'credit',
  ...PARTY_FIELDS.map((field) => `party.${field}`),
  'second_currency.code',
  'amount_second_currency',
];
const ANALYTIC_LINE_FIELDS = ['code', 'name', 'root'].map((field) => `analytic_lines.account.${field}`);

const TAX_LINE_FIELDS = ['amount', 'type', 'tax'].map((field) => `tax_lines.${field}`);

export interface WireParts {
  readonly analytic: boolean;
  readonly taxes: boolean;
}

/** Analytic fields exist only where that module is activated, so they are asked for only when dimensions are configured. */
export function moveFields({ analytic, taxes }: WireParts): string[] {
  const lines = [
    ...LINE_FIELDS,
    ...(analytic ? ANALYTIC_LINE_FIELDS : []),
    ...(taxes ? TAX_LINE_FIELDS : []),
  ];
  return [
    'post_number',
    'description',
    'date',
    'state',
    'origin',
    'journal',
    ...lines.map((field) => `lines.${field}`),
  ];
}
