// The states of a posting and the moves between them: the one table. The types derive from it, the store enforces it
// by compare-and-set, and the database refuses anything else (a test holds prisma/migrations against this table).
export const POSTING_MOVES = {
  discovered: ['mapped', 'posting', 'deferred', 'held', 'parked', 'skipped', 'rejected'],
  mapped: ['posting', 'discovered', 'deferred', 'held', 'parked', 'skipped', 'rejected'],
  posting: ['posted', 'acknowledged', 'mapped', 'held', 'parked', 'rejected'],
  posted: ['writing_back', 'acknowledged', 'parked', 'orphaned', 'reversed'],
  writing_back: ['acknowledged', 'posted', 'parked', 'orphaned'],
  acknowledged: ['orphaned', 'reversed'],
  deferred: ['discovered', 'skipped', 'held', 'parked'],
  held: ['discovered', 'skipped', 'parked'],
  parked: ['discovered', 'posting', 'posted', 'writing_back', 'skipped', 'orphaned', 'reversed'],
  skipped: ['discovered', 'parked'],
  rejected: ['discovered', 'parked'],
  orphaned: ['reversed', 'parked'],
  reversed: ['discovered', 'skipped'],
} as const satisfies Record<string, readonly string[]>;

export type PostingState = keyof typeof POSTING_MOVES;
export const POSTING_STATES = Object.keys(POSTING_MOVES) as PostingState[];

export function isLegalMove(from: PostingState, to: PostingState): boolean {
  return (POSTING_MOVES[from] as readonly string[]).includes(to);
}

/**
 * Where a state stands: under way (the bridge works on it by itself), waiting (it looks again by itself), needs a person, or done.
 * Lists of states are made from this table, so that a new state has its place everywhere.
 */
export const PHASES = {
  discovered: 'under-way',
  mapped: 'under-way',
  posting: 'under-way',
  posted: 'under-way',
  writing_back: 'under-way',
  deferred: 'waiting',
  held: 'waiting',
  parked: 'needs-person',
  orphaned: 'needs-person',
  rejected: 'needs-person',
  acknowledged: 'done',
  skipped: 'done',
  reversed: 'done',
} as const satisfies Record<PostingState, string>;

export type Phase = (typeof PHASES)[PostingState];

export function statesIn(...phases: readonly Phase[]): PostingState[] {
  return POSTING_STATES.filter((state) => phases.includes(PHASES[state]));
}

export const UNDER_WAY = statesIn('under-way');
/** Nothing was sent for it yet. */
export const BEFORE_THE_ERP = ['discovered', 'mapped', 'deferred', 'held'] as const satisfies PostingState[];
/** Its entry stands, and the source is told or was told. */
export const IN_BOOKS = ['posted', 'writing_back', 'acknowledged'] as const satisfies PostingState[];
/** Decided against, by the rules or a person; the source is told so. */
export const DECIDED_AGAINST = ['skipped', 'rejected'] as const satisfies PostingState[];
/** What a person asks about: it does not go on, or only after something was mended. */
export const STUCK = [...statesIn('needs-person'), 'held'] as const satisfies PostingState[];

/** An operator holds it: it moves when it is released, and by nothing else. */
export function isHeldByOperator(posting: {
  readonly state: PostingState;
  readonly reason: { readonly code: string } | null;
}): boolean {
  return posting.state === 'held' && posting.reason?.code === 'HELD_BY_OPERATOR';
}

export type AttemptOutcome =
  'posted' | 'pending' | 'draft' | 'rejected' | 'transient' | 'unknown' | 'auth' | 'never-sent';

/** What was sent may stand in the ERP. null: its process died, so nobody knows. The store says the same in SQL. */
export const UNCERTAIN_OUTCOMES = ['unknown', 'pending', 'draft'] as const satisfies AttemptOutcome[];

export function isUncertain({ outcome }: { readonly outcome: string | null }): boolean {
  return outcome === null || (UNCERTAIN_OUTCOMES as readonly string[]).includes(outcome);
}

/** The same of a document, as its row shows it: the bridge is finding out, or a person has to. */
export function isOutcomeUncertain(posting: {
  readonly state: PostingState;
  readonly tries: number;
  readonly reason: { readonly code: string } | null;
}): boolean {
  if (posting.state === 'posting') return posting.tries > 0;
  return posting.state === 'parked' && posting.reason?.code === 'OUTCOME_UNKNOWN';
}

// The accounting status of a document at the source. Document 1, "States and transitions".
export const ACCOUNTING_STATUSES = ['New', 'Created', 'Posted', 'Skipped', 'Error'] as const;

/** What the API accepts from us; New and Created are the service's own. */
export const WRITABLE_STATUSES = ['Posted', 'Skipped', 'Error'] as const;
export type WritableStatus = (typeof WRITABLE_STATUSES)[number];

/** Rule of update-cost; we hold invoices to the same. Counted in characters and in bytes, as the unit is unstated. */
export const ACCOUNTING_MESSAGE_MAX = 500;
