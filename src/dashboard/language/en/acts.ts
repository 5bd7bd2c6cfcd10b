// What can be done with documents, one by one and many at once.
import type { Action } from '../../../operations/views/document.js';
import { count } from '../format.js';
import { plural } from './plural.js';

const ACTIONS: Readonly<Record<Action, { name: string; what: string; done: string }>> = {
  replay: {
    name: 'Replay',
    what: 'The document is tried again under the same key. If it is in the ERP already, the bridge finds it there and posts nothing twice. When it is posted, the source is told Posted.',
    done: 'Replay started.',
  },
  skip: {
    name: 'Skip',
    what: 'Nothing is booked in the ERP, and Skipped is written at the source with your reason. For a cost this is final at the source unless it is moved to New and approved again.',
    done: 'It is skipped.',
  },
  hold: {
    name: 'Hold',
    what: 'Nothing happens to the document until somebody releases it. Neither the ERP nor the source is told.',
    done: 'It is held.',
  },
  release: {
    name: 'Release',
    what: 'The hold ends, and the document goes on where it stood.',
    done: 'It is released.',
  },
  'mark-posted': {
    name: 'Mark as posted',
    what: 'For a document that was booked by hand. The bridge reads the entry that you name in the ERP and believes you only if its amounts agree. Then Posted is written at the source.',
    done: 'It is marked as posted.',
  },
  reverse: {
    name: 'Reverse',
    what: 'A second entry that undoes the first is posted in the ERP. The source keeps saying Posted: that cannot be taken back there.',
    done: 'The reversal is on its way.',
  },
  repost: {
    name: 'Post again',
    what: 'The document is booked anew in the ERP, as a new generation: its earlier entry was reversed.',
    done: 'It is on its way again.',
  },
  'move-to-new': {
    name: 'Move to New',
    what: 'The cost is moved to New at the source. Somebody has to approve it there again; then it comes back by itself.',
    done: 'It was moved to New at the source.',
  },
};

export const ACTS = {
  actions: ACTIONS,
  acts: {
    confirm: 'Do it',
    erpReference: 'Entry in the ERP',
    erpReferenceHelp: 'As the ERP shows it: its number or id.',
    surelyAbsent: 'I have looked in the ERP: it is surely not there.',
    reversalAbsent: 'I have looked in the ERP: the reversal is surely not there.',
    acceptDifferences:
      'I have compared them: it is this document, booked by hand on other accounts or at another rate.',
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
