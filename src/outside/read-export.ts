// Exports as people get them: JSON, or one JSON object a line. Numbers keep their digits.
import { isLosslessNumber, parse } from 'lossless-json';
import { CodedError } from '../domain/errors/coded-error.js';
import type { OutsideDocument, OutsideEntry, OutsideLine } from './check-outside.js';

type Fields = Readonly<Record<string, unknown>>;

export function readDocuments(text: string): OutsideDocument[] {
  return recordsOf(text).map((record) => ({
    kind: textOf(record, 'kind') === 'cost' ? 'cost' : 'invoice',
    guid: needed(record, 'guid'),
    number: textOf(record, 'number'),
    accountingStatus: needed(record, 'accounting_status'),
    amount: ['', 'ISK'].includes(textOf(record, 'currency')) ? textOf(record, 'amount') || null : null,
    handedOverAt: textOf(record, 'created_date') || null,
  }));
}

export function readEntries(text: string): OutsideEntry[] {
  return recordsOf(text).map((record) => ({
    id: needed(record, 'id'),
    key: needed(record, 'key'),
    amount: needed(record, 'amount'),
    isReversed: record['reversed'] === true || textOf(record, 'reversed') === 'true',
    ...(Array.isArray(record['lines']) ? { lines: (record['lines'] as unknown[]).map(lineOf) } : {}),
  }));
}

function recordsOf(text: string): Fields[] {
  const trimmed = text.trim();
  const values = trimmed.startsWith('[')
    ? (parse(trimmed) as unknown[])
    : trimmed
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => parse(line));
  return values.map((value) => value as Fields);
}

function textOf(record: Fields, field: string): string {
  const value = record[field];
  if (isLosslessNumber(value)) return value.toString();
  return typeof value === 'string' ? value : '';
}

function needed(record: Fields, field: string): string {
  const text = textOf(record, field);
  if (text === '') throw new CodedError('EXPORT_UNREADABLE', `A record of the export has no ${field}.`);
  return text;
}

function lineOf(line: unknown): OutsideLine {
  const fields = (typeof line === 'object' && line !== null ? line : {}) as Fields;
  return { text: textOf(fields, 'text'), amount: needed(fields, 'amount') };
}
