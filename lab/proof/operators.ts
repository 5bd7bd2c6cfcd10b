// The operators of the bridge: they hold, release, skip, replay, reverse and repost at any moment, each act in a process of its own
// that may die or be stopped half-way; and the bookkeepers of the ERP, who post what was left as a draft.
import { runAct } from '../../src/operations/run-act.js';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import type { OperationsDeps } from '../../src/operations/deps.js';
import { startReplay, workOffRuns } from '../../src/operations/replay.js';
import { QUIET_PERIOD_MS } from '../../src/operations/replay-verdict.js';
import { isHeldByOperator, isUncertain } from '../../src/domain/posting.js';
import { mortal, type SimulatedDocument } from './life.js';
import { latestAttempt, type PostingRow } from './memory-records.js';
import { operationsDeps } from './operations-deps.js';
import { MINUTE_MS, type World } from './world.js';
import { Decimal, sum } from '../../src/domain/money.js';
import type { Journal, JournalLine } from '../../src/domain/journal.js';
import { isSourceKind } from '../../src/domain/source-document.js';
import type { Stored } from './simulated-ledger.js';
import { versionMark } from './source-snapshot.js';

// Documents that a bookkeeper books by hand, in the ERP itself, and an operator marks as posted. Whoever books by hand has looked in the
// books, and long after anything was sent; an entry that could not be marked is taken back.

const MARKING_ACT = { actor: 'Jón', reason: 'booked by hand' };
const STATES = ['discovered', 'mapped', 'deferred', 'held', 'parked', 'skipped', 'rejected'];

function mayBeMarked({ posting }: PostingRow): boolean {
  return isSourceKind(posting.kind) && posting.reference === null && STATES.includes(posting.state);
}

/** Its own entry, where the bridge could not find out; or one that is booked by hand now. */
async function mark(world: World, deps: OperationsDeps, row: PostingRow): Promise<void> {
  const { ledger, service, kernel } = world;
  const document = service.documents.get(row.posting.guid);
  const own = ledger.live(row.posting.key).find(({ state }) => state === 'posted');
  if (!document || document.isMade || (own === undefined && mayBeOnItsWay(world, row))) return;
  const isWrong = kernel.chance('the wrong entry is marked', 0.3);
  const other = isWrong ? heldByOthers(world, row).find((one) => isLike(one, document)) : undefined;
  // Whoever marks it ends its hold, whether or not they live to hear of it.
  ledger.held.delete(row.posting.id);
  const entry = other ?? own ?? ledger.bookByHand(row.posting.guid, journalOf(document));
  try {
    await runAct(
      deps,
      'mark-posted',
      [row.posting.id],
      { entry: entry.id, acceptDifferences: true },
      MARKING_ACT,
    );
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (entry.byHand !== undefined) takeBackUnless(world, entry);
  }
}

function heldByOthers({ records, ledger }: World, row: PostingRow): Stored[] {
  const held = [...records.rows.values()].flatMap((one) =>
    one === row ? [] : (one.posting.reference?.id ?? []),
  );
  return ledger.entries.filter(({ id }) => held.includes(id));
}

/** Of the same amount, as the rent of another month is. */
function isLike({ journal, reverses, key }: Stored, { amount }: SimulatedDocument): boolean {
  const total = sum(journal.lines.map((line) => line.debit));
  return reverses === null && !key.startsWith('S') && total.equals(Math.abs(amount));
}

function mayBeOnItsWay({ kernel, ledger, records }: World, row: PostingRow): boolean {
  const attempt = latestAttempt(row);
  if (attempt === undefined || !isUncertain(attempt)) return false;
  const since = kernel.nowMs - Math.max(attempt.lastSentAt, records.restoredAt ?? 0);
  return since <= QUIET_PERIOD_MS || ledger.under(attempt.key).length > 0;
}

/** Who booked by hand and never heard whether it was marked looks at the document before anything else. */
function takeBackUnmarked(world: World): void {
  const byHand = world.ledger.entries.filter(
    ({ reverses, byHand: of }) => of !== undefined && reverses === null,
  );
  for (const entry of byHand) takeBackUnless(world, entry);
}

/** Unless a document stands for it after all: then it is the bridge's. */
function takeBackUnless({ records, ledger }: World, entry: Stored): void {
  const isMarked = [...records.rows.values()].some(({ posting }) => posting.reference?.id === entry.id);
  if (!isMarked && ledger.reversalsOf(entry).length === 0) ledger.takeBack(entry);
}

