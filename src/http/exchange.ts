// One request on the dispatcher, driven by its callbacks: they alone tell whether the request had begun to leave, which a
// promise-shaped client hides. Settles exactly once, by the deadline at the latest, and leaves no timer or listener behind.
import type { Dispatcher } from 'undici';
import type { Told } from '../domain/message.js';
import { told } from '../language/messages.js';
import { describeFailure, type FailureReason } from './failure-reasons.js';
import type { HttpFailure, HttpRequest, HttpResult } from './messages.js';

export interface BoundedRequest extends HttpRequest {
  readonly deadlineMs: number;
  readonly bodyBytesMax: number;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

export class Exchange implements Dispatcher.DispatchHandler {
  settled = false;
  readonly #asked: BoundedRequest;
  readonly #onSettled: (result: HttpResult, exchange: Exchange) => void;
  readonly #startedAt = performance.now();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #leaving = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #controller: Dispatcher.DispatchController | null = null;
  #release: () => void = () => undefined;

  constructor(asked: BoundedRequest, onSettled: (result: HttpResult, exchange: Exchange) => void) {
    this.#asked = asked;
    this.#onSettled = onSettled;
  }

  /** Given up, wherever it is. */
  abort(): void {
    this.#fail('aborted', told('HTTP_CANCELLED'));
  }

  guard(signal?: AbortSignal): void {
    const onDeadline = () => this.#fail('timeout', told('HTTP_NO_ANSWER', { ms: this.#asked.deadlineMs }));
    const onAbort = () => this.abort();
    const timer = setTimeout(onDeadline, this.#asked.deadlineMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted === true) onAbort();
  }

  dispatchOn(dispatcher: Dispatcher): void {
    const { url, method, headers, body } = this.#asked;
    try {
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: headers ?? {},
          body: body ?? null,
          headersTimeout: this.#asked.headersTimeoutMs,
          bodyTimeout: this.#asked.idleTimeoutMs,
        },
        this,
      );
    } catch (error) {
      this.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Called when a connection is free, just before the first byte. A call given up while it waited never leaves.
    if (this.settled) {
      controller.abort(new Error('given up before it was sent'));
      return;
    }
    this.#leaving = true;
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = flatten(headers);
    const encoding = this.#headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      // We asked for identity. Inflating what was not asked for is how a kilobyte becomes a gigabyte.
      this.#fail('invalid-response', told('HTTP_ENCODED', { encoding: encoding.slice(0, 40) }));
    } else if (Number(this.#headers['content-length'] ?? 0) > this.#asked.bodyBytesMax) this.#failTooLarge();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#asked.bodyBytesMax) this.#failTooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle({
      outcome: 'response',
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks, this.#bytes),
      durationMs: this.#elapsedMs(),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const { reason, words, notSent } = describeFailure(error);
    if (notSent) this.#leaving = false;
    this.#fail(reason, words);
  }

  #failTooLarge(): void {
    this.#fail('too-large', told('HTTP_TOO_LARGE', { bytes: this.#asked.bodyBytesMax }));
  }

  #fail(reason: FailureReason, words: Told): void {
    const reached: HttpFailure['reached'] = this.#leaving ? 'maybe-sent' : 'not-sent';
    const controller = this.#controller;
    this.#settle({ outcome: 'failure', reached, reason, ...words, durationMs: this.#elapsedMs() });
    controller?.abort(new Error(words.message));
  }

  #settle(result: HttpResult): void {
    if (this.settled) return;
    this.settled = true;
    this.#release();
    this.#chunks.length = 0;
    this.#controller = null;
    this.#onSettled(result, this);
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
