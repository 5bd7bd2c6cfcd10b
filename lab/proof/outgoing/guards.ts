// The guards of the other direction that a seeded world must miss when they are taken away, each with what is broken then.
import type { OutgoingFlaws } from './outgoing-side.js';

export interface SeededGuard {
  /** What is taken away. */
  readonly guard: string;
  readonly without: OutgoingFlaws & Posted;
  /** A database is restored half-way. */
  readonly restored?: true;
  /** Numbers of the promises of which one must be broken. */
  readonly breaks: readonly string[];
}

/** Where the guard is about invoices of an ERP and the files beside them, there is little else. */
interface Posted {
  readonly posted?: number;
  readonly records?: number;
  /** Tasks whose hours people invoice at the service. */
  readonly invoiced?: number;
  /** Records that have the reference of another one. */
  readonly shared?: number;
}

const TWICE = ['21'];
const POSTED: Posted = { posted: 12, records: 2 };

export const SEEDED_GUARDS: readonly SeededGuard[] = [
  {
    guard: 'intent on record before a byte leaves',
    without: { store: { forgetIntent: true } },
    breaks: ['20'],
  },
  { guard: 'the search before a second send', without: { target: { searchesNothing: true } }, breaks: TWICE },
  { guard: 'the wait before the search', without: { timing: { callMs: 0, lagMs: 0 } }, breaks: TWICE },
  { guard: 'the lease and its fence', without: { store: { ignoreFence: true } }, breaks: ['20', ...TWICE] },
  { guard: 'the doubt in what a proxy says', without: { target: { trustsProxies: true } }, breaks: TWICE },
  {
    guard: 'the doubt in a list that is short',
    without: { target: { trustsShortLists: true } },
    breaks: TWICE,
  },
  { guard: 'a file is known by its hash', without: { origin: { namesFiles: true } }, breaks: TWICE },
  {
    guard: 'an hour is billed where it was first seen',
    without: { origin: { forgetsHours: true } },
    breaks: ['25'],
  },
  {
    guard: 'hours that people have invoiced at the service are not billed',
    without: { origin: { billsInvoiced: true }, invoiced: 6 },
    breaks: ['25'],
  },
  {
    guard: 'a person is asked where there are several',
    without: { target: { showsOne: true } },
    breaks: ['27'],
  },
  {
    guard: 'what is ours is known when the service lists it',
    without: { knowsNothingOfOurs: true },
    breaks: ['26'],
  },
  { guard: 'what both sides agreed upon', without: { store: { forgetsAgreed: true } }, breaks: ['28'] },
  {
    guard: 'an uploaded file is on record',
    without: { store: { forgetsUploads: true } },
    breaks: ['29'],
  },
  {
    guard: 'the doubt in an upload that nobody has answered',
    without: { target: { trustsUploads: true }, ...POSTED },
    breaks: ['29'],
  },
  {
    guard: 'other bytes of a file in an ERP are another version',
    without: { desk: { sameVersion: true }, ...POSTED },
    breaks: ['29'],
  },
  {
    guard: 'the files beside an invoice are read again before it leaves',
    without: { desk: { keepsList: true }, ...POSTED },
    breaks: ['29'],
  },
  {
    guard: 'an invoice of an ERP is looked at again before it leaves',
    without: { desk: { looksOnce: true }, ...POSTED },
    breaks: ['29', '30'],
  },
  {
    guard: 'somebody is told of a change that comes too late',
    without: { store: { hidesLate: true } },
    breaks: ['24'],
  },
  {
    guard: 'a reference belongs to the record that came first',
    without: { store: { replacesTwins: true }, shared: 8 },
    breaks: ['31'],
  },
  {
    guard: 'telling that the database was restored',
    without: { store: { hideRestore: true } },
    ...{ restored: true, breaks: TWICE },
  },
];
