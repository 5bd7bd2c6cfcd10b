// What a starter file leaves to a person stands as <…>. Some of it would pass for a value (a name, a company), so whatever was
// left so is found by its shape, and said instead of what else would be wrong with it.
import { message } from '../language/messages.js';
import { problemWords } from './problem-words.js';
import type { YamlFile } from './read-yaml.js';
import type { TenantProblem } from './tenant.js';

const PLACEHOLDER = /^<[^<>]+>$/;
const DEPTH_MAX = 20;

/** `found` are the problems that the schemas see; those about a placeholder are replaced by what a person can act on. */
export function withPlaceholders(yaml: YamlFile, found: readonly TenantProblem[]): readonly TenantProblem[] {
  const left = placeholdersIn(yaml.value, []).map(({ path, text }): TenantProblem => ({
    severity: 'error',
    file: yaml.file,
    ...yaml.locate(path),
    path: path.map(String).join('.'),
    ...problemWords(
      message('NOT_FILLED_IN', { key: String(path.at(-1) ?? '') }),
      message('WRITE_THERE', { what: text.slice(1, -1) }),
    ),
  }));
  const said = new Set(left.map(({ path }) => path));
  return [...left, ...found.filter(({ path }) => !said.has(path))];
}

interface Placeholder {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

function placeholdersIn(value: unknown, path: readonly PropertyKey[]): readonly Placeholder[] {
  if (typeof value === 'string') return PLACEHOLDER.test(value) ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null || path.length >= DEPTH_MAX) return [];
  const parts: [PropertyKey, unknown][] = Array.isArray(value)
    ? value.map((part, index) => [index, part])
    : Object.entries(value);
  return parts.flatMap(([key, part]) => placeholdersIn(part, [...path, key]));
}
