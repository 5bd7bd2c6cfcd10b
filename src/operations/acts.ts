// The table of acts: for each the states it may start from, and what it refuses there. The one place that decides: the
// explanation and the pages offer what stands here, the preview shows it, and the act itself asks again when it has the document.
import type { Message } from '../domain/message.js';
import {
  BEFORE_THE_ERP,
  DECIDED_AGAINST,
  isHeldByOperator,
  isUncertain,
  POSTING_STATES,
  type PostingState,
} from '../domain/posting.js';
import { type BookedKind, isSourceKind } from '../domain/source-document.js';
import { message } from '../language/messages.js';
import type { ClaimedPosting } from '../sync/posting-records.js';
import type { Action } from './views/document.js';

export interface ActFacts {
  readonly kind: BookedKind;
  readonly state: PostingState;
  /** By an operator. */
  readonly held: boolean;
  /** A worker has it at this moment. */
  readonly leased: boolean;
  /** A status is being written at the source. */
  readonly writeBackOpen: boolean;
  readonly mainPosted: boolean;
  /** The latest attempt to post may have reached the ERP. */
  readonly attemptUncertain: boolean;
  /** A reversal of what it has booked was begun, and is in the ERP or may be. */
  readonly reversalBegun?: boolean;
  /** It is on its way with the other documents of its day. */
  readonly inSummary?: boolean;
}

export interface Refusal {
  readonly why: Message;
  /** The act that would help instead. */
  readonly instead: Action | null;
}

interface ActRow {
  readonly from: readonly PostingState[];
  /** Said of any other state. */
  readonly otherwise: (state: PostingState) => Refusal;
  /** Also in one of these states. */
  readonly refuses?: (facts: ActFacts) => Refusal | null;
}

export function no(why: Message, instead: Action | null = null): Refusal {
  return { why, instead };
}

const notFromHere = (state: PostingState) => no(message('NOT_FROM_HERE', { state }));

function touched({ mainPosted, attemptUncertain }: ActFacts): Refusal | null {
  if (mainPosted) return no(message('IN_BOOKS'), 'reverse');
  return attemptUncertain ? no(message('MAY_HAVE_REACHED_ERP'), 'replay') : null;
}

/** What it holds are documents of their own, and the source says Posted of each. */
function asAWhole({ kind }: ActFacts): Refusal | null {
  return kind === 'summary' ? no(message('SUMMARY_AS_A_WHOLE')) : null;
}

export const ACTS: Readonly<Record<Action, ActRow>> = {
  replay: {
    from: POSTING_STATES.filter((state) => !['acknowledged', 'orphaned', 'reversed'].includes(state)),
    otherwise: (state) => {
      if (state === 'acknowledged') return no(message('IN_BOOKS_AND_POSTED'));
      return state === 'orphaned'
        ? no(message('IN_BOOKS_BUT_DELETED'), 'reverse')
        : no(message('REVERSED'), 'repost');
    },
    refuses: ({ held, state, reversalBegun }) => {
      if (held) return no(message('HELD'), 'release');
      // The rest of it must not be booked beside an entry that is being taken out again.
      return reversalBegun && state === 'parked' ? no(message('REVERSAL_BEGUN'), 'reverse') : null;
    },
  },
  skip: {
    from: [...BEFORE_THE_ERP, 'parked'],
    otherwise: notFromHere,
    refuses: (facts) => asAWhole(facts) ?? touched(facts),
  },
  hold: {
    from: BEFORE_THE_ERP,
    otherwise: notFromHere,
    refuses: (facts) => (facts.held ? no(message('HELD_ALREADY'), 'release') : touched(facts)),
  },
  release: {
    from: ['held'],
    otherwise: () => no(message('NOT_HELD')),
    refuses: ({ held }) => (held ? null : no(message('NOT_HELD'))),
  },
  'mark-posted': {
    from: [...BEFORE_THE_ERP, 'parked', ...DECIDED_AGAINST],
    otherwise: (state) =>
      state === 'posting' ? no(message('FINDING_OUT'), 'replay') : no(message('IN_BOOKS_ALREADY')),
    refuses: ({ kind, mainPosted }) => {
      if (mainPosted) return no(message('IN_BOOKS_ALREADY'), 'reverse');
      return isSourceKind(kind) ? null : no(message('FOLLOWING_BY_HAND'), 'skip');
    },
  },
  reverse: {
    from: ['posted', 'acknowledged', 'parked', 'orphaned'],
    otherwise: (state) => no(message('NO_ENTRY', { state })),
    refuses: (facts) =>
      asAWhole(facts) ?? (facts.mainPosted ? null : no(message('NO_ENTRY', { state: facts.state }))),
  },
  repost: { from: ['reversed'], otherwise: () => no(message('NOT_REVERSED')) },
  'move-to-new': {
    from: DECIDED_AGAINST,
    otherwise: () => no(message('NOT_A_DECIDED_COST')),
    refuses: ({ kind, writeBackOpen }) => {
      if (kind !== 'cost') return no(message('NOT_A_DECIDED_COST'));
      return writeBackOpen ? no(message('STATUS_BEING_WRITTEN')) : null;
    },
  },
};

/** null: it may be done. */
export function refusalOf(action: Action, facts: ActFacts): Refusal | null {
  if (facts.leased) return no(message('WORKED_ON'));
  if (facts.inSummary) return no(message('GOES_WITH_ITS_DAY'));
  const { from, otherwise, refuses } = ACTS[action];
  return from.includes(facts.state) ? (refuses?.(facts) ?? null) : otherwise(facts.state);
}

/** The same facts for whoever has the document claimed. */
export function factsOfClaim({ posting, attempt, writeBack, summary }: ClaimedPosting): ActFacts {
  return {
    kind: posting.kind,
    state: posting.state,
    held: isHeldByOperator(posting),
    leased: false,
    writeBackOpen: writeBack?.state === 'pending' || writeBack?.state === 'sent',
    mainPosted: posting.reference !== null,
    attemptUncertain: attempt !== null && isUncertain(attempt),
    inSummary: summary !== undefined && posting.reference === null,
  };
}
