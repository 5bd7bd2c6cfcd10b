// What the bridge says while it works: one JSON object a line, or readable lines on a terminal.
// Promises: no secret and no kennitala in any line, whatever path it came by; errors carry their code and disposition;
// everything about one document carries the same correlation id, over all processes and restarts.
import { hash } from 'node:crypto';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import type { Guid, TenantName } from '../domain/ids.js';
import type { BookedKind } from '../domain/source-document.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { maskSecrets, Secret } from '../domain/secret.js';

export type Log = Logger;

export interface LogOptions {
  readonly level: BridgeSettings['logLevel'];
  readonly format: BridgeSettings['logFormat'];
  /** Whether a person is likely to read along; decides what `auto` means. */
  readonly isTty: boolean;
  /** Standard error unless given: standard output belongs to the answers of commands. */
  readonly destination?: DestinationStream;
}

export function createLog(options: LogOptions): Log {
  const isPretty = options.format === 'pretty' || (options.format === 'auto' && options.isTty);
  const plain = options.destination ?? pino.destination({ fd: 2, sync: true });
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError, error: describeError },
      formatters: {
        level: (label) => ({ level: label }),
        log: cleanFacts,
        bindings: cleanFacts,
      },
      hooks: { streamWrite: cleanLine },
    },
    isPretty ? readable(plain, options.isTty) : plain,
  );
}

function readable(destination: DestinationStream, colorize: boolean): DestinationStream {
  const toText = pretty.prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid',
    singleLine: true,
    errorLikeObjectKeys: [],
  });
  return { write: (line) => destination.write(toText(line)) };
}

export interface DocumentIdentity {
  readonly tenant: TenantName;
  readonly kind: BookedKind;
  readonly guid: Guid;
}

/** The same for a document in every process and after every restart, so that one search finds its whole story. */
export function correlationId({ tenant, kind, guid }: DocumentIdentity): string {
  return hash('sha256', `${tenant}/${kind}/${guid.toLowerCase()}`).slice(0, 12);
}

// An error in a log: its code and disposition first, then what a developer needs, causes included.
const CAUSES_MAX = 5;
const ERRORS_MAX = 5;
const STACK_MAX = 4000;

export function describeError(error: unknown): unknown {
  return describe(error, 0);
}

function describe(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : cleanFacts({ thrown: error });
  const described: Record<string, unknown> = { type: error.name, message: error.message };
  if (error instanceof CodedError) {
    described['code'] = error.code;
    described['disposition'] = error.definition.disposition;
    described['details'] = cleanFacts(error.details);
  } else if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) {
    described['code'] = error.code;
  }
  described['stack'] = error.stack?.slice(0, STACK_MAX);
  if (depth >= CAUSES_MAX) return described;
  if (error instanceof AggregateError) {
    described['errors'] = error.errors
      .slice(0, ERRORS_MAX)
      .map((inner: unknown) => describe(inner, depth + 1));
  }
  if (error.cause !== undefined) described['cause'] = describe(error.cause, depth + 1);
  return described;
}

// Keeps secrets and personal numbers out of logs twice over: by the names of facts before a line is made, and by what the
// finished line looks like, for whatever came by another way (an ERP that echoes a header, a URL in an error message).

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

// What goes wrong again and again is one line a minute: a database or a Redis that is away fails everything that asks, many
// times a second, and a log of thousands of equal lines hides the others. How many were left out is said with the next.
export type SayWarning = (facts: Readonly<Record<string, unknown>>, message: string) => void;

const EVERY_MS = 60_000;
const KINDS_MAX = 1_000;

interface Told {
  at: number;
  leftOut: number;
}

export function seldom(say: SayWarning, now: () => number = () => performance.now()): SayWarning {
  const told = new Map<string, Told>();
  return (facts, message) => {
    // Each company for itself: that one is down says nothing of the next.
    const { tenant, err } = facts;
    const kind = [message, typeof tenant === 'string' ? tenant : '', kindOf(err)].join(' ');
    const last = told.get(kind);
    if (last && now() - last.at < EVERY_MS) {
      last.leftOut += 1;
      return;
    }
    // The oldest goes: whatever is new is said at once.
    if (!last && told.size >= KINDS_MAX) told.delete(told.keys().next().value ?? '');
    told.set(kind, { at: now(), leftOut: 0 });
    say(last && last.leftOut > 0 ? { ...facts, leftOut: last.leftOut } : facts, message);
  };
}

/** Numbers differ from one to the next (ports, pids, milliseconds) and tell no two kinds apart. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 100);
  const code = 'code' in error ? String(error.code) : '';
  return `${error.name} ${code} ${error.message.replaceAll(/\d+/g, '#').slice(0, 100)}`;
}
