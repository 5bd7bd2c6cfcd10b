// How everything is, kept at hand: every page shows it in its frame, and reading it again for each would make the busiest
// question the slowest. It is never older than a few seconds, and is read anew at once after somebody did something. Whoever
// sees some companies only has a pulse of their own, shared by all who see the same ones.
import type { Language } from '../../language/say.js';
import type { Reach } from '../../operations/access/reach.js';
import type { Operations } from '../../operations/operations.js';
import type { Overview } from '../../operations/views/overview.js';

export interface Pulse {
  latest(): Promise<Overview>;
}

export interface Pulses {
  /** null: of all companies. */
  of(reach: Reach | null, language: Language): Pulse;
  /** Somebody did something: the next reader waits for a fresh one. */
  touch(): void;
  /** Asks once ahead of the first reader, who would wait for queries that were never asked before, and keeps nothing of it. */
  warm(): Promise<void>;
}

const FRESH_MS = 1_500;
const STALE_MS = 10_000;
/** So many different views are kept; the one not asked for the longest is read anew. */
const PULSES_MAX = 200;

type Overviews = Readonly<Record<Language, Pick<Operations, 'overview' | 'within'>>>;

export function createPulses(spoken: Overviews, now: () => number): Pulses {
  const all = { en: createPulse(spoken.en, now), is: createPulse(spoken.is, now) };
  const confined = new Map<string, OnePulse>();
  return {
    of: (reach, language) => {
      if (reach === null) return all[language];
      const names = [language, ...[...reach.keys()].sort()].join(',');
      const pulse = confined.get(names) ?? createPulse(spoken[language].within(reach), now);
      confined.delete(names);
      confined.set(names, pulse);
      for (const oldest of confined.keys()) {
        if (confined.size <= PULSES_MAX) break;
        confined.delete(oldest);
      }
      return pulse;
    },
    warm: async () => {
      // One after the other: what is being worked on needs the connections too. Who reads it for real meets a failure.
      for (const pulse of Object.values(all)) {
        await pulse.latest().catch(() => undefined);
        pulse.touch();
      }
    },
    touch: () => {
      for (const pulse of [...Object.values(all), ...confined.values()]) pulse.touch();
    },
  };
}

interface OnePulse extends Pulse {
  touch(): void;
}

function createPulse(operations: Pick<Operations, 'overview'>, now: () => number): OnePulse {
  let known: { readonly at: number; readonly overview: Overview } | null = null;
  let reading: Promise<Overview> | null = null;

  function read(): Promise<Overview> {
    if (reading) return reading;
    const startedAt = now();
    const ours = operations
      .overview()
      .then((overview) => {
        if (reading === ours) known = { at: startedAt, overview };
        return overview;
      })
      .finally(() => {
        if (reading === ours) reading = null;
      });
    reading = ours;
    return ours;
  }

  return {
    latest: async (): Promise<Overview> => {
      const ageMs = known ? now() - known.at : Number.POSITIVE_INFINITY;
      if (known && ageMs < FRESH_MS) return known.overview;
      if (!known || ageMs > STALE_MS) return read();
      // A reader gets what is there; a failure shows when it has become too old.
      read().catch(() => undefined);
      return known.overview;
    },
    touch: () => {
      known = null;
      // What is being read may show how it was before.
      reading = null;
    },
  };
}
