/** A request that the documents make the service refuse; HTTP 200 unless they say otherwise. */
export class Refusal extends Error {
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(message: string, status = 200, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.extra = extra;
  }
}
