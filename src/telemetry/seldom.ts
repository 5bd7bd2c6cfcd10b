// What goes wrong again and again is one line a minute: a database or a Redis that is away fails everything that asks, many
// times a second, and a log of thousands of equal lines hides the others. How many were left out is said with the next.
export type SayWarning = (facts: Readonly<Record<string, unknown>>, message: string) => void;

const EVERY_MS = 60_000;
const KINDS_MAX = 1_000;

interface Told {
  at: number;
  leftOut: number;
}

export function seldom(say: SayWarning, now: () => number = () => performance.now()): SayWarning {
  const told = new Map<string, Told>();
  return (facts, message) => {
    // Each company for itself: that one is down says nothing of the next.
    const { tenant, err } = facts;
    const kind = [message, typeof tenant === 'string' ? tenant : '', kindOf(err)].join(' ');
    const last = told.get(kind);
    if (last && now() - last.at < EVERY_MS) {
      last.leftOut += 1;
      return;
    }
    // The oldest goes: whatever is new is said at once.
    if (!last && told.size >= KINDS_MAX) told.delete(told.keys().next().value ?? '');
    told.set(kind, { at: now(), leftOut: 0 });
    say(last && last.leftOut > 0 ? { ...facts, leftOut: last.leftOut } : facts, message);
  };
}

/** Numbers differ from one to the next (ports, pids, milliseconds) and tell no two kinds apart. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 100);
  const code = 'code' in error ? String(error.code) : '';
  return `${error.name} ${code} ${error.message.replaceAll(/\d+/g, '#').slice(0, 100)}`;
}
