// The acts on documents, each declared once: from which states it is allowed, what it refuses there, who may do it, what it asks for, and
// its texts. The command, the API route, the dialog of the dashboard and the section of docs/reference/cli.md are made from this table;
// run-act.ts does what stands here. The page offers, the dry run shows and the act itself checks by the same rule.
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
import type { OperatorRole } from './access/reach.js';
import { day, type Fields, flag, type InputOf, text, whole } from './fields.js';

/** In the order in which a page offers them. */
export const ACTIONS = [
  'replay',
  'skip',
  'hold',
  'release',
  'mark-posted',
  'reverse',
  'repost',
  'move-to-new',
] as const;
export type Action = (typeof ACTIONS)[number];

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

/** What a page knows of a document when it asks for the fields of an act. */
interface Shown {
  readonly document: { readonly state: PostingState; readonly tries: number };
  readonly attempts: readonly { readonly part: string; readonly outcome: string | null }[];
}

/** English, for the command line and the OpenAPI document. The texts of the dashboard are in its tables, one for each language. */
interface ActTexts {
  readonly summary: string;
  /** After the number of documents: '2 documents will wait until released.' */
  readonly consequence: string;
  readonly question: string;
  readonly example: readonly [command: string, purpose: string];
  /** Below the examples of --help. */
  readonly afterwards?: string;
}

export interface ActDeclaration<Input extends Fields = Fields> {
  readonly from: readonly PostingState[];
  /** Said of any other state. */
  readonly otherwise: (state: PostingState) => Refusal;
  /** Also in one of these states. */
  readonly refuses?: (facts: ActFacts) => Refusal | null;
  readonly role: OperatorRole;
  readonly input: Input;
  readonly texts: ActTexts;
  /** Hard to take back: the dashboard does not make it the first button. */
  readonly dangerous?: boolean;
  /** How many documents one request takes. */
  readonly atOnce: number;
  /** The command line takes several and does one after the other, though a request takes one. */
  readonly oneByOne?: boolean;
  /** What it would do is read from the ERP: the command line shows it before it asks, and the API takes `dryRun`. */
  readonly looksFirst?: boolean;
  /** The command and the routes of its name take a selection, and read `input` from here. */
  readonly ofSelection?: boolean;
  /** Of which documents the dashboard asks for a field; one without an entry is asked for of all. */
  readonly asks?: { readonly [Key in keyof Input]?: (shown: Shown) => boolean };
  /** Nothing is left for a bridge to do afterwards. */
  isFinal?(input: InputOf<Input>): boolean;
}

type Defaults = 'atOnce' | 'role';

