// What releases promise: none stands without the entry of its document, and what has come due is released once.
import { type Decimal, sum } from '../../src/domain/decimal.js';
import { releaseDays } from '../../src/pipeline/mapping/map-document.js';
import { bookedDocument, releasesOf } from './memory-release-store.js';
import type { PostingRow } from './memory-records.js';
import { mainsOf, restsSinceBackup } from './promises-of-books.js';
import type { Run } from './run.js';
import type { Stored } from './simulated-ledger.js';

export function promisesOfReleases(run: Run): string[] {
  if (!run.records.spreads) return [];
  return [...run.records.rows.values()].flatMap((row) =>
    row.posting.kind === 'invoice' && !restsSinceBackup(run.records, row) ? ofDocument(run, row) : [],
  );
}

function ofDocument({ records, ledger }: Run, row: PostingRow): string[] {
  const { documentNumber: number, guid, state } = row.posting;
  const releases = releasesOf(records, guid);
  const live = releases.flatMap(({ keys }) => keys.flatMap((key) => ledger.live(key)));
  const [main] = mainsOf(ledger, row);
  if (live.length > 0 && !main) return [`3: a release of ${number} without its entry`];
  const known = bookedDocument(records, 'invoice', guid);
  // What a person decided of a release, or has to decide, they answer for.
  const isFollowed = state === 'acknowledged' && known?.isBusy === false;
  const isTheirs = releases.some(
    (release) =>
      restsSinceBackup(records, release) || !['acknowledged', 'skipped'].includes(release.posting.state),
  );
  const wasSkipped = releases.some(({ posting }) => posting.reason?.code === 'SKIPPED_BY_OPERATOR');
  if (!main || !isFollowed || isTheirs || wasSkipped) return [];
  const waiting = sum([main, ...live].map((entry) => waitingIn(entry)));
  return waiting.isZero() || releaseDays(main.journal).length === 0
    ? []
    : [`16: ${waiting.toFixed()} of ${number} was not released`];
}

function waitingIn({ journal }: Stored): Decimal {
  const own = journal.lines.filter(({ account }) => account === WAITING);
  return sum(own.map(({ debit, credit }) => debit.minus(credit)));
}

const WAITING = '2600';
