// What adapters outside this repository have built on since 0.2.0, in the form that they know: answers, where our own adapters throw
// `ReadFailed`.
import type { Clock } from '../../src/domain/runtime.js';
import { asAnswer, orThrow, type ReadAnswer } from '../../src/erp/answer.js';
import { Remembered as Kept } from '../../src/erp/chart.js';
import type { AuthFailed, Rejected, Transient } from '../../src/erp/erp-adapter.js';
import * as directory from '../../src/erp/partner-directory.js';

/** Something that is slow to fetch and seldom changes, kept for a while. Failures are not kept. */
export class Remembered<T> {
  readonly #kept: Kept<T>;

  constructor(clock: Clock, lifeMs: number, fetch: () => Promise<ReadAnswer<T>>) {
    this.#kept = new Kept(clock, lifeMs, async () => orThrow(await fetch()));
  }

  get(): Promise<ReadAnswer<T>> {
    return asAnswer(() => this.#kept.get());
  }

  /** For when what is kept lacks something that a person may have added since. */
  fresh(): Promise<ReadAnswer<T>> {
    return asAnswer(() => this.#kept.fresh());
  }

  /** Null when what is kept has none. One that it has is looked for in what the ERP says now, before it is believed. */
  async problem(problemIn: (value: T) => Rejected | null): Promise<Rejected | Transient | AuthFailed | null> {
    const kept = await this.get();
    if (kept.outcome !== 'ok') return kept;
    if (problemIn(kept.value) === null) return null;
    const fresh = await this.fresh();
    return fresh.outcome === 'ok' ? problemIn(fresh.value) : fresh;
  }
}

export interface PartnerDirectory<Partner> {
  resolve(wanted: directory.PartnerWanted): Promise<ReadAnswer<Partner>>;
}

/** Creates a customer once, although two documents ask for it at the same time. */
export function createPartnerDirectory<Partner>(
  options: Pick<directory.PartnerDirectoryOptions<Partner>, 'create' | 'mayCreate'> & {
    /** Empty when there is none. */
    find(wanted: directory.PartnerWanted): Promise<ReadAnswer<readonly Partner[]>>;
  },
): PartnerDirectory<Partner> {
  const partners = directory.createPartnerDirectory<Partner>({
    mayCreate: options.mayCreate,
    create: (party) => options.create(party),
    find: async (wanted) => orThrow(await options.find(wanted)),
  });
  return { resolve: (wanted) => asAnswer(() => partners.resolve(wanted)) };
}

/** The partners of a whole journal, by `kind/kennitala`. The first that cannot be had decides. */
export function resolvePartners<Partner>(
  partners: PartnerDirectory<Partner>,
  wanted: readonly directory.PartnerWanted[],
): Promise<ReadAnswer<ReadonlyMap<string, Partner>>> {
  const throwing = { resolve: async (one: directory.PartnerWanted) => orThrow(await partners.resolve(one)) };
  return asAnswer(() => directory.resolvePartners(throwing, wanted));
}
