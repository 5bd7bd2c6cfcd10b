// Lists of documents, problems and what is missing.
import type { Suggestion } from '../../../operations/suggestion-records.js';
import type { PostingState } from '../../../domain/posting.js';
import { plural } from './plural.js';
import type { Action, ACTS as DECLARED } from '../../../operations/acts.js';
import type { DOCUMENTS } from '../../../operations/document-list.js';
import type { PageKeys } from '../../../operations/fields.js';
import { count } from '../format.js';

const STATES: Readonly<Record<PostingState, string>> = {
  discovered: 'Found',
  mapped: 'Journal made',
  posting: 'Being posted',
  posted: 'In the books',
  writing_back: 'Telling the source',
  acknowledged: 'Posted',
  deferred: 'Waiting',
  held: 'Held',
  parked: 'Needs you',
  skipped: 'Skipped',
  rejected: 'Refused',
  orphaned: 'Deleted at source',
  reversed: 'Reversed',
};

export const LISTS = {
  states: STATES,
  unknownOutcome: 'Outcome unknown',
  needsMending: 'Needs mending',
  kinds: { invoice: 'Invoice', cost: 'Cost', payment: 'Payment', release: 'Release', summary: 'Summary' },
  problems: {
    title: 'Problems by cause',
    emptyTitle: 'No problems',
    empty:
      'When documents cannot be booked, they appear here: one row for each cause, however many documents it holds up.',
    needsPerson: 'Needs you',
    curesItself: 'Tried again by itself',
    records: (n: number) => plural(n, 'record', 'records'),
    documents: (n: number) => plural(n, 'document', 'documents'),
    incidents: (n: number) => plural(n, 'open incident', 'open incidents'),
    since: 'for',
    previewReplay: 'Preview replay',
    show: 'Show the documents',
    whatToDo: 'What to do',
  },
  documents: {
    filters: {
      kind: 'Kind',
      issuedFrom: 'From',
      issuedTo: 'To',
      amountMin: 'Amount from',
      amountMax: 'Amount to',
      currency: 'Currency',
    } satisfies Record<PageKeys<typeof DOCUMENTS.filters>, string>,
    columns: {
      name: 'Number',
      with: 'Customer or supplier',
      tenant: 'Tenant',
      amount: 'Amount',
      issueDate: 'Issued',
      discoveredAt: 'Found',
      state: 'State',
      why: 'Why',
    } satisfies Record<(typeof DOCUMENTS.page)[number], string>,
    keepView: 'Save this view',
    viewName: 'Name of the view',
    dropView: 'Forget the view',
    csv: 'As CSV',
    chosenWhat: (n: number) => (n === 1 ? 'One document was chosen.' : `${n} documents were chosen.`),
    chosenDone: (n: number) => (n === 1 ? 'Done with one document.' : `Done with ${n} documents.`),
    chosenRefused: 'Left alone:',
    back: 'Back to the list',
    title: 'Documents',
    emptyTitle: 'No document fits',
    empty:
      'Documents appear here as soon as a sweep finds them at the source. Take away a filter, or look at when the next sweep is.',
    tooMany: 'Too many documents fit to put them in order. Write more of the name or number.',
    group: 'Show',
    groups: {
      all: 'All',
      'needs-you': 'Needs you',
      waiting: 'Waiting',
      working: 'On the way',
      posted: 'In the books',
      skipped: 'Skipped',
      refused: 'Refused',
    } as Readonly<Record<string, string>>,
    select: 'Choose',
    selectAll: 'Choose all on this page',
    chosen: 'chosen',
    replayChosen: 'Preview replay',
    replayAll: 'Preview replay of all that fit',
    causeFilter: 'Cause',
  },
  inbox: {
    title: 'Mapping inbox',
    emptyTitle: 'Nothing is missing',
    empty:
      'When a rule, an account or a dimension is missing, it appears here once, with the lines to add to the tenant file.',
    intro: 'Mend the file and save it: all documents that wait for it move by themselves.',
    waiting: (n: number) => plural(n, 'document waits', 'documents wait'),
    addTo: 'Add to',
    inErp: 'Or create it in the ERP.',
    from: 'for',
    introEditable:
      'Write what is missing, look at the change of the file and save it: all documents that wait for it move by themselves.',
    fills: { account: 'Account', value: 'Value in the ERP', rate: 'Krónur for one' },
    suggested: ({ times, by, of, lastDocument, lastDate }: Suggestion) =>
      `${plural(times, 'document', 'documents')} ${by === 'supplier' ? `of ${of}` : by === 'customer' ? `to ${of}` : by === 'item' ? `with item ${of}` : `with the text “${of}”`} ${times === 1 ? 'was' : 'were'} booked so; the last one is ${lastDocument} of ${lastDate}.`,
    byHand: 'By hand',
    preview: 'Look at the change',
    previewTitle: (title: string) => `Change of the file of ${title}`,
    difference: 'What changes in the file',
    line: (line: number) => `Line ${line}`,
    invalid: 'The file would not be valid, so it cannot be saved:',
    saveWhat:
      'The file is written, the bridge takes it up by itself, and the documents that wait for it are posted.',
    save: 'Save the file',
    saved: 'Saved. The documents that waited for it go on by themselves.',
  },
};

