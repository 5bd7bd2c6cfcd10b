// Options as text, for the command line: key=value pairs for accounts, faults and choices. Throws RangeError with a
// sentence that says what would have been right.
import { isDateText } from './clock.js';
import { FAULT_KINDS, type FaultKind, type FaultOptions } from './faults/fault-plan.js';
import { CHOICE_WORDS, DEFAULT_CHOICES, type AccountOptions, type Choices } from './options.js';
import { DIFFICULTIES } from './world/working-days.js';
import { TRADES } from './world/trades.js';

/** "name=Demo ehf.,username=demo,invoices=500" */
export function readAccountFlag(text: string): AccountOptions {
  const account: Readonly<Record<string, unknown>> = readPairs(text, 'an account', {
    ...{ name: 'text', username: 'text', apiKey: 'text', password: 'text', registrationNo: 'text' },
    ...{ seed: 'text', trade: 'text', difficulty: 'text', from: 'text', to: 'text', postedBefore: 'text' },
    ...{ invoices: 'number', costs: 'number', customers: 'number', costAi: 'boolean' },
  });
  for (const [name, words] of Object.entries(ACCOUNT_WORDS)) refuseOtherThan(name, account[name], words);
  for (const name of ['from', 'to', 'postedBefore']) refuseNoDay(name, account[name]);
  return account;
}

const ACCOUNT_WORDS = { trade: Object.keys(TRADES), difficulty: Object.keys(DIFFICULTIES) };

function refuseOtherThan(name: string, value: unknown, words: readonly string[]): void {
  if (typeof value === 'string' && !words.includes(value))
    throw new RangeError(`${name} is one of ${words.join(', ')}, not "${value}".`);
}

function refuseNoDay(name: string, value: unknown): void {
  if (typeof value === 'string' && !isDateText(value))
    throw new RangeError(`${name} is a day such as 2026-01-31, not "${value}".`);
}

/** "rate-limit@get-costs,times=3,retryAfterSeconds=2" */
export function readFaultFlag(text: string): FaultOptions {
  const comma = text.indexOf(',');
  const head = comma === -1 ? text : text.slice(0, comma);
  const [kind = '', endpoint] = head.split('@', 2);
  if (!isFaultKind(kind))
    throw new RangeError(`No fault is called "${kind}". There are: ${Object.keys(FAULT_KINDS).join(', ')}.`);
  const rest =
    comma === -1
      ? {}
      : readPairs(text.slice(comma + 1), 'a fault', {
          ...{ account: 'text', probability: 'number', times: 'number', skip: 'number', delayMs: 'number' },
          ...{ retryAfterSeconds: 'number', status: 'number', shift: 'number' },
        });
  return { kind, ...(endpoint === undefined || endpoint === '' ? {} : { endpoint }), ...rest };
}

function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(FAULT_KINDS, text);
}

/** "creditSign=negative" */
export function readChoiceFlag(text: string): Partial<Choices> {
  const kinds = Object.entries(DEFAULT_CHOICES).map(([name, value]) => [
    name,
    typeof value === 'string' ? 'text' : typeof value,
  ]);
  const choice = readPairs(text, 'a choice', Object.fromEntries(kinds) as Record<string, FieldKind>);
  for (const [name, words] of Object.entries<readonly string[]>(CHOICE_WORDS)) {
    refuseOtherThan(name, Object.hasOwn(choice, name) ? choice[name] : undefined, words);
  }
  return choice;
}

type FieldKind = 'text' | 'number' | 'boolean';

function readPairs(text: string, what: string, kinds: Record<string, FieldKind>): Record<string, never> {
  const pairs: Record<string, unknown> = {};
  for (const pair of text.split(',')) {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined || equals === -1)
      throw new RangeError(
        `"${pair}" does not describe ${what}. Write name=value with: ${Object.keys(kinds).join(', ')}.`,
      );
    pairs[name] = readValue(pair.slice(equals + 1), kind, name);
  }
  return pairs as Record<string, never>;
}

function readValue(text: string, kind: FieldKind, name: string): string | number | boolean {
  if (kind === 'text') return text;
  if (kind === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new RangeError(`${name} is true or false, not "${text}".`);
  }
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) throw new RangeError(`${name} is a number, not "${text}".`);
  return number;
}
