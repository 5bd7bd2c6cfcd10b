// The unexpected throws a coded error; expected outcomes are unions and are not errors.
// The code is looked up in the registry: what it means, what to do, and what the machine does about it (the disposition).
import type { ErrorDefinition } from './definition.js';
import { type Message, type Told, wordsOf } from '../message.js';
import { ERROR_REGISTRY, type ErrorCode } from './registry.js';

export class CodedError extends Error {
  override readonly name = 'CodedError';
  readonly code: ErrorCode;
  /** Facts for logs and problem+json; never secrets, never whole documents. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The message as a value, where it is one. */
  readonly said: Message | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown>; said?: Message | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.said = options.said;
  }

  get definition(): ErrorDefinition {
    return ERROR_REGISTRY[this.code];
  }
}

export function isCoded(error: unknown, code?: ErrorCode): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/** What was thrown says, as a value where it is one of ours. */
export function errorWords(error: unknown): Told {
  if (error instanceof CodedError) return wordsOf(error);
  return { message: error instanceof Error ? error.message : String(error) };
}

/** How long the other side asked to be left alone (Retry-After). */
export function retryAfterMs(error: unknown): number | undefined {
  return numberIn(error, 'retryAfterMs');
}

/** How long to wait before the next try: as long as the other side asked, or until limits of our own have room. */
export function waitMsOf(error: unknown): number | undefined {
  return retryAfterMs(error) ?? numberIn(error, 'waitMs');
}

function numberIn(error: unknown, name: string): number | undefined {
  const value = error instanceof CodedError ? error.details[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}
