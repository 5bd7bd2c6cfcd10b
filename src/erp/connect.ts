// An ERP connection as the bridge uses it: the adapter with hooks around each of its calls, in one list. Connecting what is connected
// already adds hooks to that list, so there is one wrapper however many parts of the bridge have a hook. The methods belong to a class, so
// a process with hundreds of companies does not keep a dozen functions for each of them.
import { CodedError } from '../domain/errors/coded-error.js';
import type { PostingKey } from '../domain/ids.js';
import type { Told } from '../domain/message.js';
import { maskSecrets } from '../domain/secret.js';
import type { IsoDate } from '../domain/source-document.js';
import { withinBudget } from '../http/pacer.js';
import type {
  Attachment,
  ErpAdapter,
  ErpCapabilities,
  ErpEntry,
  ErpReference,
  ExpectedChart,
  PostRequest,
  PreparedPost,
  ReverseRequest,
} from './erp-adapter.js';

/** Calls that are answered once; the entries of a period come page by page. */
export type ErpCall =
  | 'health'
  | 'validate'
  | 'prepare'
  | 'post'
  | 'find-by-key'
  | 'find-by-reference'
  | 'resume'
  | 'reverse'
  | 'attach'
  | 'match';

export interface ErpHook {
  /** `key` is that of the posting, where the call is about one. */
  around<Answer>(call: ErpCall, act: () => Promise<Answer>, key?: PostingKey): Promise<Answer>;
  /** Left out: they are handed on as they come. */
  entries?(read: () => AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry>;
}

/** The first hook is the outermost; new ones are outside those of an adapter that is connected already. */
export function connect(
  erp: ErpAdapter,
  hooks: readonly ErpHook[],
  changed?: Partial<ErpCapabilities>,
): ErpAdapter {
  return erp instanceof ConnectedErp ? erp.with(hooks, changed) : new ConnectedErp(erp, hooks, changed);
}

class ConnectedErp implements ErpAdapter {
  readonly capabilities: ErpCapabilities;
  readonly ledger: string;
  /** Present only where the adapter has it: callers go by that. */
  declare readonly match?: NonNullable<ErpAdapter['match']>;
  readonly #erp: ErpAdapter;
  readonly #hooks: readonly ErpHook[];
  /** The innermost first. */
  readonly #inward: readonly ErpHook[];

  constructor(erp: ErpAdapter, hooks: readonly ErpHook[], changed?: Partial<ErpCapabilities>) {
    this.#erp = erp;
    this.#hooks = hooks;
    this.#inward = hooks.toReversed();
    this.capabilities = changed ? { ...erp.capabilities, ...changed } : erp.capabilities;
    this.ledger = erp.ledger;
    if (!erp.match) return;
    this.match = (entry, journal) => this.#run('match', async () => erp.match?.(entry, journal), entry.key);
  }

