// Between our journal and the lines of Uniconta's daily journal, without I/O. Every line carries the key as its reference, which is what
// it is found by, in the journal and among the posted transactions.
import { ZERO } from '../../domain/money.js';
import type { Journal, JournalLine, JournalParty } from '../../domain/journal.js';
import { clipText, lineText } from '../line-text.js';
import type { ErpEntry, ErpEntryLine } from '../erp-adapter.js';
import { partnerOfLine, partyNumber } from '../partner-directory.js';
import type { JournalLineRead, TransactionRead, UnicontaLine } from './client.js';
import { TEXT_LENGTH_MAX, type UnicontaConfiguration } from './settings.js';

export type TranslateSettings = Pick<UnicontaConfiguration, 'journal' | 'dimensions' | 'subledger'>;

export function toLines(key: string, journal: Journal, settings: TranslateSettings): UnicontaLine[] {
  return journal.lines.map((line, index) => toLine(key, journal, line, index, settings));
}

function toLine(
  key: string,
  journal: Journal,
  line: JournalLine,
  index: number,
  settings: TranslateSettings,
): UnicontaLine {
  const partner = partnerOfLine(settings.subledger, line);
  const dimensions = Object.entries(line.dimensions ?? {}).flatMap(([name, value]) => {
    const field = settings.dimensions[name];
    return field === undefined ? [] : [[field, value] as const];
  });
  return {
    Journal: settings.journal,
    LineNumber: index + 1,
    Date: journal.postingDate,
    AccountType: partner ? (partner.kind === 'customer' ? 'Debtor' : 'Creditor') : 'Finance',
    Account: partner ? partner.kennitala : line.account,
    Debit: line.debit,
    Credit: line.credit,
    Text: clipText(lineText(journal, line), TEXT_LENGTH_MAX),
    ReferenceNumber: key,
    ...(line.dueDate === undefined ? {} : { DueDate: line.dueDate }),
    ...Object.fromEntries(dimensions),
  };
}

type AnyLine = Pick<
  JournalLineRead,
  'Debit' | 'Credit' | 'Dimension1' | 'Dimension2' | 'Dimension3' | 'Dimension4' | 'Dimension5'
>;

function entryLine(
  line: AnyLine,
  named: Pick<ErpEntryLine, 'account' | 'counterparty'>,
  settings: TranslateSettings,
): ErpEntryLine {
  const dimensions = Object.entries(settings.dimensions).flatMap(([name, field]) =>
    line[field] === '' ? [] : [[name, line[field]] as const],
  );
  return {
    ...named,
    debit: line.Debit ?? ZERO,
    credit: line.Credit ?? ZERO,
    ...(dimensions.length === 0 ? {} : { dimensions: Object.fromEntries(dimensions) }),
  };
}

/** Lines that wait. The same list that was taken twice stands there twice, and is two entries. */
export function toDrafts(lines: readonly JournalLineRead[], settings: TranslateSettings): ErpEntry[] {
  return grouped(lines, ({ ReferenceNumber }) => ReferenceNumber).flatMap((together) =>
    copiesIn(together).map((one): ErpEntry => {
      const [first] = one;
      const key = first?.ReferenceNumber ?? '';
      return {
        reference: { id: `${settings.journal}/${key}` },
        key,
        state: 'draft',
        postingDate: dayOf(first?.Date ?? ''),
        lines: one.map((line) => entryLine(line, draftAccount(line, settings), settings)),
      };
    }),
  );
}

/** A line of a customer shows the customer and not the account. */
function draftAccount({ AccountType, Account }: JournalLineRead, { subledger }: TranslateSettings) {
  const [control] = AccountType === 'Debtor' ? subledger.customers : subledger.suppliers;
  return AccountType === 'Finance'
    ? { account: Account }
    : { account: control ?? Account, counterparty: Account };
}

/** One entry per voucher: Uniconta numbers what was posted together. */
export function toPosted(transactions: readonly TransactionRead[], settings: TranslateSettings): ErpEntry[] {
  const vouchers = grouped(transactions, ({ ReferenceNumber, Voucher }) => `${ReferenceNumber}/${Voucher}`);
  return vouchers.map((together): ErpEntry => {
    const [first] = together;
    return {
      reference: { id: String(first?.Voucher ?? ''), number: String(first?.Voucher ?? '') },
      key: first?.ReferenceNumber ?? '',
      state: 'posted',
      postingDate: dayOf(first?.Date ?? ''),
      lines: together.map((line) =>
        entryLine(
          line,
          { account: line.Account, ...(line.DCAccount === '' ? {} : { counterparty: line.DCAccount }) },
          settings,
        ),
      ),
    };
  });
}

function grouped<Line>(lines: readonly Line[], nameOf: (line: Line) => string): Line[][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const name = nameOf(line);
    const group = groups.get(name);
    if (group) group.push(line);
    else groups.set(name, [line]);
  }
  return [...groups.values()];
}

/** Where every line stands there k times, the list was taken k times. */
function copiesIn(lines: readonly JournalLineRead[]): JournalLineRead[][] {
  const alike = grouped(lines, contentOf);
  const copies = alike.map(({ length }) => length).reduce(greatestDivisor, 0);
  return Array.from({ length: copies }, (_, copy) =>
    alike.flatMap((same) => same.slice((copy * same.length) / copies, ((copy + 1) * same.length) / copies)),
  );
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}

function contentOf({ AccountType, Account, Debit, Credit, Text }: JournalLineRead): string {
  return JSON.stringify([AccountType, Account, Debit?.toFixed(), Credit?.toFixed(), Text]);
}

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

/** Numbered by kennitala: the account is the key of a partner in Uniconta, so a second one is refused. */
export function toPartner(party: JournalParty, group: string | undefined): Record<string, string> {
  const number = partyNumber(party.kennitala);
  const fields: Record<string, string | undefined> = {
    Account: number,
    Name: party.name,
    CompanyRegNo: number,
    Group: group,
    Address1: party.address,
    ZipCode: party.zip,
    City: party.city,
    ContactEmail: party.email,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])),
  );
}