/** One document and the role of an operator, unless declared otherwise. */
function declare<Input extends Fields>(
  act: Omit<ActDeclaration<Input>, Defaults> & Partial<Pick<ActDeclaration, Defaults>>,
): ActDeclaration<Input> {
  return { atOnce: 1, role: 'operator', ...act };
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

export const ACTS = {
  replay: declare({
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
    ofSelection: true,
    input: {
      perSecond: whole(1, 1_000, { help: 'the pace (default: 20)', cli: '--per-second <number>' }),
      surelyAbsent: flag({
        help: 'you looked in the ERP: what may have been sent is not there',
        cli: '--surely-absent',
        page: true,
      }),
    },
    asks: { surelyAbsent: ({ document }) => document.state === 'parked' && document.tries > 0 },
    texts: {
      summary: 'try documents again, under the same key, so that none can be posted twice',
      consequence: 'will be replayed',
      question: 'Replay it?',
      example: ['ledgerbridge replay 2024-1187 --reason "customer corrected"', 'one document'],
    },
  }),
  skip: declare({
    from: [...BEFORE_THE_ERP, 'parked'],
    otherwise: notFromHere,
    refuses: (facts) => asAWhole(facts) ?? touched(facts),
    dangerous: true,
    atOnce: 200,
    input: { writeBack: flag({ help: 'do not tell the source', cli: '--local', given: false }) },
    texts: {
      summary: 'decide that documents are not booked; the source is told Skipped',
      consequence:
        'will not be booked, and the source is told Skipped, which a cost leaves only by move-to-new',
      question: 'Go ahead?',
      example: ['ledgerbridge skip 2024-1187 --reason "booked by hand last year"', 'one document'],
    },
  }),
  hold: declare({
    from: BEFORE_THE_ERP,
    otherwise: notFromHere,
    refuses: (facts) => (facts.held ? no(message('HELD_ALREADY'), 'release') : touched(facts)),
    atOnce: 1_000,
    input: {},
    texts: {
      summary: 'keep documents from being posted until they are released',
      consequence: 'will wait until released',
      question: 'Go ahead?',
      example: ['ledgerbridge hold 2024-1187 --reason "the customer disputes it"', 'one document'],
    },
  }),
  release: declare({
    from: ['held'],
    otherwise: () => no(message('NOT_HELD')),
    refuses: ({ held }) => (held ? null : no(message('NOT_HELD'))),
    atOnce: 1_000,
    input: {},
    texts: {
      summary: 'let held documents go on',
      consequence: 'will go on',
      question: 'Go ahead?',
      example: ['ledgerbridge release 2024-1187 --reason "the customer agreed"', 'one document'],
    },
  }),
  'mark-posted': declare({
    from: [...BEFORE_THE_ERP, 'parked', ...DECIDED_AGAINST],
    otherwise: (state) =>
      state === 'posting' ? no(message('FINDING_OUT'), 'replay') : no(message('IN_BOOKS_ALREADY')),
    refuses: ({ kind, mainPosted }) => {
      if (mainPosted) return no(message('IN_BOOKS_ALREADY'), 'reverse');
      return isSourceKind(kind) ? null : no(message('FOLLOWING_BY_HAND'), 'skip');
    },
    dangerous: true,
    looksFirst: true,
    input: {
      entry: text(200, {
        help: 'number or id of the entry, as the ERP shows it',
        cli: '<entry>',
        page: true,
        required: true,
      }),
      acceptDifferences: flag({
        help: 'it was booked by hand on other accounts, and the total agrees; or in krónur that cannot be compared with a foreign total',
        cli: '--accept-differences',
        page: true,
      }),
    },
    texts: {
      summary:
        'say which entry of the ERP a document is; the entry is read and compared before it is believed',
      consequence: 'will be marked as posted',
      question: 'Mark it?',
      example: [
        'ledgerbridge mark-posted 2024-1187 J-000231 -r "booked by hand"',
        'then the source is told Posted',
      ],
    },
  }),
  reverse: declare({
    from: ['posted', 'acknowledged', 'parked', 'orphaned'],
    otherwise: (state) => no(message('NO_ENTRY', { state })),
    refuses: (facts) =>
      asAWhole(facts) ?? (facts.mainPosted ? null : no(message('NO_ENTRY', { state: facts.state }))),
    dangerous: true,
    looksFirst: true,
    input: {
      date: day({ help: 'day of the reversing entry (default: the day of the entry)', cli: '--date <day>' }),
      repost: flag({ help: 'then post the document again as it is now', cli: '--repost' }),
      surelyAbsent: flag({
        help: 'you looked in the ERP: a settlement or reversal that may have been sent is not there',
        cli: '--surely-absent',
        page: true,
      }),
    },
    asks: {
      surelyAbsent: ({ attempts }) =>
        attempts.some((one) => ['settlement', 'reversal'].includes(one.part) && isUncertain(one)),
    },
    isFinal: ({ repost }) => repost !== true,
    texts: {
      summary: 'undo the entry of a document by another one, under a key of its own',
      consequence: 'will be reversed',
      question: 'Reverse it?',
      example: [
        'ledgerbridge reverse 2024-1187 --repost -r "edited after posting"',
        'the books follow the edit',
      ],
    },
  }),
  repost: declare({
    from: ['reversed'],
    otherwise: () => no(message('NOT_REVERSED')),
    input: {},
    texts: {
      summary: 'post a document again whose entry was reversed',
      consequence: 'is read, mapped and posted again under its next key',
      question: 'Post it again?',
      example: ['ledgerbridge repost 2024-1187 -r "it belongs in the books"', 'under its next key'],
    },
  }),
  'move-to-new': declare({
    from: DECIDED_AGAINST,
    otherwise: () => no(message('NOT_A_DECIDED_COST')),
    refuses: ({ kind, writeBackOpen }) => {
      if (kind !== 'cost') return no(message('NOT_A_DECIDED_COST'));
      return writeBackOpen ? no(message('STATUS_BEING_WRITTEN')) : null;
    },
    oneByOne: true,
    input: {},
    texts: {
      summary: 'move costs that stand in Error or Skipped back to New at the source, to be approved again',
      consequence: 'will be moved to New at the source',
      question: 'Go ahead?',
      example: ['ledgerbridge move-to-new 2024-77 -r "VAT corrected"', 'one cost'],
      afterwards:
        'Approve them in the invoicing service afterwards: the next sweep brings them back by itself.',
    },
  }),
} as const satisfies Readonly<Record<Action, ActDeclaration>>;

/** What is given for one act. */
export type ActInput<Name extends Action> = InputOf<(typeof ACTS)[Name]['input']>;

/** For whoever goes through all of them. */
export function actNamed(name: Action): ActDeclaration {
  return ACTS[name];
}

/** null: it may be done. */
export function refusalOf(action: Action, facts: ActFacts): Refusal | null {
  if (facts.leased) return no(message('WORKED_ON'));
  if (facts.inSummary) return no(message('GOES_WITH_ITS_DAY'));
  const { from, otherwise, refuses } = actNamed(action);
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
