// What `map` reads: documents as JSON with every digit kept.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { isLosslessNumber, isSafeNumber, parse } from 'lossless-json';
import { CodedError } from '../domain/errors/coded-error.js';
import type { CliIo } from './command.js';

const DOCUMENT_CHARACTERS_MAX = 64 * 1024 * 1024;

/** A bare document or a whole record; without --kind, a cost is known by its cost_code. */
export async function readDocument(
  file: string,
  kind: string | undefined,
  io: CliIo,
): Promise<Readonly<Record<string, unknown>>> {
  let text = '';
  for await (const chunk of openInput(file, io)) {
    text += chunk;
    if (text.length > DOCUMENT_CHARACTERS_MAX) throw inputProblem(file, 'it is too large');
  }
  const value = parseJson(text);
  if (!isRecord(value)) throw new CodedError('MAPPING_INPUT_UNREADABLE', `${file} holds no JSON object.`);
  const isWhole = isRecord(value['document']);
  const document = isWhole ? (value['document'] as Readonly<Record<string, unknown>>) : value;
  const known =
    kind ?? (isWhole ? value['kind'] : undefined) ?? ('cost_code' in document ? 'cost' : 'invoice');
  return { ...(isWhole ? value : {}), document, kind: known };
}

const BYTE_ORDER_MARK = '\ufeff';

/** In pieces, without the mark that some editors put first. Throws MAPPING_INPUT_UNREADABLE, and that for reading only. */
export async function* openInput(file: string, io: CliIo): AsyncGenerator<string> {
  let isBeginning = true;
  try {
    for await (const chunk of streamOf(file, io)) {
      yield isBeginning && chunk.startsWith(BYTE_ORDER_MARK) ? chunk.slice(1) : chunk;
      isBeginning = false;
    }
  } catch (cause) {
    throw inputProblem(file, cause);
  }
}

function streamOf(file: string, io: CliIo): AsyncIterable<string> {
  if (file !== '-')
    return createReadStream(resolve(io.cwd, file), { encoding: 'utf8' }) as AsyncIterable<string>;
  io.stdin.setEncoding('utf8');
  return io.stdin as AsyncIterable<string>;
}

function inputProblem(file: string, cause: unknown): CodedError {
  const what = cause instanceof Error ? cause.message : String(cause);
  return new CodedError('MAPPING_INPUT_UNREADABLE', `${file} cannot be read: ${what}`, { cause });
}

/** What the answer is found by: a number stays one, unless its digits are more than a number holds. */
export function idOf(record: unknown): string | number | null {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : null;
  if (isLosslessNumber(id)) {
    const written = id.toString();
    return isSafeNumber(written) ? Number(written) : written;
  }
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** More digits than a binary float keeps apart. */
const LONG_NUMBER = /[\d.]{16}/;

/** null for text that is not JSON. Numbers keep every digit; the slow reader is used only where that makes a difference. */
export function parseJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? parse(text) : JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}
