// Between journals and the records of the books: pure.
import type { Journal, JournalLine } from '../../domain/journal.js';
import type { IsoDate } from '../../domain/source-document.js';
import type { ErpEntry, ErpReference, Rejected } from '../erp-adapter.js';
import { journalFromPlain, plainJournal } from '../../domain/journal-json.js';
import { rejected, told } from '../told.js';
import type { NewRecord } from './client.js';
import type { AccountClasses } from '../../domain/account-class.js';
import { ACCOUNT_PATTERN, type AccountRoot, DEFAULT_ROOTS, type FileConfiguration } from './settings.js';
import type { NameAccount } from './formats/book-format.js';
import { encodeRecord, type LedgerRecord, RECORD_BYTES_MAX } from './records.js';

const KEY_PATTERN = /^[A-Za-z0-9-]{1,64}$/;
const CURRENCY_PATTERN = /^[A-Z]{3}$/;

export function toRecord(key: string, journal: Journal): NewRecord {
  return { key, kind: 'entry', journal: plainJournal(journal) };
}

/** The mirror of a record: every line on the other side. */
export function toReversal(key: string, original: LedgerRecord, date: IsoDate, reason: string): NewRecord {
  const journal = journalFromPlain(original.journal);
  const mirrored: Journal = {
    ...journal,
    postingDate: date,
    documentDate: date,
    description: `Reversal of ${original.number}: ${reason}`,
    lines: journal.lines.map(mirrorLine),
  };
  return { key, kind: 'reversal', reverses: original.key, journal: plainJournal(mirrored) };
}

function mirrorLine(line: JournalLine): JournalLine {
  return {
    ...line,
    debit: line.credit,
    credit: line.debit,
    ...(line.currencyAmount ? { currencyAmount: line.currencyAmount.negated() } : {}),
  };
}

export function toEntry(record: LedgerRecord, isReversed: boolean): ErpEntry {
  const journal = journalFromPlain(record.journal);
  return {
    reference: toReference(record),
    key: record.key,
    state: 'posted',
    postingDate: journal.postingDate,
    lines: journal.lines,
    ...(isReversed || record.kind === 'reversal' ? { reversed: true } : {}),
  };
}

export function toReference(record: LedgerRecord): ErpReference {
  return { id: record.key, number: record.number };
}

/** What these books refuse before anything is written. */
export function refusal(key: string, journal: Journal, configuration: FileConfiguration): Rejected | null {
  if (!KEY_PATTERN.test(key)) return rejected('invalid', told('KEY_UNFIT', { key }));
  if (configuration.closedUntil !== undefined && journal.postingDate <= configuration.closedUntil)
    return rejected(
      'closed-period',
      told('BOOKS_CLOSED_FOR', {
        until: configuration.closedUntil,
        number: journal.documentNo,
        date: journal.postingDate,
      }),
      { period: journal.postingDate },
    );
  for (const line of journal.lines) {
    const problem = accountRefusal(line.account, configuration);
    if (problem) return problem;
    if (line.currency !== undefined && !CURRENCY_PATTERN.test(line.currency))
      return rejected('invalid', told('CURRENCY_UNFIT', { currency: line.currency }));
  }
  const bytes = Buffer.byteLength(encodeRecord({ ...toRecord(key, journal), number: '', recordedAt: '' }));
  return bytes + 256 > RECORD_BYTES_MAX ? rejected('invalid', told('JOURNAL_TOO_LONG')) : null;
}

export function accountRefusal(account: string, configuration: FileConfiguration): Rejected | null {
  if (!ACCOUNT_PATTERN.test(account))
    return rejected('unknown-account', told('ACCOUNT_UNFIT', { account }), { account });
  if (configuration.accounts && !configuration.accounts.includes(account))
    return rejected('unknown-account', told('ACCOUNT_NOT_IN_BOOKS', { account }), { account });
  return null;
}

/**
 * `7600` → `Expenses:7600`. Plain-text accounting takes the class of an account from its first word: the one that the tenant
 * configured, else what the rules use the account for, else by its first digits.
 */
export function accountNaming(
  roots: FileConfiguration['accountRoots'],
  classes: AccountClasses = {},
): NameAccount {
  const configured = byPrefix(roots ?? {});
  const usual = byPrefix(DEFAULT_ROOTS);
  return (account) => {
    const used = Object.hasOwn(classes, account) ? classes[account] : undefined;
    const root = configured(account) ?? used ?? usual(account) ?? 'Equity';
    // Beancount wants a capital or a digit first.
    return `${root}:${account.charAt(0).toUpperCase()}${account.slice(1)}`;
  };
}

function byPrefix(
  roots: Readonly<Record<string, AccountRoot>>,
): (account: string) => AccountRoot | undefined {
  const prefixes = Object.keys(roots).sort((a, b) => b.length - a.length);
  return (account) => {
    const prefix = prefixes.find((candidate) => account.startsWith(candidate));
    return prefix === undefined ? undefined : roots[prefix];
  };
}
