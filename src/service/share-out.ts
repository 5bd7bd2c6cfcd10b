// How the calls that an account bears at once are shared out among processes. Each process has seats, on record before it uses them,
// so those of all processes are never more than there are; a seat is worth its part of the rate as well.

/** What one process has of an account, until then by the clock of the records. */
export interface Part {
  readonly owner: string;
  /** Calls that are under way or wait. */
  readonly wants: number;
  readonly seats: number;
  readonly untilMs: number;
}

/** Who wants more than the others gets what they leave; of what everybody wants, the odd seats go round. */
export function fairSeats(
  limit: number,
  wants: ReadonlyMap<string, number>,
  turn: number,
): Map<string, number> {
  const owners = [...wants.keys()].sort();
  const first = owners.length === 0 ? 0 : turn % owners.length;
  const inTurn = [...owners.slice(first), ...owners.slice(0, first)];
  const given = new Map(owners.map((owner) => [owner, 0]));
  let left = limit;
  const giveOne = (to: readonly string[]) => {
    for (const owner of to.slice(0, left)) given.set(owner, (given.get(owner) ?? 0) + 1);
    left -= Math.min(left, to.length);
  };
  const isShort = (owner: string) => (given.get(owner) ?? 0) < (wants.get(owner) ?? 0);
  for (let short = inTurn.filter(isShort); left > 0 && short.length > 0; short = short.filter(isShort))
    giveOne(short);
  // What nobody wants now is had at once by whoever wants it next.
  while (left > 0 && owners.length > 0) giveOne(owners);
  return given;
}

/** Seats of others that have not run out. */
export function othersOf(parts: readonly Part[], owner: string, nowMs: number): readonly Part[] {
  return parts.filter((part) => part.owner !== owner && part.untilMs > nowMs);
}
