/**
 * A few things that are asked for again in a moment, each in the place of its key. Where two keys have the same place the later one takes
 * it: what is not found is made once more. A Map that things come to and leave all the time is full of them until the next full collection
 * of garbage: its earlier tables stay linked to the later ones, with whatever was in them then.
 */
export class Shelf<Thing> {
  readonly #places: ({ readonly key: string; readonly thing: Thing } | null)[];

  constructor(places: number) {
    this.#places = new Array<null>(places).fill(null);
  }

  find(key: string): Thing | undefined {
    const kept = this.#places[this.#placeOf(key)];
    return kept?.key === key ? kept.thing : undefined;
  }

  put(key: string, thing: Thing): void {
    this.#places[this.#placeOf(key)] = { key, thing };
  }

  drop(key: string): void {
    const place = this.#placeOf(key);
    if (this.#places[place]?.key === key) this.#places[place] = null;
  }

  /** Long keys are told apart by some of their letters: they are texts of documents, with names and numbers all over. */
  #placeOf(key: string): number {
    const step = Math.ceil(key.length / LETTERS_MAX);
    let sum = key.length;
    for (let at = 0; at < key.length; at += step) sum = (Math.imul(sum, 31) + key.charCodeAt(at)) | 0;
    return (sum >>> 0) % this.#places.length;
  }
}

const LETTERS_MAX = 128;
