// The guards of the other direction, each with the small world in which it is missed when it is taken away.
import type { OutgoingWorldOptions } from './outgoing-world.js';

export interface OutgoingGuard {
  /** What is taken away. */
  readonly guard: string;
  readonly without: OutgoingWorldOptions;
}

export const OUTGOING_GUARDS: readonly OutgoingGuard[] = [
  { guard: 'the lease and its fence', without: { kind: 'invoice', store: { ignoreFence: true } } },
  { guard: 'the fence of a commit alone', without: { kind: 'draft', store: { ignoreOldFence: true } } },
  {
    guard: 'intent on record before a byte leaves',
    without: { kind: 'draft', store: { forgetIntent: true } },
  },
  {
    guard: 'the search before a second send',
    without: { kind: 'invoice', target: { searchesNothing: true } },
  },
  {
    guard: 'the search before a first send',
    without: { kind: 'invoice', forgotten: 'unsaid', target: { looksOnlyInDoubt: true } },
  },
  { guard: 'the wait before the search', without: { kind: 'invoice', timing: { callMs: 1_000, lagMs: 0 } } },
  { guard: 'the wait for lists that are behind', without: { kind: 'invoice', timing: { lagMs: -60_000 } } },
  { guard: 'the moment until which a request may leave', without: { kind: 'invoice', clocksStop: true } },
  {
    guard: 'the doubt in what a proxy says (invoice)',
    without: { kind: 'invoice', target: { trustsProxies: true } },
  },
  {
    guard: 'the doubt in what a proxy says (draft)',
    without: { kind: 'draft', target: { trustsProxies: true } },
  },
  {
    guard: 'the doubt in what a proxy says (subscription)',
    without: { kind: 'subscription', target: { trustsProxies: true } },
  },
  {
    guard: 'the doubt in what a proxy says (customer)',
    without: { kind: 'customer', target: { trustsProxies: true } },
  },
  {
    guard: 'the search before a second send (cost)',
    without: { kind: 'cost', costAi: false, target: { searchesNothing: true } },
  },
  {
    guard: 'the search before a second send (hours)',
    without: { kind: 'hours', target: { searchesNothing: true } },
  },
  {
    guard: 'the doubt in lists that show nothing of what AI has not read',
    without: { kind: 'cost', costAi: false, target: { queuesCosts: true } },
  },
  {
    guard: 'the doubt in a list that is short',
    without: { kind: 'invoice', target: { trustsShortLists: true } },
  },
  {
    guard: 'the search after a restore',
    without: { kind: 'draft', forgotten: 'effect', store: { hideRestore: true } },
  },
  {
    guard: 'the wait after a restore',
    without: { kind: 'invoice', forgotten: 'request', store: { restoredLongAgo: true } },
  },
];
