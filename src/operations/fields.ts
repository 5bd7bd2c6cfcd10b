// The fields of acts and the filters of lists, each declared once: its kind, its help text, and where it is offered. The command line makes an option of it, the
// API a field of its schema (field-schemas.ts), the dashboard an input. Without a package: the help of a command reads this.
export type FieldKind = 'flag' | 'text' | 'whole' | 'day' | 'amount' | 'currency' | 'choice' | 'choices';

export interface Field<Value = unknown, Page extends boolean = boolean, Required extends boolean = boolean> {
  readonly kind: FieldKind;
  /** Shown by --help and in the OpenAPI document. */
  readonly help: string;
  /** An option ('--date <day>') or an argument ('<entry>'); null: the command line does not offer it. */
  readonly cli: string | null;
  /** What an option without an argument stands for; false for one that turns something off, such as --local. */
  readonly given: boolean;
  /** The dashboard offers it, and has a label for it in every language. */
  readonly page: Page;
  /** Its name in the address of a page, where that is not its key. */
  readonly address: string | null;
  readonly required: Required;
  readonly charactersMax: number;
  /** Of a choice. */
  readonly values: readonly string[];
  /** Of a whole number. */
  readonly range: readonly [min: number, max: number];
  /** Of a filter: the column that it compares; without it the store has a condition of its own for it. */
  readonly on?: readonly [column: string, is: '=' | '>=' | '<=' | 'one of'];
  /** For the compiler alone. */
  readonly valueType?: Value;
}

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F> = F extends { readonly valueType?: infer Value } ? Value : never;
type RequiredKeys<F extends Fields> = {
  [Key in keyof F]: F[Key] extends { readonly required: true } ? Key : never;
}[keyof F];

/** What a caller gives for these fields. */
export type InputOf<F extends Fields> = { readonly [Key in RequiredKeys<F>]: ValueOf<F[Key]> } & {
  readonly [Key in Exclude<keyof F, RequiredKeys<F>>]?: ValueOf<F[Key]> | undefined;
};

/** The fields that need a label. */
export type PageKeys<F extends Fields> = {
  [Key in keyof F]: F[Key] extends { readonly page: true } ? Key : never;
}[keyof F];

interface Options {
  readonly help: string;
  readonly cli?: string;
  /** A text is its name in the address. */
  readonly page?: boolean | string;
  readonly required?: boolean;
  readonly on?: NonNullable<Field['on']>;
}

type FieldOf<Value, O extends Options> = Field<
  Value,
  O extends { readonly page: true | string } ? true : false,
  O extends { readonly required: true } ? true : false
>;

function field<Value, O extends Options>(
  kind: FieldKind,
  { help, cli, page = false, required = false, on }: Options,
  more: Partial<Pick<Field, 'given' | 'charactersMax' | 'values' | 'range'>> = {},
): FieldOf<Value, O> {
  const place = { page: page !== false, address: typeof page === 'string' ? page : null, ...(on && { on }) };
  const made = { kind, help, cli: cli ?? null, ...place, required, given: true, charactersMax: 100 };
  return { ...made, values: [], range: [0, 0], ...more } as unknown as FieldOf<Value, O>;
}

export function flag<const O extends Options & { readonly given?: boolean }>(options: O) {
  return field<boolean, O>('flag', options, { given: options.given ?? true });
}

export function text<const O extends Options>(charactersMax: number, options: O) {
  return field<string, O>('text', options, { charactersMax });
}

export function whole<const O extends Options>(min: number, max: number, options: O) {
  return field<number, O>('whole', options, { charactersMax: 9, range: [min, max] });
}

export function day<const O extends Options>(options: O) {
  return field<string, O>('day', options, { charactersMax: 10 });
}

export function amount<const O extends Options>(options: O) {
  return field<string, O>('amount', options, { charactersMax: 24 });
}

export function currency<const O extends Options>(options: O) {
  return field<string, O>('currency', options, { charactersMax: 3 });
}

export function choice<const Value extends string, const O extends Options>(
  values: readonly Value[],
  options: O,
) {
  return field<Value, O>('choice', options, { values });
}

/** Several of them, joined by commas in an option and in an address. */
export function choices<const Value extends string, const O extends Options>(
  values: readonly Value[],
  options: O,
) {
  return field<Value[], O>('choices', options, { values });
}

/** What a person entered in a form, as the value of the field; undefined: it is empty, or no value that a person can have meant. */
export function readText({ kind, values }: Field, typed: string): unknown {
  const trimmed = typed.trim();
  if (trimmed === '') return undefined;
  switch (kind) {
    case 'flag':
      return trimmed === 'yes';
    case 'whole':
      return Number(trimmed);
    case 'text':
    case 'day':
      return trimmed;
    case 'amount':
      return plainAmount(trimmed);
    case 'currency':
      return /^[A-Za-z]{3}$/.test(trimmed) ? trimmed.toUpperCase() : undefined;
    case 'choice':
      return values.includes(trimmed) ? trimmed : undefined;
    case 'choices':
      return trimmed.split(',').filter((one) => values.includes(one));
  }
}

/** 1.234.567,50 kr. → 1234567.50; a point before three digits groups, another one is a decimal point. */
function plainAmount(typed: string): string {
  const digits = typed.replaceAll(/kr\.?|\s/gi, '').replace('−', '-');
  if (digits.includes(',')) return digits.replaceAll('.', '').replace(',', '.');
  return /^-?\d{1,3}(\.\d{3})+$/.test(digits) ? digits.replaceAll('.', '') : digits;
}
