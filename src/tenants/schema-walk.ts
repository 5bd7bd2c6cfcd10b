// Finds the part of a zod schema that judges one path of a value, so that messages can name the known keys, the allowed
// values and the description. It follows the value where a union leaves a choice.
import * as z from 'zod';

const STEPS_MAX = 64;

export function schemaAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): z.core.$ZodType | null {
  let current: z.core.$ZodType | null = schema;
  let here = value;
  for (const segment of path) {
    if (current === null) return null;
    current = child(choose(unwrap(current), here), segment);
    here = isObject(here) ? here[String(segment)] : undefined;
  }
  return current;
}

/** Keys that an object schema knows, those of the fitting option in a union; null where any key goes. */
export function keysOf(schema: z.core.$ZodType, value: unknown): readonly string[] | null {
  const chosen = choose(unwrap(schema), value);
  if (chosen instanceof z.ZodObject) return Object.keys(chosen.shape);
  if (!(chosen instanceof z.ZodUnion)) return null;
  const keys = chosen.options.flatMap((option) => keysOf(option, value) ?? []);
  return [...new Set(keys)];
}

/** The literal values that the discriminator of a union may take. */
export function discriminatorValues(schema: z.core.$ZodType, discriminator: string): readonly string[] {
  const union = unwrap(schema);
  if (!(union instanceof z.ZodUnion)) return [];
  return union.options.flatMap((option) => literalsOf(option, discriminator));
}

export function descriptionOf(schema: z.core.$ZodType): string | null {
  let current = schema;
  for (let step = 0; step < STEPS_MAX; step++) {
    const description = z.globalRegistry.get(current)?.description;
    if (description !== undefined) return description;
    const inner = innerOf(current);
    if (inner === null) return null;
    current = inner;
  }
  return null;
}

function literalsOf(option: z.core.$ZodType, discriminator: string): readonly string[] {
  const object = unwrap(option);
  const field = object instanceof z.ZodObject ? (object.shape as z.core.$ZodShape)[discriminator] : undefined;
  if (field === undefined) return [];
  const literal = unwrap(field);
  return literal instanceof z.ZodLiteral ? [...literal.values].map(String) : [];
}

function choose(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (!(schema instanceof z.ZodDiscriminatedUnion) || !isObject(value)) return schema;
  const { discriminator } = schema.def;
  const fitting = schema.options.find((option) =>
    literalsOf(option, discriminator).includes(String(value[discriminator])),
  );
  return fitting ? unwrap(fitting) : schema;
}

function child(schema: z.core.$ZodType, segment: PropertyKey): z.core.$ZodType | null {
  if (schema instanceof z.ZodObject) return (schema.shape as z.core.$ZodShape)[String(segment)] ?? null;
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) {
      const found = child(unwrap(option), segment);
      if (found) return found;
    }
  }
  return null;
}

export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let current = schema;
  for (let step = 0; step < STEPS_MAX; step++) {
    const inner = innerOf(current);
    if (inner === null) return current;
    current = inner;
  }
  return current;
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (schema instanceof z.ZodPipe) return schema.in;
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  ) {
    return schema.unwrap();
  }
  return null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
