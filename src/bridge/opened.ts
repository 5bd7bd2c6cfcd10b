// What was opened closes in the opposite order, all of it: one part that cannot be closed keeps no other open.
export class Opened {
  readonly #closes: (() => unknown)[] = [];

  /** `close` is called once, after everything that is added later. */
  add<Part>(part: Part, close: (part: Part) => unknown): Part {
    this.#closes.push(() => close(part));
    return part;
  }

  /** For parts that are started and stopped. */
  start<Part extends { stop(): unknown }>(part: Part): Part {
    return this.add(part, () => part.stop());
  }

  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'Several parts could not be closed.');
  }
}
