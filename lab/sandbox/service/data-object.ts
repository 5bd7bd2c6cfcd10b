// Reads one object a client sent, field by field, and refuses what Document 1's conventions do not allow. PHP-like
// senders are met half-way, as the documents do: 1, "1" and true are the same flag, numbers may come as text.
import { isDateText } from '../clock.js';
import type { DateText, DecimalText } from '../model.js';
import { isDecimalText } from '../money.js';
import type { RuleId } from '../rules.js';
import { Refusal } from './refusal.js';

export class DataObject {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  /** `data` as Document 1 wants it: a JSON-encoded string that holds an object. */
  static parse(text: string): DataObject {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      throw new Refusal('data-field', 'Field data is not valid JSON');
    }
    return DataObject.of(parsed, 'data');
  }

  static of(value: unknown, name: string): DataObject {
    if (!isObject(value)) throw new Refusal('data-field', `Field ${name} must be an object`);
    return new DataObject(value);
  }

  has(name: string): boolean {
    const value = this.#value(name);
    return value !== undefined && value !== null && value !== '';
  }

  keys(): string[] {
    return Object.keys(this.#fields);
  }

  raw(name: string): unknown {
    return this.#value(name);
  }

  text(name: string, fallback = ''): string {
    const value = this.#value(name);
    if (value === undefined || value === null) return fallback;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw malformed(name, 'text');
  }

  required(name: string, rule: RuleId = 'required-field'): string {
    if (!this.has(name)) throw new Refusal(rule, `Field ${name} is required`);
    return this.text(name);
  }

  flag(name: string, fallback = false): boolean {
    const text = this.text(name, String(fallback)).toLowerCase();
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0' || text === '') return false;
    throw malformed(name, 'a boolean');
  }

  integer(name: string, fallback: number): number {
    if (!this.has(name)) return fallback;
    const number = Number(this.text(name));
    if (!Number.isSafeInteger(number)) throw malformed(name, 'an integer');
    return number;
  }

  decimal(name: string, fallback: DecimalText = '0'): DecimalText {
    if (!this.has(name)) return fallback;
    const text = this.text(name);
    if (!isDecimalText(text)) throw malformed(name, 'a decimal number');
    return text;
  }

  date(name: string): DateText | null {
    if (!this.has(name)) return null;
    const text = this.text(name);
    if (!isDateText(text)) throw malformed(name, 'a date, Y-m-d');
    return text;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T | null): T {
    const text = this.text(name);
    if (text === '' && fallback !== null) return fallback;
    const found = allowed.find((value) => value === text);
    if (found === undefined)
      throw new Refusal('field-format', `Field ${name} must be one of: ${allowed.join(', ')}`);
    return found;
  }

  object(name: string): DataObject | null {
    const value = this.#value(name);
    return value === undefined || value === null ? null : DataObject.of(value, name);
  }

  list(name: string): DataObject[] {
    const value = this.#value(name);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw malformed(name, 'a list');
    return value.map((entry: unknown) => DataObject.of(entry, name));
  }

  // Own properties only, so that no client reaches into Object.prototype.
  #value(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(name: string, wanted: string): Refusal {
  return new Refusal('field-format', `Field ${name} must be ${wanted}`);
}
