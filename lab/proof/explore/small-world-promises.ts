// What is promised in a small world, and all that its future depends on.
import { brokenPromises } from '../invariants.js';
import type { MemoryRecords } from '../memory-records.js';
import type { SimulatedLedger } from '../simulated-ledger.js';
import type { SimulatedDocument, SimulatedService } from '../simulated-source.js';
import type { Actor } from './actor.js';
import type { Request } from './network.js';
import type { StillKernel } from './path.js';

interface Seen {
  readonly kernel: StillKernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly actors: readonly Actor[];
  readonly onItsWay: readonly Request[];
  readonly document: SimulatedDocument;
}

export function unsafeIn({ ledger, records, document }: Seen): string[] {
  const broken = [...records.violations, ...ledger.violations];
  for (const key of new Set(ledger.entries.map((entry) => entry.key)))
    if (ledger.live(key).length > 1)
      broken.push(`1: the document is in the books ${ledger.live(key).length} times`);
  if (document.accountingStatus === 'Posted' && ledger.entries.length === 0)
    broken.push('2: the source says Posted, and nothing is in the books');
  return broken;
}

export function unkeptIn({ kernel, records, service, ledger, actors }: Seen): string[] {
  if (!actors.some(({ alive }) => alive)) return [];
  return brokenPromises({ kernel, records, service, ledger, outages: [], digest: '' });
}

/** Longer ago than any wait of the protocol and the life of any key. */
const AGE_MS_MAX = 3_600_000;

export function stateOf({ records, ledger, kernel, actors, document, onItsWay }: Seen): unknown {
  const now = kernel.nowMs;
  const until = (moment: number | null) => (moment === null ? null : Math.max(0, moment - now));
  const age = (moment: number) => Math.min(now - moment, AGE_MS_MAX);
  const rows = [...records.rows.values()].map((row) => [
    { ...row.posting, stateAgeMs: 0, discoveredAgeMs: 0 },
    [until(row.dueAt), until(row.leaseUntil), row.sourceStatus, age(row.stateSince)],
    row.attempts.map(({ outcome, sends, key, startedAt, lastSentAt }) => [
      outcome,
      sends,
      key,
      age(startedAt),
      age(lastSentAt),
    ]),
    row.writeBacks.map(({ state, wanted, sends }) => [state, wanted, sends]),
  ]);
  const people = actors.map((actor) => actor.state(now, AGE_MS_MAX));
  const entries = ledger.entries.map(({ key, state }) => [key, state]);
  const breakers = [...records.breakers].map(([side, { state, failures, openUntil }]) => [
    side,
    state,
    failures,
    until(openUntil),
  ]);
  const requests = onItsWay.map(({ sender, arrivesBy }) => [sender?.name, until(arrivesBy)]);
  const { accountingStatus, version, deleted } = document;
  const restored = records.restoredAt === null ? null : age(records.restoredAt);
  const source = [accountingStatus, version, deleted];
  return [rows, people, entries, breakers, requests, source, restored];
}
