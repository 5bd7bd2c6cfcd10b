// Origins that cannot be looked at. One failure is nothing: a share is away for a moment, an ERP restarts. One that lasts is told to a
// person, and taken back when the origin answers. Forgotten with the process: the next one counts anew, and finds what is open.
import { wordsOf } from '../domain/message.js';
import type { OriginWatch } from '../pipeline/outgoing/records.js';

export const SILENT_MS = 5 * 60_000;

export class SilentOrigins {
  readonly #watch: OriginWatch;
  readonly #nowMs: () => number;
  /** Since when each has failed; null: it has answered. */
  readonly #since = new Map<string, number | null>();

  constructor(watch: OriginWatch, nowMs: () => number) {
    this.#watch = watch;
    this.#nowMs = nowMs;
  }

  /** One look. Its failure is thrown on; one that asked nobody says nothing of whether somebody answers. */
  async heed(
    tenantName: string,
    origin: string,
    look: () => Promise<{ readonly hasAnswered: boolean }>,
  ): Promise<void> {
    const { hasAnswered } = await look().catch(async (error: unknown) => {
      await this.failed(tenantName, origin, error);
      throw error;
    });
    if (hasAnswered) await this.answered(tenantName, origin);
  }

  async failed(tenantName: string, origin: string, error: unknown): Promise<void> {
    const name = JSON.stringify([tenantName, origin]);
    const since = this.#since.get(name) ?? this.#nowMs();
    this.#since.set(name, since);
    if (this.#nowMs() - since < SILENT_MS) return;
    const words = error instanceof Error ? wordsOf(error) : { message: String(error) };
    await this.#watch.silent(tenantName, origin, words);
  }

  async answered(tenantName: string, origin: string): Promise<void> {
    const name = JSON.stringify([tenantName, origin]);
    if (this.#since.get(name) === null) return;
    await this.#watch.answers(tenantName, origin);
    this.#since.set(name, null);
  }

  /** Of tenants that are gone. */
  keep(tenants: readonly string[]): void {
    for (const name of this.#since.keys())
      if (!tenants.includes((JSON.parse(name) as [string])[0])) this.#since.delete(name);
  }
}