function journalOf({ guid, number, amount, issueDate, version, kind, credits }: SimulatedDocument): Journal {
  const isCredit = credits !== undefined;
  const total = new Decimal(Math.abs(amount));
  const none = new Decimal(0);
  const line = (account: string, role: JournalLine['role'], isDebit: boolean): JournalLine => ({
    ...{ account, role, text: '' },
    ...(isDebit ? { debit: total, credit: none } : { debit: none, credit: total }),
  });
  const lines =
    kind === 'invoice'
      ? [line('1500', 'receivable', !isCredit), line('3000', 'revenue', isCredit)]
      : [line('4000', 'expense', true), line('2000', 'payable', false)];
  return {
    ...{ documentNo: number, externalReference: guid, postingDate: issueDate, documentDate: issueDate },
    ...{ description: versionMark(version), currency: 'ISK', exchangeRate: new Decimal(1), lines },
  };
}

const ACT = { actor: 'Guðrún', reason: 'as it seems best' };
/** A laptop is closed in the middle of an act, and opened again after lunch. */
const CARELESS = { dies: 0.006, stops: 0.01, stoppedMsMax: 25 * MINUTE_MS };

interface Way {
  fits(row: PostingRow): boolean;
  act(world: World, deps: OperationsDeps, row: PostingRow): Promise<unknown>;
}

const isOneOf =
  (...states: string[]) =>
  ({ posting }: PostingRow) =>
    states.includes(posting.state);

const hold: Way = {
  fits: (row) => isOneOf('discovered', 'mapped', 'deferred', 'held')(row) && !isHeldByOperator(row.posting),
  act: async ({ ledger }, deps, { posting }) => {
    await runAct(deps, 'hold', [posting.id], {}, ACT);
    // An operator who hears of it late may hear of what another has ended meanwhile.
    // Without a reason it is one whose hold the records forgot.
    const isForgotten = posting.state === 'held' && posting.reason === null;
    if (isHeldByOperator(posting) || isForgotten) ledger.held.add(posting.id);
  },
};
const release: Way = {
  fits: ({ posting }) => isHeldByOperator(posting),
  act: ({ ledger }, deps, { posting: { id } }) => {
    // From now on it may go on at any moment, whether or not the operator lives to hear of it.
    ledger.held.delete(id);
    return runAct(deps, 'release', [id], {}, ACT);
  },
};
const skip: Way = {
  fits: isOneOf('parked', 'held', 'deferred'),
  act: ({ ledger }, deps, { posting: { id } }) => {
    ledger.held.delete(id);
    return runAct(deps, 'skip', [id], {}, ACT);
  },
};
const replay: Way = {
  fits: isOneOf('parked', 'held', 'deferred', 'rejected', 'skipped', 'posting'),
  act: async (world, deps, row) => {
    const surelyAbsent = isSurelyAbsent(world, row);
    const { id } = await startReplay(deps, { postingIds: [row.posting.id] }, ACT, { surelyAbsent });
    await workOffRuns(deps, deps.owner, { runId: id });
  },
};
const reverse: Way = {
  fits: (row) =>
    row.posting.reference !== null && isOneOf('posted', 'acknowledged', 'parked', 'orphaned')(row),
  act: ({ kernel }, deps, { posting: { id } }) =>
    runAct(deps, 'reverse', [id], { repost: kernel.chance('an entry is booked anew', 0.5) }, ACT),
};
const repost: Way = {
  fits: isOneOf('reversed'),
  act: (_world, deps, { posting: { id } }) => runAct(deps, 'repost', [id], {}, ACT),
};
const toNew: Way = {
  fits: (row) => row.posting.kind === 'cost' && isOneOf('skipped', 'rejected')(row),
  act: ({ service }, deps, { posting: { id, guid } }) => {
    // The source was never told of it, and is to begin it anew all the same.
    if (service.documents.get(guid)?.accountingStatus === 'Created')
      service.reopenings.set(guid, (service.reopenings.get(guid) ?? 0) + 1);
    return runAct(deps, 'move-to-new', [id], {}, ACT);
  },
};

/** Only who has looked in the books may say so, and only when nothing can be on its way any more. */
function isSurelyAbsent({ kernel, ledger, records }: World, row: PostingRow): boolean {
  const attempt = latestAttempt(row);
  return (
    attempt !== undefined &&
    isUncertain(attempt) &&
    kernel.nowMs - Math.max(attempt.lastSentAt, records.restoredAt ?? 0) > QUIET_PERIOD_MS &&
    ledger.under(attempt.key).length === 0
  );
}

