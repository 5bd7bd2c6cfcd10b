// The answer of an endpoint, for people: a table where it is a list, lines where it is one thing. Secrets and attachments
// are cut out before anything is shown, in JSON too.
import { isLosslessNumber } from 'lossless-json';
import type { AnyEndpoint } from '../service/endpoint.js';
import { isJsonObject, type JsonObject, prettyJson, writeJson } from '../service/wire-json.js';
import { type FilePart, isFilePart } from '../service/wire-types.js';
import type { CliIo } from './command.js';
import { table } from './table.js';

const SECRET_FIELD = /secret|token|api_key|password/i;
const LONG_TEXT = 2_000;
const COLUMNS_MAX = 7;

/** The same answer without secrets, and with long base64 named instead of printed. */
export function redacted(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONG_TEXT) return `(${String(value.length)} characters)`;
  if (Array.isArray(value)) return value.map(redacted);
  if (!isJsonObject(value)) return value;
  const shown: Record<string, unknown> = {};
  for (const [field, member] of Object.entries(value)) {
    const hidden = SECRET_FIELD.test(field) && typeof member === 'string' && member !== '';
    shown[field] = hidden ? '***' : redacted(member);
  }
  return shown;
}

const LINES_MAX = 200;

/** What is about to be sent, for a person to read before it is: files by their names, everything else as it is. */
export function describeParams(params: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(params).map(([name, value]) => [
    name,
    isFilePart(value) ? fileOf(value) : value,
  ]);
  const lines = prettyJson(redacted(Object.fromEntries(shown))).split('\n');
  const more = lines.length - LINES_MAX;
  return more <= 0
    ? lines.join('\n')
    : [...lines.slice(0, LINES_MAX), `… ${String(more)} more lines`].join('\n');
}

function fileOf({ fileName, content }: FilePart): string {
  return `${fileName} (${String(content.byteLength)} bytes)`;
}

export function describeAnswer(io: CliIo, endpoint: AnyEndpoint, body: unknown, message: string): string {
  const said = message === '' ? '' : `${message}\n`;
  if (!isJsonObject(body)) return said;
  const result = body['result'] ?? body['data'] ?? body;
  const list = listIn(result);
  if (list !== null) return said + describeList(io, list);
  if (isJsonObject(result)) return said + describeRecord(result);
  return `${said}${endpoint.answer.says}: ${asCell(result)}\n`;
}

function listIn(result: unknown): readonly JsonObject[] | null {
  if (Array.isArray(result)) return result.filter(isJsonObject);
  if (!isJsonObject(result)) return null;
  const lists = Object.values(result).filter((member) => Array.isArray(member));
  return Object.keys(result).length <= 5 && lists.length === 1 ? listIn(lists[0]) : null;
}

function describeList(io: CliIo, list: readonly JsonObject[]): string {
  const [first] = list;
  if (first === undefined) return 'Nothing.\n';
  const fields = Object.keys(first)
    .filter((field) => !isNested(first[field]))
    .slice(0, COLUMNS_MAX);
  const columns = fields.map((field) => ({
    title: field,
    value: (row: JsonObject) => asCell(row[field]),
    align: isLosslessNumber(first[field]) ? ('right' as const) : ('left' as const),
  }));
  return `${table(io, columns, list)}${String(list.length)} shown; --json shows every field.\n`;
}

function describeRecord(record: JsonObject): string {
  const width = Math.max(...Object.keys(record).map((field) => field.length));
  return Object.entries(record)
    .map(([field, value]) => `${field.padEnd(width)}  ${asCell(value)}\n`)
    .join('');
}

function asCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : writeJson(value);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isLosslessNumber(value);
}
