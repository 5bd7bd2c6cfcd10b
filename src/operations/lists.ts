// The filters of the lists of audit entries and of submissions, declared once for the command line, the API and the pages.
import { SUBMISSION_KINDS, SUBMISSION_STATES } from '../domain/submission.js';
import { choice, flag, text, whole } from './fields.js';
import { PAGE_MAX } from './page-size.js';

const tenant = text(40, { help: 'only this tenant', cli: '-t, --tenant <name>' });

export const AUDIT = {
  tenant,
  subject: text(100, { help: 'only what was done to this', cli: '--subject <id>', page: true }),
  actor: text(100, {
    help: 'only what this person, or part of the bridge, did',
    cli: '--actor <person>',
    page: true,
  }),
  limit: whole(1, PAGE_MAX, { help: 'rows', cli: '-n, --limit <number>' }),
  after: text(20, { help: 'the next page, as the page before says', cli: '--after <place>' }),
};

export const SUBMISSIONS = {
  tenant,
  state: choice(SUBMISSION_STATES, {
    help: SUBMISSION_STATES.join(', '),
    cli: '--state <state>',
    page: true,
  }),
  kind: choice(SUBMISSION_KINDS, { help: SUBMISSION_KINDS.join(', '), cli: '--kind <kind>' }),
  inConflict: flag({ help: 'only those with fields that both sides have changed', cli: '--in-conflict' }),
  limit: whole(1, 1_000, { help: 'rows', cli: '-n, --limit <number>' }),
};
