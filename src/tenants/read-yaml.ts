// Bytes → plain values that still know where in the file they stand. Everything a file can do to a parser is bounded
// here: its size, its encoding, its depth, and how far aliases may multiply it.
import { open } from 'node:fs/promises';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type YAMLError,
} from 'yaml';
import type { TenantProblem } from './tenant.js';
import { describeYamlError } from './yaml-errors.js';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** Where the value at this path stands; when it is absent, the nearest key above it. */
  locate(path: readonly PropertyKey[]): Position;
  /** Where the last key of this path stands. */
  locateKey(path: readonly PropertyKey[]): Position;
  has(path: readonly PropertyKey[]): boolean;
  /** The scalar at this path as the person wrote it, quotes aside. */
  written(path: readonly PropertyKey[]): string | null;
}

export type YamlOutcome =
  | { readonly outcome: 'read'; readonly yaml: YamlFile }
  | { readonly outcome: 'unreadable'; readonly problems: readonly TenantProblem[] };

export const FILE_BYTES_MAX = 256 * 1024;
const ALIASES_MAX = 100;
const DEPTH_MAX = 32;
const ERRORS_MAX = 20;

export async function readYaml(file: string): Promise<YamlOutcome> {
  const unreadable = (message: string, remedy: string): YamlOutcome => ({
    outcome: 'unreadable',
    problems: [{ severity: 'error', file, line: 1, column: 1, path: '', message, remedy }],
  });
  let bytes: Buffer | null;
  try {
    bytes = await readBounded(file);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    return unreadable(`The file cannot be read (${reason}).`, 'Check that it exists and its permissions.');
  }
  if (bytes === null) {
    return unreadable(
      `The file is larger than ${String(FILE_BYTES_MAX / 1024)} KiB.`,
      'Move shared rules into a file of their own and name it under rules.extends.',
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return unreadable('The file is not UTF-8 text.', 'Save it again with the encoding UTF-8.');
  }
  return parseYaml(file, text);
}

async function readBounded(file: string): Promise<Buffer | null> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(FILE_BYTES_MAX + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
    }
    return null;
  } finally {
    await handle.close();
  }
}

export function parseYaml(file: string, text: string): YamlOutcome {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problem = (offset: number, message: string, remedy: string): TenantProblem => ({
    severity: 'error',
    file,
    ...position(offset),
    path: '',
    message,
    remedy,
  });
  const unreadable = (problems: TenantProblem[]): YamlOutcome => ({ outcome: 'unreadable', problems });
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) {
    const found = errors.slice(0, ERRORS_MAX).map((error) => {
      const { message, remedy } = describeYamlError(error, text);
      return problem(openQuote(document, error) ?? error.pos[0], message, remedy);
    });
    return unreadable(
      found.filter((one, index) => found.findIndex((other) => other.line === one.line) === index),
    );
  }
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return unreadable([
      problem(0, 'The file is empty.', 'Write a starter with `ledgerbridge tenant init <name>`.'),
    ]);
  }
  const odd = oddNode(document, document.contents, 0);
  if (odd) return unreadable([problem(odd.offset, odd.message, odd.remedy)]);
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    return { outcome: 'read', yaml: { file, value, ...finders(document, position) } };
  } catch {
    return unreadable([
      problem(0, 'The aliases in this file multiply it beyond reason.', 'Write the values out.'),
    ]);
  }
}

/** A quote that is never closed is noticed at the end of the file; the line to mend is where it was opened. */
function openQuote(document: Document, error: YAMLError): number | null {
  if (error.code !== 'MISSING_CHAR') return null;
  let opened: number | null = null;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith('QUOTE_') && range && range[1] >= error.pos[0] - 1) opened ??= range[0];
    },
  });
  return opened;
}

interface OddNode {
  readonly offset: number;
  readonly message: string;
  readonly remedy: string;
}

/** What YAML allows and a settings file has no use for: endless nesting, and keys that reach into JavaScript objects. */
function oddNode(document: Document, node: unknown, depth: number): OddNode | null {
  if (depth > DEPTH_MAX) {
    const message = `The file is nested deeper than ${String(DEPTH_MAX)} levels.`;
    return { offset: rangeStart(node), message, remedy: 'Flatten it; no setting stands that deep.' };
  }
  if (isAlias(node) && node.resolve(document) === undefined) {
    const message = `The alias *${node.source} points to an anchor that does not exist.`;
    return { offset: rangeStart(node), message, remedy: 'Put the text in quotes if a star was meant.' };
  }
  if (isSeq(node)) {
    for (const item of node.items) {
      const odd = oddNode(document, item, depth + 1);
      if (odd) return odd;
    }
  }
  if (isMap(node)) {
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : null;
      if (key === null || key === '__proto__') {
        const message = key === null ? 'A key must be plain text.' : 'The key "__proto__" is not allowed.';
        return { offset: rangeStart(pair.key), message, remedy: 'Remove it or write it as plain text.' };
      }
      const odd = oddNode(document, pair.value, depth + 1);
      if (odd) return odd;
    }
  }
  return null;
}

function rangeStart(node: unknown): number {
  const ranged = node as { range?: readonly number[] | null } | null;
  return ranged?.range?.[0] ?? 0;
}

function finders(
  document: Document,
  position: (offset: number) => Position,
): Omit<YamlFile, 'file' | 'value'> {
  const walk = (path: readonly PropertyKey[]) => {
    let node: unknown = document.contents;
    let keyOffset = rangeStart(node);
    for (const segment of path) {
      const container = isAlias(node) ? node.resolve(document) : node;
      if (isMap(container)) {
        const pair = container.items.find(
          (item) => isScalar(item.key) && String(item.key.value) === String(segment),
        );
        if (!pair) return { found: false, node, keyOffset };
        keyOffset = rangeStart(pair.key);
        node = pair.value;
      } else if (isSeq(container) && container.items[Number(segment)] !== undefined) {
        node = container.items[Number(segment)];
        keyOffset = rangeStart(node);
      } else return { found: false, node, keyOffset };
    }
    return { found: true, node, keyOffset };
  };
  return {
    has: (path) => walk(path).found,
    locateKey: (path) => position(walk(path).keyOffset),
    locate: (path) => {
      const { found, node, keyOffset } = walk(path);
      const isLeaf = isScalar(node) && node.value !== null;
      return position(found && isLeaf ? rangeStart(node) : keyOffset);
    },
    written: (path) => {
      const { found, node } = walk(path);
      if (!found || !isScalar(node)) return null;
      return node.source ?? String(node.value);
    },
  };
}
