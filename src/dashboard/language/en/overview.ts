// The first page.
import { plural } from './plural.js';

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
