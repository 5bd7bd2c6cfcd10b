// The exchanges of one client: a bounded number under way, the others in line. Connections are shared with every client of the
// process, so the bound is kept here: one tenant's slow server takes as many of them as that tenant may have, and no more. They stand
// in lists. A Set that many come to and leave keeps each of them until the next full collection of garbage: its earlier tables stay
// linked to the later ones, with whoever was in it then.
import type { Dispatcher } from 'undici';
import { type BoundedRequest, Exchange } from './exchange.js';
import type { HttpResult } from './messages.js';

export class Exchanges {
  readonly #dispatcher: Dispatcher;
  readonly #atOnceMax: number;
  readonly #underWay: Exchange[] = [];
  readonly #inLine: Exchange[] = [];

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
      const mayGo = this.#inLine.length === 0 && this.#underWay.length < this.#atOnceMax;
      // Its deadline runs while it waits, and takes it out of the line.
      (mayGo ? this.#underWay : this.#inLine).push(exchange);
      exchange.guard(signal);
      if (mayGo && !exchange.settled) exchange.dispatchOn(this.#dispatcher);
    });
  }

  abortAll(): void {
    for (const exchange of [...this.#inLine, ...this.#underWay]) exchange.abort();
  }

  #goOn(): void {
    while (this.#underWay.length < this.#atOnceMax) {
      const next = this.#inLine.shift();
      if (!next) return;
      this.#underWay.push(next);
      next.dispatchOn(this.#dispatcher);
    }
  }

  #leave(exchange: Exchange): void {
    if (take(exchange, this.#underWay)) this.#goOn();
    else take(exchange, this.#inLine);
  }
}

function take(exchange: Exchange, list: Exchange[]): boolean {
  const at = list.indexOf(exchange);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}
