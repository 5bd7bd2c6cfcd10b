// Does the ERP hold what we sent? Compares a journal with an entry that was read back, as far as the ERP lets us see.
// Order does not matter and neither does how a zero is written; a line more, a line less or a króna's difference does.
import { type Decimal, sum } from '../domain/decimal.js';
import type { Journal } from '../domain/journal.js';
import type { ErpCapabilities, ErpEntry, ErpEntryLine } from './erp-adapter.js';

export type ComparableCapabilities = Pick<
  ErpCapabilities,
  'readBack' | 'foreignCurrency' | 'dimensions' | 'subledger'
>;

/** Each difference is a sentence; an empty list means equal. */
export function compareEntry(
  journal: Journal,
  entry: ErpEntry,
  capabilities: ComparableCapabilities,
): string[] {
  const differences: string[] = [];
  if (entry.postingDate !== journal.postingDate)
    differences.push(`posting date is ${entry.postingDate} instead of ${journal.postingDate}`);
  const compared =
    capabilities.readBack === 'lines'
      ? compareLines(journal.lines, entry.lines, capabilities)
      : compareAccountTotals(journal.lines, entry.lines);
  return [...differences, ...compared];
}

function compareLines(
  wanted: readonly ErpEntryLine[],
  found: readonly ErpEntryLine[],
  capabilities: ComparableCapabilities,
): string[] {
  const open = new Map<string, number>();
  for (const line of wanted) count(open, describeLine(line, capabilities), 1);
  for (const line of found) count(open, describeLine(line, capabilities), -1);
  const differences: string[] = [];
  for (const [line, balance] of open) {
    if (balance > 0) differences.push(`missing${times(balance)}: ${line}`);
    if (balance < 0) differences.push(`not ours${times(-balance)}: ${line}`);
  }
  return differences;
}

function compareAccountTotals(wanted: readonly ErpEntryLine[], found: readonly ErpEntryLine[]): string[] {
  const accounts = new Set([...wanted, ...found].map((line) => line.account));
  const differences: string[] = [];
  for (const account of accounts) {
    const inJournal = balanceOf(wanted, account);
    const inErp = balanceOf(found, account);
    if (!inJournal.equals(inErp))
      differences.push(`account ${account} has ${inErp.toFixed()} instead of ${inJournal.toFixed()}`);
  }
  return differences;
}

function balanceOf(lines: readonly ErpEntryLine[], account: string): Decimal {
  return sum(lines.filter((line) => line.account === account).map((line) => line.debit.minus(line.credit)));
}

function describeLine(line: ErpEntryLine, capabilities: ComparableCapabilities): string {
  const parts = [`${line.account} ${side(line)}`];
  // An ISK amount in ISK says nothing new, and some ERPs fill it in on every line.
  if (
    capabilities.foreignCurrency === 'in-currency' &&
    line.currency !== undefined &&
    line.currency !== 'ISK'
  )
    parts.push(`${(line.currencyAmount ?? line.debit.minus(line.credit)).toFixed()} ${line.currency}`);
  if (capabilities.subledger && line.counterparty) parts.push(`with ${line.counterparty}`);
  if (capabilities.dimensions) {
    const dimensions = Object.entries(line.dimensions ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    parts.push(...dimensions.map(([name, value]) => `${name}=${value}`));
  }
  return parts.join(' ');
}

function side(line: ErpEntryLine): string {
  const balance = line.debit.minus(line.credit);
  return balance.isNegative() ? `credit ${balance.negated().toFixed()}` : `debit ${balance.toFixed()}`;
}

function count(open: Map<string, number>, line: string, by: number): void {
  open.set(line, (open.get(line) ?? 0) + by);
}

function times(number: number): string {
  return number === 1 ? '' : ` ${String(number)} times`;
}
