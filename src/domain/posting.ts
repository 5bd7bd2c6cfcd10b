// The states of a posting and the moves between them: the one table. The types derive from it, the store enforces it
// by compare-and-set, and the database refuses anything else (a test holds prisma/migrations against this table).
export const POSTING_MOVES = {
  discovered: ['mapped', 'deferred', 'held', 'parked', 'skipped', 'rejected'],
  mapped: ['posting', 'discovered', 'deferred', 'held', 'parked', 'skipped', 'rejected'],
  posting: ['posted', 'mapped', 'held', 'parked', 'rejected'],
  posted: ['writing_back', 'parked', 'orphaned', 'reversed'],
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

/** Nothing moves these but a person, or the source reopening the document. */
export const RESTING_STATES = [
  'acknowledged',
  'skipped',
  'rejected',
  'reversed',
] as const satisfies PostingState[];

/** A person or a tenant file has to do something. */
export const NEEDS_A_PERSON = ['parked', 'orphaned'] as const satisfies PostingState[];
