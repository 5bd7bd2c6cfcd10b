import { readDay } from './dates.js';
import { Refusal } from './refusal.js';

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the fields of a body strictly by type, and remembers which ones it was asked for: the rest is what the
 * documents do not know. In forms everything is text; in JSON a number is a number.
 */
export class Fields {
  readonly #source: Json;
  readonly #textual: boolean;
  readonly #seen = new Set<string>();

  constructor(source: Json, kind: 'json' | 'form') {
    this.#source = source;
    this.#textual = kind === 'form';
  }

  has(key: string): boolean {
    return this.#value(key) !== undefined;
  }

  /** What was sent and nobody has asked for. */
  unread(): string[] {
    return Object.keys(this.#source).filter((key) => !this.#seen.has(key));
  }

  maybeText(key: string): string | null {
    const value = this.#value(key);
    if (value === undefined) return null;
    if (typeof value !== 'string') throw new Refusal(`Field ${key} must be a string`);
    return value;
  }

  text(key: string): string {
    const value = this.maybeText(key);
    if (value === null || value.trim() === '') throw new Refusal(`Field ${key} is required`);
    return value;
  }

  maybeNumber(key: string): number | null {
    const value = this.#value(key);
    if (value === undefined || (this.#textual && value === '')) return null;
    const number = this.#textual && typeof value === 'string' ? decimal(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw new Refusal(`Field ${key} must be a number`);
    return number;
  }

  number(key: string): number {
    const value = this.maybeNumber(key);
    if (value === null) throw new Refusal(`Field ${key} is required`);
    return value;
  }

  maybeWhole(key: string): number | null {
    const value = this.maybeNumber(key);
    if (value !== null && !Number.isInteger(value)) throw new Refusal(`Field ${key} must be an integer`);
    return value;
  }

  whole(key: string): number {
    const value = this.maybeWhole(key);
    if (value === null) throw new Refusal(`Field ${key} is required`);
    return value;
  }

  /** Booleans are written true and false in the tables and 1 and 0 in their notes. */
  flag(key: string): boolean {
    const value = this.#value(key);
    if (value === undefined || value === false || value === 0) return false;
    if (value === true || value === 1) return true;
    if (this.#textual && (value === '1' || value === 'true')) return true;
    if (this.#textual && (value === '0' || value === 'false' || value === '')) return false;
    throw new Refusal(`Field ${key} must be a boolean`);
  }

  maybeDate(key: string): string | null {
    const value = this.maybeText(key);
    if (value === null || (this.#textual && value === '')) return null;
    if (readDay(value) === null) throw new Refusal(`Field ${key} must be a date (Y-m-d)`);
    return value;
  }

  date(key: string): string {
    const value = this.maybeDate(key);
    if (value === null) throw new Refusal(`Field ${key} is required`);
    return value;
  }

  maybeOneOf(key: string, allowed: readonly string[]): string | null {
    const value = this.maybeText(key);
    if (value !== null && !allowed.includes(value))
      throw new Refusal(`Field ${key} must be one of: ${allowed.join(', ')}`);
    return value;
  }

  oneOf(key: string, allowed: readonly string[]): string {
    const value = this.maybeOneOf(key, allowed);
    if (value === null) throw new Refusal(`Field ${key} is required`);
    return value;
  }

  object(key: string): Json {
    const value = this.#value(key);
    if (value === undefined) throw new Refusal(`Field ${key} is required`);
    if (!isObject(value)) throw new Refusal(`Field ${key} must be an object`);
    return value;
  }

  objects(key: string): Json[] {
    const value = this.#value(key);
    if (!Array.isArray(value) || value.length === 0) throw new Refusal(`Field ${key} is required`);
    if (!value.every(isObject)) throw new Refusal(`Field ${key} must be a list of objects`);
    return value;
  }

  raw(key: string): unknown {
    return this.#value(key);
  }

  #value(key: string): unknown {
    this.#seen.add(key);
    return this.#source[key] ?? undefined;
  }
}

const decimal = (text: string): number => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);

/** Write rule 1: "read the resource from a field `data`, sent as a JSON-encoded string." */
export function readData(body: Fields): Fields {
  const text = body.raw('data');
  if (text === undefined || text === '') throw new Refusal('Field data is required');
  if (typeof text !== 'string') throw new Refusal('Field data must be a JSON-encoded string');
  return new Fields(parseObject(text), 'json');
}

export function parseObject(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('Field data is not valid JSON');
  }
  if (!isObject(value)) throw new Refusal('Field data must hold an object');
  return value;
}