// What can be done with documents, one by one and many at once.

export interface FieldLabel {
  readonly label: string;
  readonly help?: string;
}

/** A text for every act, and a label for every field of it that the dashboard offers. */
type ActTexts = {
  readonly [Name in Action]: {
    readonly name: string;
    readonly what: string;
    readonly fields: Readonly<Record<PageKeys<(typeof DECLARED)[Name]['input']>, FieldLabel>>;
  };
};

const ACTIONS: ActTexts = {
  replay: {
    name: 'Replay',
    what: 'The document is tried again under the same key. If it is in the ERP already, the bridge finds it there and posts nothing twice. When it is posted, the source is told Posted.',
    fields: { surelyAbsent: { label: 'I have looked in the ERP: it is surely not there.' } },
  },
  skip: {
    name: 'Skip',
    what: 'Nothing is booked in the ERP, and Skipped is written at the source with your reason. For a cost this is final at the source unless it is moved to New and approved again.',
    fields: {},
  },
  hold: {
    name: 'Hold',
    what: 'Nothing happens to the document until somebody releases it. Neither the ERP nor the source is told.',
    fields: {},
  },
  release: {
    name: 'Release',
    what: 'The hold ends, and the document goes on where it stood.',
    fields: {},
  },
  'mark-posted': {
    name: 'Mark as posted',
    what: 'For a document that was booked by hand. The bridge reads the entry that you name in the ERP and believes you only if its amounts agree. Then Posted is written at the source.',
    fields: {
      entry: { label: 'Entry in the ERP', help: 'As the ERP shows it: its number or id.' },
      acceptDifferences: {
        label:
          'I have compared them: it is this document, booked by hand on other accounts or at another rate.',
      },
    },
  },
  reverse: {
    name: 'Reverse',
    what: 'A second entry that undoes the first is posted in the ERP. The source keeps saying Posted: that cannot be taken back there.',
    fields: {
      surelyAbsent: {
        label:
          'I have looked in the ERP: the settlement or reversal that may have been sent is surely not there.',
      },
    },
  },
  repost: {
    name: 'Post again',
    what: 'The document is booked anew in the ERP, as a new generation: its earlier entry was reversed.',
    fields: {},
  },
  'move-to-new': {
    name: 'Move to New',
    what: 'The cost is moved to New at the source. Somebody has to approve it there again; then it comes back by itself.',
    fields: {},
  },
};

export const ACTS = {
  actions: ACTIONS,
  acts: {
    notNow: 'Nothing can be done with it at this moment.',
  },
  replay: {
    title: 'Replay',
    preview: (eligible: number, total: number) =>
      `${count(eligible)} of ${plural(total, 'document', 'documents')} can be replayed`,
    what: 'Each is tried again under its own key, a few at a time. What is in the ERP already is found there; nothing is posted twice.',
    tooMany: (n: number) => `One replay takes ${count(n)} documents. The others need another one.`,
    ineligible: 'Left out',
    sample: 'Some of them',
    start: (n: number) => `Replay ${plural(n, 'document', 'documents')}`,
    nothing: 'None of them can be replayed.',
    progress: 'Progress',
    running: 'Under way. You can leave this page: it goes on, and you find it again here:',
    done: 'Done.',
    moved: 'sent on',
    refused: 'refused',
    rested: 'resting again',
    restsAgain: (n: number) =>
      n === 1
        ? 'One of them will rest again: its cause still holds.'
        : `${count(n)} of them will rest again: their cause still holds.`,
    by: 'by',
    recent: 'Replays',
    noneYet: 'Nothing was replayed yet',
    perSecond: 'Documents a second',
    inBooks: 'in the books by now',
  },
};

