// The same value always gives the same text, whatever the order in which its keys were written. For what is compared and hashed:
// snapshots, rules, tenant files.
import { isLosslessNumber } from 'lossless-json';
import { fieldsInOrder } from './fields-in-order.js';
import { jsonText } from './json-text.js';

export function canonicalJson(value: unknown): string {
  if (value === undefined) return 'null';
  if (typeof value === 'string') return jsonText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isLosslessNumber(value)) return value.value;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if ('toJSON' in value) return JSON.stringify(value);
  let text = '';
  for (const { name, written } of fieldsInOrder(Object.keys(value))) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (inner !== undefined) text += (text === '' ? '' : ',') + written + canonicalJson(inner);
  }
  return `{${text}}`;
}
