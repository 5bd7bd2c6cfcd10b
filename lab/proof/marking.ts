// Documents that a bookkeeper books by hand, in the ERP itself, and an operator marks as posted. Whoever books by hand has looked in the
// books, and long after anything was sent; an entry that could not be marked is taken back.
import { CodedError } from '../../src/domain/errors/coded-error.js';
import { Decimal, sum } from '../../src/domain/decimal.js';
import type { Journal, JournalLine } from '../../src/domain/journal.js';
import { isUncertain } from '../../src/domain/posting.js';
import { isSourceKind } from '../../src/domain/source-document.js';
import type { OperationsDeps } from '../../src/operations/deps.js';
import { markPosted } from '../../src/operations/mark-posted.js';
import { QUIET_PERIOD_MS } from '../../src/operations/replay-verdict.js';
import { latestAttempt, type PostingRow } from './memory-records.js';
import type { SimulatedDocument } from './simulated-document.js';
import type { Stored } from './simulated-ledger.js';
import { versionMark } from './source-snapshot.js';
import type { World } from './world.js';

const ACT = { actor: 'Jón', reason: 'booked by hand' };
const STATES = ['discovered', 'mapped', 'deferred', 'held', 'parked', 'skipped', 'rejected'];

export function mayBeMarked({ posting }: PostingRow): boolean {
  return isSourceKind(posting.kind) && posting.reference === null && STATES.includes(posting.state);
}

/** Its own entry, where the bridge could not find out; or one that is booked by hand now. */
export async function mark(world: World, deps: OperationsDeps, row: PostingRow): Promise<void> {
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
    await markPosted(deps, row.posting.id, entry.id, ACT, { acceptDifferences: true });
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
export function takeBackUnmarked(world: World): void {
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
