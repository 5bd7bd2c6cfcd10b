// Does the ERP hold what we sent? Compares a journal with an entry that was read back, as far as the ERP lets us see.
// Order does not matter and neither does how a zero is written; a line more, a line less or a króna's difference does.
import { type Decimal, sum, ZERO } from '../domain/decimal.js';
import { isGross, type Journal } from '../domain/journal.js';
import {
  entryInCurrency,
  isShownInCurrency,
  journalInCurrency,
  kronurDiffer,
} from './compare-in-currency.js';
import type { ErpCapabilities, ErpEntry, ErpEntryLine } from './erp-adapter.js';

export type ComparableCapabilities = Pick<
  ErpCapabilities,
  'readBack' | 'foreignCurrency' | 'dimensions' | 'subledger'
> &
  Partial<Pick<ErpCapabilities, 'vatMode' | 'foreignIskTolerance'>>;

/** Each difference is a sentence; an empty list means equal. */
export function compareEntry(
  journal: Journal,
  entry: ErpEntry,
  capabilities: ComparableCapabilities,
): string[] {
  const differences: string[] = [];
  if (entry.postingDate !== journal.postingDate)
    differences.push(`posting date is ${entry.postingDate} instead of ${journal.postingDate}`);
  const { foreignCurrency, foreignIskTolerance = 0 } = capabilities;
  if (foreignCurrency !== 'documents-in-currency' || !isShownInCurrency(journal, entry))
    return [...differences, ...comparedLines(journal, entry, capabilities)];
  return [
    ...differences,
    ...comparedLines(journalInCurrency(journal), entryInCurrency(entry), capabilities, SPLIT_SLACK_FOREIGN),
    ...kronurDiffer(journal, entry, foreignIskTolerance),
  ];
}

function comparedLines(
  journal: Journal,
  entry: ErpEntry,
  capabilities: ComparableCapabilities,
  slack = SPLIT_SLACK_ISK,
): string[] {
  if (capabilities.vatMode === 'erp-splits') {
    // Some split when they post: until then the lines stand as they were sent.
    const isAsSent =
      entry.state !== 'posted' && compareLines(journal.lines, entry.lines, capabilities).length === 0;
    return isAsSent ? [] : compareSplit(journal, entry, capabilities, slack);
  }
  return capabilities.readBack === 'lines'
    ? compareLines(journal.lines, entry.lines, capabilities)
    : compareAccountTotals(journal.lines, entry.lines);
}

/** What the ERP's own rounding of VAT may come to on a line, and so much in a currency that has cents. */
const SPLIT_SLACK_ISK = 1;
const SPLIT_SLACK_FOREIGN = 0.02;

/**
 * The ERP took VAT out of the gross lines and put it on accounts of its own: lines without VAT stand as they were sent, the others hold
 * what is left without VAT, and all the rest comes to the VAT.
 */
function compareSplit(
  journal: Journal,
  entry: ErpEntry,
  capabilities: ComparableCapabilities,
  slack: number,
): string[] {
  const plain = journal.lines.filter((line) => !isGross(line));
  const gross = journal.lines.filter(isGross);
  const left = [...entry.lines];
  const differences: string[] = [];
  for (const line of plain) {
    const wanted = describeLine(line, capabilities);
    const at = left.findIndex((each) => describeLine(each, capabilities) === wanted);
    if (at < 0) differences.push(`missing: ${wanted}`);
    else left.splice(at, 1);
  }
  const taxed = new Set(gross.map(({ account }) => account));
  for (const account of taxed) {
    const sent = gross.filter((line) => line.account === account);
    const net = sum(sent.map(({ vatBase = ZERO, debit }) => (debit.isZero() ? vatBase.negated() : vatBase)));
    const found = balanceOf(left, account);
    if (
      found
        .minus(net)
        .abs()
        .greaterThan(slack * sent.length)
    )
      differences.push(`account ${account} has ${found.toFixed()} without VAT instead of ${net.toFixed()}`);
  }
  const inJournal = sum(gross.map(({ debit, credit }) => debit.minus(credit)));
  const inErp = sum(left.map(({ debit, credit }) => debit.minus(credit)));
  if (!inErp.equals(inJournal))
    differences.push(`${inErp.toFixed()} with VAT instead of ${inJournal.toFixed()}`);
  return differences;
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
