// How everything is, kept at hand: every page shows it in its frame, and reading it again for each would make the busiest
// question the slowest. It is never older than a few seconds, and is read anew at once after somebody did something.
import type { Language } from '../../language/say.js';
import type { Operations } from '../../operations/operations.js';
import type { Overview } from '../../operations/views/overview.js';

export interface Pulse {
  latest(language: Language): Promise<Overview>;
  /** Somebody did something: the next reader waits for a fresh one. */
  touch(): void;
}

const FRESH_MS = 1_500;
const STALE_MS = 10_000;

type Overviews = Readonly<Record<Language, Pick<Operations, 'overview'>>>;

export function createPulse(spoken: Overviews, now: () => number): Pulse {
  const kept = { en: keep(spoken.en, now), is: keep(spoken.is, now) };
  return {
    latest: (language) => kept[language].latest(),
    touch: () => {
      for (const one of Object.values(kept)) one.touch();
    },
  };
}

function keep(operations: Pick<Operations, 'overview'>, now: () => number) {
  let known: { readonly at: number; readonly overview: Overview } | null = null;
  let reading: Promise<Overview> | null = null;

  function read(): Promise<Overview> {
    const startedAt = now();
    reading ??= operations
      .overview()
      .then((overview) => {
        known = { at: startedAt, overview };
        return overview;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
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
    },
  };
}
