// Keeps secrets and personal numbers out of logs twice over: by the names of facts before a line is made, and by what the
// finished line looks like, for whatever came by another way (an ERP that echoes a header, a URL in an error message).
import { maskSecrets, Secret } from '../domain/secret.js';

const MASK = '***';
const DEPTH_MAX = 6;
const ENTRIES_MAX = 100;
const TEXT_MAX = 2000;

const SECRET_NAME =
  /pass(word|phrase|wd)?$|secret|token$|api[-_]?key|^authorization$|cookie|maint(enance)?[-_]?code|credential|private[-_]?key|^dsn$|signature/i;

/** Names of facts are few, and every line has a dozen. */
const NAMES_MAX = 1_000;
const secretNames = new Map<string, boolean>();

function isSecretName(name: string): boolean {
  const known = secretNames.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAME.test(name);
  if (secretNames.size >= NAMES_MAX) secretNames.clear();
  secretNames.set(name, isSecret);
  return isSecret;
}

export function cleanFacts(facts: Record<string, unknown>): Record<string, unknown> {
  return cleanObject(facts, 0, new Set());
}

function cleanObject(
  value: Readonly<Record<string, unknown>>,
  depth: number,
  above: ReadonlySet<unknown>,
): Record<string, unknown> {
  const names = Object.keys(value);
  const cleaned: Record<string, unknown> = {};
  for (const name of names.slice(0, ENTRIES_MAX)) {
    // It would become the prototype of what is logged; whoever sends such a field has nothing to say with it.
    if (name === '__proto__') continue;
    const inner = value[name];
    cleaned[name] = isSecretName(name) && isTelling(inner) ? MASK : clean(inner, depth + 1, above);
  }
  if (names.length > ENTRIES_MAX) cleaned['…'] = `${String(names.length - ENTRIES_MAX)} more`;
  return cleaned;
}

/** Numbers, flags and absent values tell nothing: `tokens: 3`, `secret: null`. */
function isTelling(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function clean(value: unknown, depth: number, above: ReadonlySet<unknown>): unknown {
  if (typeof value === 'string') {
    return value.length > TEXT_MAX
      ? `${value.slice(0, TEXT_MAX)}… (${String(value.length)} characters)`
      : value;
  }
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Secret) return MASK;
  // Errors are left whole: the serializer of `err` describes them, and what it says is cleaned as a line.
  if (value instanceof Error) return value;
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `${String(value.byteLength)} bytes`;
  if (above.has(value)) return '(circular)';
  if (depth > DEPTH_MAX) return '(deeper)';
  const path = new Set([...above, value]);
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map((item) => clean(item, depth + 1, path));
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return clean((value.toJSON as () => unknown)(), depth + 1, path);
  if (value instanceof Map) return clean(Object.fromEntries(value), depth, path);
  if (value instanceof Set) return clean([...(value as Set<unknown>)], depth, path);
  return cleanObject(value as Record<string, unknown>, depth, path);
}

/** Day (companies add 40), month, year, three digits, century; or the 8 and 9 of numbers that carry no birth date. */
const KENNITALA = /(?<![\w.-])(?:[0-7]\d(?:0[1-9]|1[0-2])\d{2}|[89]\d{5})-?\d{3}[089](?![\w-]|\.\d)/g;
const BARE_NUMBER = /(?<=[:[,])(?:[0-7]\d(?:0[1-9]|1[0-2])\d{2}|[89]\d{5})\d{3}[089](?=[,}\]])/g;

const LOOKS_SECRET: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${MASK}`],
  [/(:\/\/)[^\s/?#"@]+@/g, `$1${MASK}@`],
  [
    /\b((?:api_?key|access_token|refresh_token|client_secret|en4_maint_code|password|code_verifier)=)[^&\s"'\\]+/gi,
    `$1${MASK}`,
  ],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)/gs, MASK],
  [BARE_NUMBER, '"kt:***"'],
  [KENNITALA, 'kt:***'],
];

/** Whatever one of the patterns covers has one of these in it; most lines have none. */
const MAY_LOOK_SECRET =
  /b(?:earer|asic)\s|:\/\/|(?:key|token|secret|code|password|verifier)=|-----BEGIN|\d{6}-?\d{4}/i;

/** A finished line of JSON stays JSON. */
export function cleanLine(line: string): string {
  const masked = maskSecrets(line);
  if (!MAY_LOOK_SECRET.test(masked)) return masked;
  return LOOKS_SECRET.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), masked);
}
