// Tryton's models by name: searching, reading and calling, each answered in the port's outcomes.
import type * as z from 'zod';
import { type Answer, asRead, type ReadAnswer } from '../answer.js';
import type { TrytonSession } from './session.js';

const RECORDS_MAX = 10_000;

export type Domain = readonly unknown[];
type Context = Readonly<Record<string, unknown>>;

export class TrytonModels {
  readonly #session: TrytonSession;

  constructor(session: TrytonSession) {
    this.#session = session;
  }

  /** Oldest first. */
  find<T>(
    model: string,
    domain: Domain,
    fields: readonly string[],
    schema: z.ZodType<T>,
    context: Context,
    limit = RECORDS_MAX,
  ): Promise<ReadAnswer<T>> {
    const parameters = [domain, 0, limit, [['id', 'ASC']], fields];
    return this.read(`${model}.search_read`, parameters, schema, context);
  }

  async read<T>(
    method: string,
    parameters: readonly unknown[],
    schema: z.ZodType<T>,
    context: Context,
  ): Promise<ReadAnswer<T>> {
    return asRead(await this.#session.call(`model.${method}`, parameters, schema, context, 'read'));
  }

  call<T>(
    method: string,
    parameters: readonly unknown[],
    schema: z.ZodType<T>,
    context: Context,
  ): Promise<Answer<T>> {
    return this.#session.call(`model.${method}`, parameters, schema, context, 'write');
  }

  /** Number of the user that the bridge books as. */
  user(): Promise<ReadAnswer<number>> {
    return this.#session.user();
  }
}