/** A reversal was begun and the document does not say that it is reversed. */
export function isHalfReversed({ posting, attempts }: PostingRow): boolean {
  if (posting.state === 'reversed' || posting.reference === null) return false;
  return attempts.some(
    (attempt) =>
      attempt.part === 'reversal' &&
      (attempt.outcome === 'posted' || isUncertain(attempt)) &&
      JSON.stringify([posting.reference, posting.settlementReference]).includes(reversedBy(attempt.request)),
  );
}

function reversedBy(request: string): string {
  const { reverses } = JSON.parse(request) as { reverses: { id: string } };
  return `"${reverses.id}"`;
}

const markByHand: Way = { fits: mayBeMarked, act: mark };

const WAYS = [hold, hold, release, skip, replay, replay, replay, reverse, reverse, repost, toNew, markByHand];
/** Where a database is to be restored nobody undoes entries: what people did in a history that was lost, they know themselves. */
const GENTLE_WAYS = [hold, release, replay, replay];

/** While everything goes wrong, whatever comes to their minds. */
export async function operators(world: World): Promise<void> {
  const { kernel, records } = world;
  for (let number = 1; world.phase.isFaulty; number++) {
    await kernel.sleep(kernel.between('how soon an operator acts', 10_000, 3 * MINUTE_MS));
    const rows = [...records.rows.values()];
    const halfReversed = rows.filter(isHalfReversed);
    const isReminded = halfReversed.length > 0 && kernel.chance('an operator is reminded', 0.3);
    const way = isReminded
      ? reverse
      : kernel.pick('what an operator does', world.isGentle ? GENTLE_WAYS : WAYS);
    const choice = (isReminded ? halfReversed : rows).filter((row) => way.fits(row));
    if (choice.length > 0)
      void actOnce(world, `operator${number}`, way, kernel.pick('to which document', choice));
  }
}

/** Somebody pauses the tenant for some minutes: what is claimed is finished, and nothing else is begun. */
export async function pausers({ kernel, records }: World): Promise<void> {
  for (let pauses = 0; pauses < 2; pauses++) {
    await kernel.sleep(kernel.between('how soon somebody pauses', 10, 40) * MINUTE_MS);
    if (!kernel.chance('it is paused', 0.4)) continue;
    records.pausedAt = kernel.nowMs;
    kernel.note('somebody pauses the tenant');
    await kernel.sleep(kernel.between('a pause lasts', 2, 15) * MINUTE_MS);
    records.pausedAt = null;
    records.resumedAt = kernel.nowMs;
    kernel.note('somebody resumes the tenant');
  }
}

async function actOnce(world: World, name: string, way: Way, row: PostingRow): Promise<void> {
  const process = mortal(world.kernel, name, CARELESS, () => world.phase.isFaulty);
  world.processes.add(process);
  try {
    const life = { ...process.life, worker: world.kernel.history.newWorker(name), isOperator: true } as const;
    await way.act(world, operationsDeps(world, life, name), row);
  } catch (error) {
    // A refusal is an answer; anything else is a fault of the operations.
    if (!(error instanceof CodedError)) world.records.violations.push(`an act failed: ${String(error)}`);
  } finally {
    world.processes.delete(process);
  }
}

/** When all is well again they finish what they began: reversals are asked for again, the held released, the parked replayed. */
export async function tidyUp(world: World): Promise<void> {
  const { kernel, records } = world;
  for (const round of ['first', 'second']) {
    await kernel.sleep(30 * MINUTE_MS);
    // By then every machine that was closed in the middle of an act is open again.
    if (round === 'first') takeBackUnmarked(world);
    for (const row of [...records.rows.values()]) {
      const way = [isHalfReversed(row) ? reverse : null, release, replay].find((one) => one?.fits(row));
      if (way) await actOnce(world, `${round} look`, way, row);
    }
  }
}

/** Of an ERP that creates and posts in two steps. A draft of an entry is the bridge's to finish, one of a reversal is theirs. */
export async function bookkeepers({ kernel, ledger }: World): Promise<void> {
  for (let looks = 0; looks < 20; looks++) {
    await kernel.sleep(kernel.between('how soon bookkeepers look', 2, 9) * MINUTE_MS);
    for (const entry of ledger.entries)
      if (entry.reverses !== null || entry.key.startsWith('R')) entry.state = 'posted';
  }
}
