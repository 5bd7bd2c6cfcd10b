// An ERP may repeat in its messages what it was sent, and what an adapter says goes into records and before people. So the
// secrets of this process are cut out here, once for all adapters, and before anybody shortens the text.
import { CodedError } from '../domain/errors/coded-error.js';
import type { Told } from '../domain/message.js';
import { maskSecrets } from '../domain/secret.js';
import type { ErpAdapter, ErpEntry } from './erp-adapter.js';
import { type AroundErp, ErpAround } from './erp-around.js';

export function discreet(erp: ErpAdapter): ErpAdapter {
  return new ErpAround(erp, DISCREET);
}

const DISCREET: AroundErp = { around: (_call, act) => masked(act), entries: maskedEntries };

async function masked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return withoutSecrets(await ask());
  } catch (error) {
    throw hushed(error);
  }
}

async function* maskedEntries(read: () => AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry> {
  try {
    yield* read();
  } catch (error) {
    throw hushed(error);
  }
}

/** What says something is cut in all its words; the rest of an answer (requests, entries) stays as it is. */
function withoutSecrets<Answer>(answer: Answer): Answer {
  if (Array.isArray(answer)) return answer.map(withoutSecrets) as Answer;
  if (typeof answer !== 'object' || answer === null) return answer;
  if (says(answer)) return hushedWords(answer);
  const told = Object.entries(answer).filter(([, value]) => says(value));
  if (told.length === 0) return answer;
  return { ...answer, ...Object.fromEntries(told.map(([name, value]) => [name, hushedWords(value)])) };
}

function says(value: unknown): value is Told {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}

/** Stable codes of ours: a secret that happens to be the same word must not change them. */
const CODES: ReadonlySet<string> = new Set(['outcome', 'code', 'severity']);

/** A value repeats what the ERP said too, in one of its gaps; so may a fact, a remedy or what could not be matched. */
function hushedWords<Words extends object>(words: Words): Words {
  const hushed = Object.entries(words).map(([name, value]): [string, unknown] => [
    name,
    CODES.has(name) ? value : hushedValue(value, 0),
  ]);
  return Object.fromEntries(hushed) as Words;
}

const DEPTH_MAX = 8;

/** Of plain values; whatever else an adapter put there is handed on. */
function hushedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((one) => hushedValue(one, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [
      name,
      name === 'code' && 'params' in value ? inside : hushedValue(inside, depth + 1),
    ]),
  );
}

/** The same error, so that its kind and its code stay what they are; all that is kept or logged of it is masked, its causes too. */
function hushed(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth === DEPTH_MAX) return error;
  error.message = maskSecrets(error.message);
  if (error.stack !== undefined) error.stack = maskSecrets(error.stack);
  if (error instanceof CodedError)
    Object.assign(error, {
      said: hushedValue(error.said, 0),
      details: hushedValue(error.details, 0),
    });
  if (typeof error.cause === 'string') error.cause = maskSecrets(error.cause);
  else hushed(error.cause, depth + 1);
  return error;
}
