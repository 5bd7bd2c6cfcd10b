// What is watched over: incidents, queues, the audit.
import { count } from '../format.js';

export const WATCH = {
  incidents: {
    title: 'Incidents',
    emptyTitle: 'No open incident',
    empty:
      'What a person should know appears here: differences, outages, refused credentials. One row each, repeats are counted.',
    acknowledge: 'I have seen it',
    resolve: 'Settled',
    times: (n: number) => `${count(n)} times`,
    documents: (n: number) => `${count(n)} documents`,
    show: 'Show',
    open: 'Open',
    resolved: 'Settled ones',
    nextStep: 'What to do',
    resolvedBy: 'settled by',
    states: { open: 'open', acknowledged: 'seen', resolved: 'settled' },
    severities: { info: 'Note', warning: 'Warning', critical: 'Critical' },
  },
  queues: {
    title: 'Queues',
    intro: 'Queues only wake: the records decide. Losing one loses nothing.',
    backend: 'They live in',
    away: (store: string) =>
      `${store} does not answer. Nothing is lost: the records know what is to be done, and work goes on when it is back.`,
    backends: { redis: 'Redis', postgres: 'PostgreSQL' } as Readonly<Record<string, string>>,
    board: 'Queue board',
    open: 'Open on its own',
    waiting: 'Waiting',
    active: 'Active',
    failed: 'Failed',
    completed: 'Done lately',
    name: 'Queue',
  },
  audit: {
    title: 'Audit',
    emptyTitle: 'Nothing on record',
    empty: 'Every move of a document and every act of a person appears here.',
    who: 'Who',
    what: 'What',
    subject: 'About',
    when: 'When',
    verify: 'Verify the chain',
    whole: (entries: string) => `Whole: ${entries} entries, none changed or missing.`,
    broken: 'Broken',
  },
};
