// How long calls took, in buckets. A document is a dozen calls, and the library works out its labels anew at every one of them; here they are
// worked out once, and what is asked for now and then is written as the library would write it.
import { Histogram, type Registry } from 'prom-client';
import type { ObservedCall } from './observer.js';

const LABELS = ['side', 'system', 'call', 'outcome'] as const;
type Label = (typeof LABELS)[number];
interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly sharedLabels: Pick<ObservedCall, Label>;
  readonly value: number;
}

/** From a look-up on the same machine to the longest deadline of a call. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ABOUT = {
  name: 'ledgerbridge_call_seconds',
  help: 'Time of calls to the invoicing service and to ERPs, by what they answered.',
  labelNames: LABELS,
  buckets: SECONDS,
};

interface Times {
  readonly labels: Pick<ObservedCall, Label>;
  /** By the smallest bucket that it fits into; the last has no bound. */
  readonly counts: number[];
  sum: number;
}

export class CallTimes extends Histogram<Label> {
  readonly #byCall = new Map<string, Times[]>();

  constructor(registry: Registry) {
    super({ ...ABOUT, registers: [registry] });
  }

  called(observed: ObservedCall): void {
    const { seconds } = observed;
    const times = this.#timesOf(observed);
    let at = 0;
    while (at < SECONDS.length && seconds > (SECONDS[at] ?? 0)) at++;
    times.counts[at] = (times.counts[at] ?? 0) + 1;
    times.sum += seconds;
  }

  /** Looked for among the few of its name: a key made of four texts would be made anew for every call. */
  #timesOf({ side, system, call, outcome }: ObservedCall): Times {
    const alike = this.#byCall.get(call) ?? [];
    for (const times of alike) {
      const { labels } = times;
      if (labels.outcome === outcome && labels.side === side && labels.system === system) return times;
    }
    const labels = { side, system, call, outcome };
    const times = { labels, counts: [...SECONDS, 0].map(() => 0), sum: 0 };
    this.#byCall.set(call, [...alike, times]);
    return times;
  }

  /** What the library asks for when it writes, and makes everything else of. */
  getForPromString() {
    const { name, help } = ABOUT;
    const values = [...this.#byCall.values()].flat().flatMap(valuesOf);
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values });
  }
}

/** Each bucket has all that took less in it. */
function valuesOf({ labels, counts, sum }: Times): Value[] {
  let count = 0;
  const buckets = counts.map((within, at): Value => {
    count += within;
    const le = SECONDS[at] ?? '+Inf';
    return { metricName: `${ABOUT.name}_bucket`, labels: { le }, sharedLabels: labels, value: count };
  });
  return [
    ...buckets,
    { metricName: `${ABOUT.name}_sum`, labels: {}, sharedLabels: labels, value: sum },
    { metricName: `${ABOUT.name}_count`, labels: {}, sharedLabels: labels, value: count },
  ];
}