  with(hooks: readonly ErpHook[], changed: Partial<ErpCapabilities> = {}): ConnectedErp {
    return new ConnectedErp(this.#erp, [...hooks, ...this.#hooks], { ...this.capabilities, ...changed });
  }

  health() {
    return this.#run('health', () => this.#erp.health());
  }

  validate(expected: ExpectedChart) {
    return this.#run('validate', () => this.#erp.validate(expected));
  }

  prepare(request: PostRequest) {
    return this.#run('prepare', () => this.#erp.prepare(request), request.key);
  }

  post(prepared: PreparedPost) {
    return this.#run('post', () => this.#erp.post(prepared), prepared.key);
  }

  findByKey(key: PostingKey) {
    return this.#run('find-by-key', () => this.#erp.findByKey(key), key);
  }

  findByReference(reference: string) {
    return this.#run('find-by-reference', () => this.#erp.findByReference(reference));
  }

  resume(draft: ErpEntry, prepared: PreparedPost) {
    return this.#run('resume', () => this.#erp.resume(draft, prepared), prepared.key);
  }

  reverse(request: ReverseRequest) {
    return this.#run('reverse', () => this.#erp.reverse(request), request.original.key);
  }

  attach(reference: ErpReference, attachment: Attachment) {
    return this.#run('attach', () => this.#erp.attach(reference, attachment));
  }

  entries(period: { readonly from: IsoDate; readonly to: IsoDate }): AsyncIterable<ErpEntry> {
    let read = () => this.#erp.entries(period);
    for (const hook of this.#inward) {
      const inner = read;
      if (hook.entries) read = () => hook.entries?.(inner) ?? inner();
    }
    return read();
  }

  close(): Promise<void> {
    return this.#erp.close();
  }

  #run<Answer>(call: ErpCall, act: () => Promise<Answer>, key?: PostingKey): Promise<Answer> {
    let run = act;
    for (const hook of this.#inward) {
      const inner = run;
      run = () => hook.around(call, inner, key);
    }
    return run();
  }
}

/**
 * The protocol relies on it that nothing which could change the books leaves later than this: another process looks for the entry then.
 * A call may be several requests, so the deadline is on the whole of it.
 */
export function withDeadline(callMsMax: number): ErpHook {
  return {
    // Like the entries of a period, a whole chart takes as long as it is.
    around: (call, act) => (call === 'validate' ? act() : withinBudget(callMsMax, act)),
  };
}

/**
 * An ERP may repeat in its messages what it was sent, and what an adapter says goes into records and before people. So the secrets of
 * this process are cut out here, once for all adapters, before any text is shortened.
 */
export const REDACT_SECRETS: ErpHook = { around: (_call, act) => masked(act), entries: maskedEntries };

async function masked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return withoutSecrets(await ask());
  } catch (error) {
    throw maskedError(error);
  }
}

async function* maskedEntries(read: () => AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry> {
  try {
    yield* read();
  } catch (error) {
    throw maskedError(error);
  }
}

/** Texts in an answer are masked whole; the rest of it (requests, entries) stays as it is. */
function withoutSecrets<Answer>(answer: Answer): Answer {
  if (Array.isArray(answer)) return answer.map(withoutSecrets) as Answer;
  if (typeof answer !== 'object' || answer === null) return answer;
  if (isText(answer)) return maskedText(answer);
  const texts = Object.entries(answer).filter(([, value]) => isText(value));
  if (texts.length === 0) return answer;
  return {
    ...answer,
    ...Object.fromEntries(texts.map(([name, value]) => [name, maskedText(value as Told)])),
  };
}

function isText(value: unknown): value is Told {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}

/** Stable codes: a secret that happens to be the same word must not change them. */
const CODES: ReadonlySet<string> = new Set(['outcome', 'code', 'severity']);

/** A parameter of a text can repeat what the ERP said too; so can a remedy, or why an entry was not matched. */
function maskedText<Text extends object>(text: Text): Text {
  const masked = Object.entries(text).map(([name, value]): [string, unknown] => [
    name,
    CODES.has(name) ? value : maskedValue(value, 0),
  ]);
  return Object.fromEntries(masked) as Text;
}

const DEPTH_MAX = 8;

/** Masks strings in plain objects and lists; returns every other value unchanged. */
function maskedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [
      name,
      name === 'code' && 'params' in value ? inside : maskedValue(inside, depth + 1),
    ]),
  );
}

/** The same error, so that its kind and its code stay what they are. Everything that is kept or logged of it is masked, its causes too. */
function maskedError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth === DEPTH_MAX) return error;
  error.message = maskSecrets(error.message);
  if (error.stack !== undefined) error.stack = maskSecrets(error.stack);
  if (error instanceof CodedError)
    Object.assign(error, { said: maskedValue(error.said, 0), details: maskedValue(error.details, 0) });
  if (typeof error.cause === 'string') error.cause = maskSecrets(error.cause);
  else maskedError(error.cause, depth + 1);
  return error;
}