// One document and its originals.
export const DOCUMENT = {
  originals: {
    title: 'Originals',
    show: 'Show the original here',
  },
  document: {
    rate: 'rate',
    apart: (source: string, booked: string, apart: string) =>
      `At the source ${source}, in the journal ${booked}: ${apart} apart.`,
    timeline: 'What happened',
    steps: {
      found: 'Found',
      mapped: 'Journal made',
      sent: 'Sent to the ERP',
      posted: 'In the ledger',
      'written-back': 'Written back',
    },
    journal: 'Journal',
    summary: 'Journal of its day',
    members: 'Documents in it',
    settlement: 'Payment',
    noJournal: 'No journal could be made yet.',
    account: 'Account',
    text: 'Text',
    debit: 'Debit',
    credit: 'Credit',
    total: 'Total',
    rule: 'Rule',
    trace: 'Why these accounts',
    source: 'At the source',
    sourceNow: 'Ask the source now',
    sourceSame: 'The source shows the same now.',
    sourceChanged: 'Changed at the source since it was read',
    before: 'When read',
    now: 'Now',
    field: 'Field',
    value: 'Value',
    record: 'The record as it was read',
    attempts: 'Attempts',
    noAttempts: 'Nothing was sent to the ERP yet.',
    outcome: 'Outcome',
    underWay: 'under way, or unknown',
    request: 'What was sent',
    answer: 'Answer',
    sends: 'Sent',
    writeBacks: 'Write-backs',
    noWriteBacks: 'Nothing was written at the source yet.',
    audit: 'Audit',
    warnings: 'Note',
    key: 'Key',
    reference: 'Entry in the ERP',
    due: 'Looked at again',
    generation: 'Generation',
    rulesVersion: 'Rules',
    incidents: 'Incidents',
    copyLink: 'Copy link',
    parts: { main: 'Entry', settlement: 'Payment', reversal: 'Reversal' } as Readonly<Record<string, string>>,
    outcomes: {
      posted: 'posted',
      pending: 'taken, booked later',
      draft: 'a draft was left',
      rejected: 'refused',
      transient: 'could not be reached',
      unknown: 'unknown',
      auth: 'credentials refused',
      'never-sent': 'never sent',
    } as Readonly<Record<string, string>>,
    writeBackStates: {
      pending: 'waits',
      sent: 'sent',
      acknowledged: 'confirmed',
      abandoned: 'given up',
    } as Readonly<Record<string, string>>,
  },
};

// The first page.

export const OVERVIEW = {
  overview: {
    title: 'Overview',
    needsYou: (causes: number, documents: number) =>
      `Needs you: ${plural(causes, 'cause', 'causes')}, ${plural(documents, 'document', 'documents')}`,
    nothingNeeded: 'Nothing needs you.',
    nothingNeededMore:
      'Every document that was handed over is in the books, or waits for a reason that time cures.',
    needsYouCard: 'Needs you',
    toProblems: 'Look at the problems',
    waiting: 'Waiting',
    postedToday: 'Posted today',
    oldest: 'Oldest waiting',
    inBooks: 'In the books',
    incidents: 'Open incidents',
    throughput: 'Documents by outcome',
    lag: 'From found to posted',
    lagUnit: 'the slowest',
    noThroughput: 'Nothing came to an end in this time.',
    span: 'Time shown',
    spans: { hour: 'Last hour', day: '24 hours' },
    tenant: 'Tenant',
    state: 'State',
    lastSweep: 'Last sweep',
    sweepsFail: 'fails for',
    moreConditions: (more: number) => `${more} more`,
    failed: 'Need you',
    posted: 'Posted',
    next: 'Next sweep',
    paused: 'paused',
    noTenants: 'No tenant yet',
    noTenantsMore:
      'A tenant is one company: where its documents come from and which books they go to. Write its file with this command; the bridge takes it up by itself.',
    series: { posted: 'Posted', skipped: 'Skipped', rejected: 'Refused', parked: 'Needs you' },
    table: 'As a table',
    hour: 'From',
    never: 'never',
    unconfirmed: 'Look at the plan',
  },
  health: {
    ok: 'Fine',
    working: 'Working',
    waiting: 'Waiting',
    'needs-you': 'Needs you',
    down: 'Down',
    paused: 'Paused',
    unconfirmed: 'Plan not confirmed',
  },
};

