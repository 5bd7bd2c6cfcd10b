// What a source or an ERP said goes into columns as they said it, apart from characters that PostgreSQL cannot keep.
import { isStorableText, storableText } from '../domain/text.js';

/** The same value with every text in it storable: in lists and plain objects, at any depth. */
export function storable<T>(value: T): T {
  return isStorable(value) ? value : (cleaned(value) as T);
}

/** Nearly everything is; then nothing is copied. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (Array.isArray(value)) return value.every(isStorable);
  if (!isPlainObject(value)) return true;
  for (const name in value) if (!isStorable(value[name])) return false;
  return true;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, cleaned(member)]));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
