// Does the ERP hold what we sent? Compares a journal with an entry that was read back, as far as the ERP lets us see.
// Order does not matter and neither does how a zero is written; a line more, a line less or a króna's difference does.
import { type Decimal, sum, ZERO } from '../domain/money.js';
import { isGross, type Journal, type JournalLine, isVatLine } from '../domain/journal.js';
import type { Message } from '../domain/message.js';
import { message } from '../language/messages.js';
import { say } from '../language/say.js';
import type { ErpCapabilities, ErpEntry, ErpEntryLine, Rejected } from './erp-adapter.js';
import { isWithin } from '../domain/rate-source.js';
import { rejected, told } from './told.js';

export type ComparableCapabilities = Pick<
  ErpCapabilities,
  'readBack' | 'foreignCurrency' | 'dimensions' | 'subledger'
> &
  Partial<Pick<ErpCapabilities, 'vatMode' | 'foreignIskTolerance'>>;

/** Each difference in English, for an adapter of another package. */
export function compareEntry(
  journal: Journal,
  entry: ErpEntry,
  capabilities: ComparableCapabilities,
): string[] {
  return entryDifferences(journal, entry, capabilities).map((difference) => say('en', difference));
}

/** Each difference is a message; an empty list means equal. */
export function entryDifferences(
  journal: Journal,
  entry: ErpEntry,
  capabilities: ComparableCapabilities,
): Message[] {
  const differences: Message[] = [];
  if (entry.postingDate !== journal.postingDate)
    differences.push(message('DATE_DIFFERS', { found: entry.postingDate, wanted: journal.postingDate }));
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
): Message[] {
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
 * what is left without the VAT that is deducted, and all the rest comes to the VAT.
 */
function compareSplit(
  journal: Journal,
  entry: ErpEntry,
  capabilities: ComparableCapabilities,
  slack: number,
): Message[] {
  const plain = journal.lines.filter((line) => !isGross(line));
  const gross = journal.lines.filter(isGross);
  const left = [...entry.lines];
  const differences: Message[] = [];
  for (const line of plain) {
    const wanted = nameOf(line, capabilities);
    const at = left.findIndex((each) => nameOf(each, capabilities) === wanted);
    if (at < 0) differences.push(...missing(line, capabilities));
    else left.splice(at, 1);
  }
  const taxed = new Set(gross.map(({ account }) => account));
  for (const account of taxed) {
    const sent = gross.filter((line) => line.account === account);
    const net = sum(sent.map(netOf));
    const found = balanceOf(left, account);
    if (
      found
        .minus(net)
        .abs()
        .greaterThan(slack * sent.length)
    )
      differences.push(
        message('ACCOUNT_NET_DIFFERS', { account, found: found.toFixed(), wanted: net.toFixed() }),
      );
  }
  differences.push(...reverseChargeDiffers(journal, gross, left, slack));
  const inJournal = sum(gross.map(({ debit, credit }) => debit.minus(credit)));
  const inErp = sum(left.map(({ debit, credit }) => debit.minus(credit)));
  if (!inErp.equals(inJournal))
    differences.push(message('GROSS_DIFFERS', { found: inErp.toFixed(), wanted: inJournal.toFixed() }));
  return differences;
}

function netOf({ vatBase = ZERO, vatKept = ZERO, debit }: JournalLine): Decimal {
  const net = vatBase.plus(vatKept);
  return debit.isZero() ? net.negated() : net;
}

function missing(line: JournalLine, capabilities: ComparableCapabilities): Message[] {
  const { reverseVat, vatCode = '' } = line;
  const lacks = message('LINE_MISSING', described(line, capabilities));
  return reverseVat ? [lacks, message('NOT_REVERSE_CHARGED', { vatCode })] : [lacks];
}

/** A reverse charge stands on both sides and cancels out, so it is judged by one of them: as much as the document says, and none without. */
function reverseChargeDiffers(
  journal: Journal,
  gross: readonly JournalLine[],
  left: readonly ErpEntryLine[],
  slack: number,
): Message[] {
  const charged = journal.lines.flatMap(({ reverseVat }) => reverseVat ?? []);
  const wanted = sum(charged);
  const allowed = slack * Math.max(charged.length, 1);
  const onOneSide = sum(left.map(({ debit }) => debit));
  const added = onOneSide.minus(sum(gross.map(({ debit }) => debit)));
  if (added.minus(wanted).greaterThan(allowed))
    return [message('VAT_ON_BOTH_SIDES', { found: added.toFixed(), wanted: wanted.toFixed() })];
  return wanted.minus(onOneSide).greaterThan(allowed)
    ? [message('REVERSE_VAT_DIFFERS', { found: onOneSide.toFixed(), wanted: wanted.toFixed() })]
    : [];
}

function compareLines(
  wanted: readonly ErpEntryLine[],
  found: readonly ErpEntryLine[],
  capabilities: ComparableCapabilities,
): Message[] {
  const open = new Map<string, { readonly line: DescribedLine; balance: number }>();
  const count = (entryLine: ErpEntryLine, by: number) => {
    const line = described(entryLine, capabilities);
    const name = JSON.stringify(line);
    const known = open.get(name);
    if (known) known.balance += by;
    else open.set(name, { line, balance: by });
  };
  for (const line of wanted) count(line, 1);
  for (const line of found) count(line, -1);
  return [...open.values()].flatMap(({ line, balance }) => {
    if (balance === 0) return [];
    return message(balance > 0 ? 'LINE_MISSING' : 'LINE_NOT_OURS', { ...line, times: Math.abs(balance) });
  });
}

function compareAccountTotals(wanted: readonly ErpEntryLine[], found: readonly ErpEntryLine[]): Message[] {
  const accounts = new Set([...wanted, ...found].map((line) => line.account));
  const differences: Message[] = [];
  for (const account of accounts) {
    const inJournal = balanceOf(wanted, account);
    const inErp = balanceOf(found, account);
    if (!inJournal.equals(inErp))
      differences.push(
        message('ACCOUNT_DIFFERS', { account, found: inErp.toFixed(), wanted: inJournal.toFixed() }),
      );
  }
  return differences;
}

function balanceOf(lines: readonly ErpEntryLine[], account: string): Decimal {
  return sum(lines.filter((line) => line.account === account).map((line) => line.debit.minus(line.credit)));
}

/** Two lines with the same name are the same line, as far as this ERP lets us see. */
function nameOf(line: ErpEntryLine, capabilities: ComparableCapabilities): string {
  return JSON.stringify(described(line, capabilities));
}

type DescribedLine = {
  readonly account: string;
  readonly side: 'debit' | 'credit';
  readonly amount: string;
  readonly currency?: string;
  readonly party?: string;
  readonly dimensions?: string;
};

function described(line: ErpEntryLine, capabilities: ComparableCapabilities): DescribedLine {
  const balance = line.debit.minus(line.credit);
  const { currency, counterparty } = line;
  // An ISK amount in ISK says nothing new, and some ERPs fill it in on every line.
  const isForeign =
    capabilities.foreignCurrency === 'in-currency' && currency !== undefined && currency !== 'ISK';
  const dimensions = capabilities.dimensions ? Object.entries(line.dimensions ?? {}).sort(byName) : [];
  return {
    account: line.account,
    side: balance.isNegative() ? 'credit' : 'debit',
    amount: balance.abs().toFixed(),
    ...(isForeign ? { currency: `${(line.currencyAmount ?? balance).toFixed()} ${currency}` } : {}),
    ...(capabilities.subledger && counterparty ? { party: counterparty } : {}),
    ...(dimensions.length === 0
      ? {}
      : { dimensions: dimensions.map(([name, value]) => `${name}=${value}`).join(' ') }),
  };
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

// An ERP that keeps documents in their own currency reckons the krónur itself, by a rate that it rounds or has of its own. Such a
// document is compared in its currency, to the last cent, and its krónur only as a whole, within what the ERP's rate may be off.
export function isShownInCurrency({ currency }: Journal, entry: ErpEntry): boolean {
  return currency !== 'ISK' && entry.lines.some((line) => line.currency === currency);
}

/** The journal as the ERP keeps it: without what stands in krónur alone, which only evens out our own rounding. */
export function journalInCurrency(journal: Journal): Journal {
  const lines = journal.lines.flatMap((line): JournalLine[] => {
    if (!line.currencyAmount || line.currency !== journal.currency) return [];
    const { vatBase, vatKept, reverseVat } = line;
    const scale = line.currencyAmount.abs().div(line.debit.plus(line.credit));
    return [
      {
        ...line,
        ...sides(line.currencyAmount),
        ...(vatBase ? { vatBase: vatBase.times(scale).toDecimalPlaces(2) } : {}),
        ...(vatKept ? { vatKept: vatKept.times(scale).toDecimalPlaces(2) } : {}),
        ...(reverseVat ? { reverseVat: reverseVat.times(scale).toDecimalPlaces(2) } : {}),
      },
    ];
  });
  return { ...journal, lines };
}

export function entryInCurrency(entry: ErpEntry): ErpEntry {
  const lines = entry.lines.map((line): ErpEntryLine => ({ ...line, ...sides(line.currencyAmount ?? ZERO) }));
  return { ...entry, lines };
}

/** Whether the krónur are as many as the ERP's own rate allows. */
export function kronurDiffer(journal: Journal, entry: ErpEntry, tolerance: number): Message[] {
  const wanted = debitsOf(journal.lines);
  const found = debitsOf(entry.lines);
  const lines = journal.lines.length;
  return isWithin(found, wanted, { tolerance, lines })
    ? []
    : [message('KRONUR_DIFFER', { found: found.toFixed(), wanted: wanted.toFixed() })];
}

function debitsOf(lines: readonly Pick<ErpEntryLine, 'debit'>[]): Decimal {
  return sum(lines.map(({ debit }) => debit));
}

function sides(amount: Decimal): Pick<ErpEntryLine, 'debit' | 'credit'> {
  return amount.isNegative() ? { debit: ZERO, credit: amount.negated() } : { debit: amount, credit: ZERO };
}

// What no ERP may be asked to book, checked before anything is translated. The mapper promises the same; an adapter does
// not take it on trust, since some ERPs balance a crooked entry silently on an account of their own.

export function checkJournal(journal: Journal, capabilities: ErpCapabilities): Rejected | null {
  if (journal.lines.length < 2) return unbalanced(message('FEWER_THAN_TWO_LINES'));
  const crooked = journal.lines.find((line) => !hasOneSide(line));
  if (crooked) return unbalanced(message('NOT_ONE_SIDE', { account: crooked.account }));
  const debit = sum(journal.lines.map((line) => line.debit));
  const credit = sum(journal.lines.map((line) => line.credit));
  if (!debit.equals(credit))
    return unbalanced(message('SIDES_DIFFER', { debit: debit.toFixed(), credit: credit.toFixed() }));
  return unsupported(journal, capabilities) ?? otherVatMode(journal, capabilities);
}

/** Gross amounts would be booked as they are, VAT lines taxed once more: neither is ever guessed. */
function otherVatMode({ lines }: Journal, { vatMode }: ErpCapabilities): Rejected | null {
  const [strange] = lines.filter(vatMode === 'erp-splits' ? isVatLine : isGross);
  if (!strange) return null;
  const words = told('LINE_OF_OTHER_VAT_MODE', { account: strange.account, mode: vatMode });
  const { vatCode } = strange;
  return rejected('unknown-vat-code', words, vatCode === undefined ? {} : { vatCode });
}

function unsupported(journal: Journal, capabilities: ErpCapabilities): Rejected | null {
  if (capabilities.foreignCurrency === 'none' && journal.lines.some((line) => isForeign(line)))
    return rejected(
      'unsupported',
      told('ISK_ONLY', { number: journal.documentNo, currency: journal.currency }),
    );
  if (!capabilities.dimensions && journal.lines.some((line) => Object.keys(line.dimensions ?? {}).length > 0))
    return rejected('unsupported', told('NO_DIMENSIONS'));
  return null;
}

function isForeign(line: JournalLine): boolean {
  return line.currency !== undefined && line.currency !== 'ISK';
}

function hasOneSide(line: JournalLine): boolean {
  return isAmount(line.debit) && isAmount(line.credit) && line.debit.isZero() !== line.credit.isZero();
}

function isAmount(value: Decimal): boolean {
  return value.isFinite() && (value.isZero() || value.isPositive());
}

function unbalanced(why: Message): Rejected {
  return rejected('unbalanced', told('UNBALANCED', { why }));
}