// The other direction.

export const OUTGOING = {
  outgoing: {
    title: 'Into the service',
    intro: 'Customers and invoices that come from elsewhere and go into the invoicing service, each once.',
    offTitle: 'No company sends anything into the service',
    off: 'A company does when its file has the section outgoing.',
    emptyTitle: 'Nothing here',
    empty: 'Nothing is in this state.',
    all: 'All',
    show: 'Show',
    confirmed: (by: string) => `Plan confirmed by ${by}`,
    unconfirmed: 'Plan not confirmed: nothing is sent',
    paused: (by: string, why: string) => `Paused by ${by}: ${why}`,
    figures: { waiting: 'Waiting:', underWay: 'On its way:', needsYou: 'Needs you:' },
    sent: (n: number, most: number) => `${n} of ${most} sent in 24 hours`,
    unreadable: (n: number) => `${plural(n, 'record', 'records')} cannot be read`,
    plan: 'Look at the plan',
    planTitle: 'What would be sent',
    planIntro: 'Every record that waits, held against the rules of the service. Nothing is sent by looking.',
    planEmpty: 'Nothing waits to be sent.',
    more: 'There are more than are shown.',
    notSent: 'Not sent',
    wouldGo: 'Goes',
    place: 'Where',
    mark: 'Mark',
    atService: 'At the service',
    paymentLink: 'Payment link',
    conflicts: 'Changed on both sides',
    conflictsIntro:
      'Somebody changed these in the service, and they changed at the origin too. The service keeps what it has until you say which one holds; everything else goes on.',
    conflictSeen: 'Seen',
    field: 'Field',
    agreedBefore: 'Both had before',
    atOrigin: (origin: string) => `At the origin (${origin})`,
    noValue: 'nothing',
    holds: 'Holds',
    givenUp: 'Is given up',
    inConflict: (fields: string) => `Changed on both sides: ${fields}`,
    inConflictCount: (n: number) => `${plural(n, 'record', 'records')} changed on both sides`,
    customerGuid: 'The guid of the one that is meant',
    take: { origin: 'Take the origin’s', service: 'Keep the service’s' },
    lookUp: 'Searched for',
    requests: 'Requests',
    request: (n: number) => `Request ${n}`,
    outcomes: {
      accepted: 'taken by the service',
      rejected: 'refused',
      'not-sent': 'not sent',
      unknown: 'outcome not known',
    },
    content: 'As the origin has it',
    files: 'Files',
    generated: 'Invoices that it made',
    problems: 'Cannot be read',
    kinds: {
      invoice: 'Invoice',
      draft: 'Draft',
      order: 'Order',
      quote: 'Quote',
      customer: 'Customer',
      item: 'Item',
      cost: 'Cost',
      task: 'Task',
      hours: 'Hours',
      subscription: 'Subscription',
    },
    states: {
      received: 'waits to be sent',
      held: 'waits for something else',
      sending: 'on its way',
      unknown: 'in doubt; it is being found out',
      created: 'created, origin not told yet',
      acknowledged: 'created',
      refused: 'refused',
      parked: 'waits for a person',
      skipped: 'not sent',
      withdrawing: 'is being taken back',
      withdrawn: 'taken back',
    },
    acts: {
      confirm: {
        name: 'Confirm the plan',
        what: 'From now on what waits is sent into the invoicing service, and goes to customers.',
      },
      pause: { name: 'Pause', what: 'Nothing more is sent. What is under way is finished when it goes on.' },
      resume: { name: 'Resume', what: 'It goes on where it was.' },
      replay: {
        name: 'Replay',
        what: 'It is taken up again. What may have been sent is searched for before anything is sent.',
      },
      skip: { name: 'Do not send', what: 'It is not sent, and its origin is told so.' },
      use: {
        name: 'Say which one',
        what: 'Several at the service have this kennitala or item number. This one is meant from now on.',
      },
      settle: {
        name: 'Say which one holds',
        what: 'What you say holds for the values shown here; if one of them changes meanwhile, you are asked again.',
      },
      withdraw: {
        name: 'Take back',
        what: 'It is deleted in the invoicing service for good, where its rules allow that. A posted cost stays.',
      },
    },
    surelyAbsent: 'I have looked: the invoicing service surely has nothing of it',
  },
};
