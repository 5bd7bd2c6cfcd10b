// The exchanges of one client: a bounded number under way, the others in line. Connections are shared with every client of the
// process, so the bound is kept here: one tenant's slow server takes as many of them as that tenant may have, and no more.
import type { Dispatcher } from 'undici';
import { type BoundedRequest, Exchange } from './exchange.js';
import type { HttpResult } from './messages.js';

export class Exchanges {
  readonly #dispatcher: Dispatcher;
  readonly #atOnceMax: number;
  readonly #underWay = new Set<Exchange>();
  readonly #inLine = new Set<Exchange>();

  constructor(dispatcher: Dispatcher, atOnceMax: number) {
    this.#dispatcher = dispatcher;
    this.#atOnceMax = atOnceMax;
  }

  send(asked: BoundedRequest, signal?: AbortSignal): Promise<HttpResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(asked, (result, settled) => {
        this.#leave(settled);
        resolve(result);
      });
      const mayGo = this.#inLine.size === 0 && this.#underWay.size < this.#atOnceMax;
      // Its deadline runs while it waits, and takes it out of the line.
      (mayGo ? this.#underWay : this.#inLine).add(exchange);
      exchange.guard(signal);
      if (mayGo && !exchange.settled) exchange.dispatchOn(this.#dispatcher);
    });
  }

  abortAll(): void {
    for (const exchange of [...this.#inLine, ...this.#underWay]) exchange.abort();
  }

  #goOn(): void {
    for (const exchange of this.#inLine) {
      if (this.#underWay.size >= this.#atOnceMax) return;
      this.#inLine.delete(exchange);
      this.#underWay.add(exchange);
      exchange.dispatchOn(this.#dispatcher);
    }
  }

  #leave(exchange: Exchange): void {
    this.#inLine.delete(exchange);
    if (this.#underWay.delete(exchange)) this.#goOn();
  }
}
