// The people at the bridge: they let it begin, hold it, replay, skip, withdraw, say which customer is meant and which side holds. They act
// through the operations of the bridge itself, in processes of their own that may die half-way.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { NOTHING_GOES_OUT } from '../../../src/operations/outgoing/deps.js';
import { onOutgoing, type OnOutgoing } from '../../../src/operations/outgoing/on-outgoing.js';
import { quietPeriodMs } from '../../../src/outbound/stage.js';
import { mortal } from '../life.js';
import type { SubmissionRow } from '../memory-submissions.js';
import { operationsDeps } from '../operations-deps.js';
import { MINUTE_MS, type World } from '../world.js';
import { memoryOutgoingRecords } from './memory-origin-store.js';
import { keptKey, type OutgoingSide } from './outgoing-side.js';

const ACT = { actor: 'Sigga', reason: 'as it seems best' };
/** Whoever says what is not at the service says it of what they have just seen. */
const CARELESS = { dies: 0.006, stops: 0, stoppedMsMax: 0 };

interface Way {
  fits(row: SubmissionRow): boolean;
  act(side: OutgoingSide, on: OnOutgoing, row: SubmissionRow): Promise<unknown>;
}

const isOneOf =
  (...states: string[]) =>
  ({ record }: SubmissionRow) =>
    states.includes(record.state);

const replay: Way = {
  fits: isOneOf('parked', 'refused', 'skipped', 'withdrawn'),
  act: (side, on, row) => {
    const surelyAbsent = row.record.state === 'parked' && isSurelyAbsent(side, row);
    return on.replaySubmission(row.record.id, ACT, { surelyAbsent, sends: row.sends });
  },
};
const skip: Way = {
  fits: isOneOf('received', 'held', 'refused', 'parked'),
  act: (_side, on, { record }) => on.skipSubmission(record.id, ACT),
};
const withdraw: Way = {
  fits: (row) => ['cost', 'draft'].includes(row.record.kind) && isOneOf('created', 'acknowledged')(row),
  act: (_side, on, { record }) => on.withdrawSubmission(record.id, ACT),
};
const use: Way = {
  fits: ({ record }) => record.state === 'parked' && record.reason?.code === 'CUSTOMER_AMBIGUOUS',
  act: ({ meant, books }, on, { record }) => {
    const guid = meant.get(record.reference) ?? books.profiles(record.reference)[0]?.guid;
    return guid === undefined ? Promise.resolve() : on.chooseCustomer(record.id, guid, ACT);
  },
};
const settle: Way = {
  fits: (row) => row.conflicts.length > 0 && isOneOf('created', 'acknowledged', 'received')(row),
  act: ({ records, books, kept }, on, { record, conflicts }) => {
    // What a database has forgotten that we wrote looks like somebody's change.
    for (const { field } of records.restoredAt === null ? conflicts : [])
      if (!books.changedHere.has(`${record.guid ?? ''} ${field}`))
        records.violations.push(
          `28: ${field} of ${record.kind} ${record.reference} is in conflict, and nobody changed it at the service`,
        );
    const take = records.kernel.chance('the origin holds', 0.5) ? ('origin' as const) : ('service' as const);
    // Before it is said: whoever dies with the answer on the way may have said it.
    for (const { field, origin, service } of take === 'service' ? conflicts : [])
      kept.add(keptKey(record.guid, field, origin, service));
    const said = conflicts.map(({ field, origin, service }) => [field, { take, origin, service }]);
    return on.settleFields(record.id, Object.fromEntries(said) as never, ACT);
  },
};

const WAYS = [replay, replay, replay, skip, withdraw, use, use, settle];
/** Where a database is to be restored nobody takes anything back: what people did in a history that was lost, they know themselves. */
const GENTLE_WAYS = [replay, replay, use, settle];

/** Whoever says so has looked there, and long after anything was sent. */
function isSurelyAbsent(
  { books, records, timing }: OutgoingSide,
  { record, sentAt }: SubmissionRow,
): boolean {
  const { nowMs } = records.kernel;
  const since = Math.max(sentAt ?? 0, records.restoredAt ?? 0);
  if (nowMs - since <= quietPeriodMs(timing)) return false;
  return record.kind === 'customer'
    ? books.profiles(record.reference).length === 0
    : books.ofMark(record.kind, record.key).length === 0;
}

/** Nothing goes out before somebody has seen the plan; now and then somebody holds it. */
export async function stewards({ kernel }: World, side: OutgoingSide): Promise<void> {
  await kernel.sleep(kernel.between('how soon the plan is confirmed', 1, 10) * MINUTE_MS);
  side.confirmedAt = kernel.nowMs;
  kernel.note('the plan of the other direction is confirmed');
  await kernel.sleep(kernel.between('how soon somebody holds it', 10, 60) * MINUTE_MS);
  if (!kernel.chance('it is held', 0.4)) return;
  side.pausedAt = kernel.nowMs;
  await kernel.sleep(kernel.between('how long it is held', 2, 10) * MINUTE_MS);
  side.pausedAt = null;
}

export async function clerks(world: World, side: OutgoingSide): Promise<void> {
  const { kernel, phase } = world;
  for (let number = 1; phase.isFaulty; number++) {
    await kernel.sleep(kernel.between('how soon a clerk acts', 10_000, 4 * MINUTE_MS));
    const way = kernel.pick('what a clerk does', world.isGentle ? GENTLE_WAYS : WAYS);
    const choice = [...side.records.rows.values()].filter((row) => way.fits(row));
    if (choice.length > 0)
      void actOnce(world, side, `clerk${String(number)}`, way, kernel.pick('to which record', choice));
  }
}

/** When all is well they see to whatever waits for somebody. */
export async function seeToAll(world: World, side: OutgoingSide): Promise<void> {
  for (const round of ['first', 'second', 'third']) {
    await world.kernel.sleep(40 * MINUTE_MS);
    for (const row of [...side.records.rows.values()]) {
      const way = [use, settle, replay].find((one) => one.fits(row));
      if (way && row.record.state !== 'skipped' && row.record.state !== 'withdrawn')
        await actOnce(world, side, `${round} clerk`, way, row);
    }
  }
}

async function actOnce(
  world: World,
  side: OutgoingSide,
  name: string,
  way: Way,
  row: SubmissionRow,
): Promise<void> {
  const process = mortal(world.kernel, name, CARELESS, () => world.phase.isFaulty);
  world.processes.add(process);
  const { life } = process;
  const records = { ...NOTHING_GOES_OUT.records, ...memoryOutgoingRecords(side.records, life) };
  const deps = { ...operationsDeps(world, life, name), outgoing: { ...NOTHING_GOES_OUT, records } };
  try {
    await way.act(side, onOutgoing(deps), row);
  } catch (error) {
    // A refusal is an answer; anything else is a fault of the operations.
    if (!(error instanceof CodedError)) side.records.violations.push(`an act failed: ${String(error)}`);
  } finally {
    world.processes.delete(process);
  }
}
