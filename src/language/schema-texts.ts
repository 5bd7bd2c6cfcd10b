// A schema can carry a text and nothing else: its refusals are English texts of one table, and found again by them.
import type { Message } from '../domain/message.js';
import { SCHEMA_TEXTS } from './english/schema-texts.js';
import { asSaid } from './messages.js';

const ROWS: Readonly<Record<string, () => string>> = SCHEMA_TEXTS;
const CODES: ReadonlyMap<string, string> = new Map(Object.entries(ROWS).map(([code, row]) => [row(), code]));

export function schemaText(code: keyof typeof SCHEMA_TEXTS): string {
  return SCHEMA_TEXTS[code]();
}

/** As a value; the text of a schema that is not ours is quoted. */
export function schemaSaid(text: string): Message {
  const code = CODES.get(text);
  return code === undefined ? asSaid(text) : { code, params: {} };
}
