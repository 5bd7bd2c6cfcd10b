// The fields of an act, each declared once: its kind, its help text, and where it is offered. The command line makes an option of it, the
// API a field of its schema (field-schemas.ts), the dashboard an input. Without a package: the help of a command reads this.
export type FieldKind = 'flag' | 'text' | 'whole' | 'day';

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
  readonly required: Required;
  readonly charactersMax: number;
  /** Of a whole number. */
  readonly range: readonly [min: number, max: number];
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
  readonly page?: boolean;
  readonly required?: boolean;
}

type FieldOf<Value, O extends Options> = Field<
  Value,
  O extends { readonly page: true } ? true : false,
  O extends { readonly required: true } ? true : false
>;

function field<Value, O extends Options>(
  kind: FieldKind,
  { help, cli, page = false, required = false }: Options,
  more: Partial<Pick<Field, 'given' | 'charactersMax' | 'range'>> = {},
): FieldOf<Value, O> {
  const made = { kind, help, cli: cli ?? null, page, required, given: true, charactersMax: 100 };
  return { ...made, range: [0, 0], ...more } as unknown as FieldOf<Value, O>;
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

/** What a person entered in a form, as the value of the field; undefined: it is empty. */
export function readText({ kind }: Field, typed: string): unknown {
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
  }
}
