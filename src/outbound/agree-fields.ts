// Two sides have the same fields, and people change them on either: told apart by what both had when they were last at one. What only the
// origin changed is written to the service, what only the service changed stays, and what both changed is decided by rule or by a
// person. It knows nothing of customers: whatever has fields with text in them may be agreed upon.

/** What each side had of a field when they were last at one. They need not be equal: one may have been kept, or be written otherwise there. */
export interface AgreedField {
  readonly origin: string;
  readonly service: string;
}
export type Agreed = Readonly<Record<string, AgreedField>>;

/** Who decides where both sides have changed. */
export type Winner = 'origin' | 'service' | 'person';

export interface FieldConflict {
  readonly field: string;
  readonly agreed: AgreedField;
  readonly origin: string;
  readonly service: string;
}

/** What a person said of a conflict: of these two values and no others. */
export interface FieldDecision {
  readonly take: 'origin' | 'service';
  readonly origin: string;
  readonly service: string;
}
export type Decisions = Readonly<Record<string, FieldDecision>>;

export interface BothSides {
  /** What the origin names, as the service would show it. */
  readonly origin: Readonly<Record<string, string>>;
  readonly service: Readonly<Record<string, string>>;
  readonly agreed: Agreed;
  readonly decided: Decisions;
  readonly winnerOf: (field: string) => Winner;
}

export interface Agreement {
  /** What the origin says of these is to be written to the service. */
  readonly write: readonly string[];
  /** What the service has of these stays, though the origin says something else. */
  readonly kept: readonly string[];
  readonly conflicts: readonly FieldConflict[];
  /** What both have agreed upon once `write` is there; of what is in conflict, what they had agreed upon before. */
  readonly agreed: Agreed;
}

type Verdict = 'same' | 'write' | 'keep' | 'conflict';

export function agreeFields(sides: BothSides): Agreement {
  const { origin, service, agreed: before } = sides;
  const agreed: Record<string, AgreedField> = { ...before };
  const write: string[] = [];
  const kept: string[] = [];
  const conflicts: FieldConflict[] = [];
  for (const [field, ours] of Object.entries(origin)) {
    const theirs = service[field] ?? '';
    const base = before[field];
    const verdict = judge(sides, field, ours, theirs);
    if (verdict === 'conflict' && base) {
      conflicts.push({ field, agreed: base, origin: ours, service: theirs });
      continue;
    }
    agreed[field] = { origin: ours, service: verdict === 'write' ? ours : theirs };
    if (verdict === 'write') write.push(field);
    if (verdict === 'keep') kept.push(field);
  }
  return { write, kept, conflicts, agreed };
}

function judge(
  { agreed, decided, winnerOf }: BothSides,
  field: string,
  ours: string,
  theirs: string,
): Verdict {
  if (ours === theirs) return 'same';
  const decision = decided[field];
  if (decision?.origin === ours && decision.service === theirs)
    return decision.take === 'origin' ? 'write' : 'keep';
  const before = agreed[field];
  const winner = winnerOf(field);
  // Where the service wins, the origin only fills in what is empty there.
  const byOrigin = winner === 'service' && theirs !== '' ? 'keep' : 'write';
  if (before === undefined) return byOrigin;
  if (ours === before.origin) return 'keep';
  if (theirs === before.service) return byOrigin;
  return winner === 'person' ? 'conflict' : winner === 'origin' ? 'write' : 'keep';
}

/** What was written, as the service shows it: it may write it in its own way, or show what it had before for a while. */
export function agreedAsShown(
  { write, agreed }: Pick<Agreement, 'write' | 'agreed'>,
  before: Readonly<Record<string, string>>,
  shown: Readonly<Record<string, string>>,
): Agreed {
  const asShown = { ...agreed };
  for (const field of write) {
    const now = shown[field] ?? '';
    const entry = agreed[field];
    if (entry && now !== (before[field] ?? '')) asShown[field] = { origin: entry.origin, service: now };
  }
  return asShown;
}

/**
 * Whether the service shows something else of a field than when the sides were last held against each other. Of one that waits for a
 * person that is what it showed then, not what was agreed upon before: otherwise it would seem changed at every look.
 */
export function hasServiceChanged(
  agreed: Agreed,
  conflicts: readonly FieldConflict[],
  shown: Readonly<Record<string, string>>,
): boolean {
  const seen = new Map(Object.entries(agreed).map(([field, { service }]) => [field, service]));
  for (const { field, service } of conflicts) seen.set(field, service);
  return [...seen].some(([field, service]) => (shown[field] ?? '') !== service);
}

/** Where the sides were left apart: what the service has. */
export function keptAtService(agreed: Agreed): Readonly<Record<string, string>> {
  const apart = Object.entries(agreed).filter(([, { origin, service }]) => origin !== service);
  return Object.fromEntries(apart.map(([field, { service }]) => [field, service]));
}
