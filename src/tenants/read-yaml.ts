// Bytes → plain values that still know where in the file they stand. Everything a file can do to a parser is bounded
// here: its size, its encoding, its depth, and how far aliases may multiply it.
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
import type { Message } from '../domain/message.js';
import { NoPlainFile, readLinkedFile } from '../files/plain-file.js';
import { message } from '../language/messages.js';
import { type ProblemWords, problemWords } from './problem-words.js';
import type { TenantProblem } from './tenant.js';

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
  const unreadable = (what: Message, remedy: Message): YamlOutcome => ({
    outcome: 'unreadable',
    problems: [{ severity: 'error', file, line: 1, column: 1, path: '', ...problemWords(what, remedy) }],
  });
  let bytes: Uint8Array | null;
  try {
    bytes = await readSettingsFile(file);
  } catch (error) {
    if (error instanceof NoPlainFile)
      return unreadable(message('SETTINGS_NO_FILE'), message('PUT_FILE_THERE'));
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    return unreadable(message('FILE_UNREADABLE', { reason }), message('CHECK_THE_FILE'));
  }
  if (bytes === null) {
    const kibibytes = FILE_BYTES_MAX / 1024;
    return unreadable(message('SETTINGS_TOO_LARGE', { kibibytes }), message('MOVE_SHARED_RULES'));
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return unreadable(message('FILE_NO_UTF8'), message('SAVE_AS_UTF8'));
  }
  return parseYaml(file, text);
}

/** null: it is larger than a file of settings may be. */
export async function readSettingsFile(file: string): Promise<Uint8Array | null> {
  const { bytes, isWhole } = await readLinkedFile(file, FILE_BYTES_MAX);
  return isWhole ? bytes : null;
}

export function parseYaml(file: string, text: string): YamlOutcome {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problem = (offset: number, words: ProblemWords): TenantProblem => ({
    severity: 'error',
    file,
    ...position(offset),
    path: '',
    ...words,
  });
  const unreadable = (problems: TenantProblem[]): YamlOutcome => ({ outcome: 'unreadable', problems });
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) {
    const found = errors
      .slice(0, ERRORS_MAX)
      .map((error) => problem(openQuote(document, error) ?? error.pos[0], describeYamlError(error, text)));
    return unreadable(
      found.filter((one, index) => found.findIndex((other) => other.line === one.line) === index),
    );
  }
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return unreadable([problem(0, problemWords(message('SETTINGS_EMPTY'), message('WRITE_A_STARTER')))]);
  }
  const odd = oddNode(document, document.contents, 0);
  if (odd) return unreadable([problem(odd.offset, odd.words)]);
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX, reviver: withoutTheFile });
    return { outcome: 'read', yaml: { file, value, ...finders(document, position) } };
  } catch {
    return unreadable([problem(0, problemWords(message('ALIASES_MULTIPLY'), message('WRITE_VALUES_OUT')))]);
  }
}

/** A text that was cut out of the file would keep all of the file in memory, for as long as a process knows the company. */
function withoutTheFile(_key: unknown, value: unknown): unknown {
  return typeof value === 'string' ? (JSON.parse(JSON.stringify(value)) as string) : value;
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
  readonly words: ProblemWords;
}

/** What YAML allows and a settings file has no use for: endless nesting, and keys that reach into JavaScript objects. */
function oddNode(document: Document, node: unknown, depth: number): OddNode | null {
  if (depth > DEPTH_MAX) {
    return odd(node, message('NESTED_TOO_DEEP', { levels: DEPTH_MAX }), message('FLATTEN_IT'));
  }
  if (isAlias(node) && node.resolve(document) === undefined) {
    return odd(node, message('ALIAS_UNKNOWN', { alias: node.source }), message('QUOTE_IF_STAR_MEANT'));
  }
  if (isSeq(node)) {
    for (const item of node.items) {
      const found = oddNode(document, item, depth + 1);
      if (found) return found;
    }
  }
  if (isMap(node)) {
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : null;
      if (key === null || key === '__proto__') {
        const what = key === null ? message('KEY_NO_TEXT') : message('KEY_NOT_ALLOWED', { key });
        return odd(pair.key, what, message('REMOVE_OR_WRITE_PLAIN'));
      }
      const found = oddNode(document, pair.value, depth + 1);
      if (found) return found;
    }
  }
  return null;
}

function odd(node: unknown, what: Message, remedy: Message): OddNode {
  return { offset: rangeStart(node), words: problemWords(what, remedy) };
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

// The YAML parser's errors in the words of someone who edits settings, each with what would be right.

const TEXTS: Partial<Record<YAMLError['code'], ProblemWords>> = {
  TAB_AS_INDENT: problemWords(message('TAB_INDENT'), message('INDENT_WITH_SPACES')),
  BAD_INDENT: problemWords(message('BAD_INDENT'), message('LINE_KEYS_UP')),
  MULTIPLE_DOCS: problemWords(message('MANY_DOCUMENTS'), message('ONE_TENANT_A_FILE')),
  BLOCK_AS_IMPLICIT_KEY: problemWords(message('VALUE_RUNS_ON'), message('A_LINE_EACH')),
  MULTILINE_IMPLICIT_KEY: problemWords(message('KEY_RUNS_ON'), message('ON_ONE_LINE')),
  BAD_SCALAR_START: problemWords(message('BAD_FIRST_SIGN'), message('PUT_VALUE_IN_QUOTES')),
  TAG_RESOLVE_FAILED: problemWords(message('YAML_TAG'), message('REMOVE_THE_TAG')),
};

function describeYamlError(error: YAMLError, text: string): ProblemWords {
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^[^\s:#]+/.exec(text.slice(error.pos[0]))?.[0] ?? '';
    return problemWords(message('KEY_TWICE', { key }), message('KEEP_ONE_KEY'));
  }
  if (error.code === 'MISSING_CHAR' && error.message.includes('quote'))
    return problemWords(message('QUOTE_NOT_CLOSED'), message('ADD_THE_QUOTE'));
  if (error.code === 'MISSING_CHAR' || error.message.startsWith('Flow '))
    return problemWords(message('BRACKET_NOT_CLOSED'), message('CLOSE_THE_BRACKET'));
  if (error.code === 'UNEXPECTED_TOKEN' && error.message.includes('alias'))
    return problemWords(message('STAR_FIRST'), message('QUOTE_THE_STAR'));
  return TEXTS[error.code] ?? problemWords(message('NO_YAML'), message('LOOK_FOR_A_SIGN'));
}
