// What became of an entry in an ERP, and how it differs from what was meant, in our words.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

export interface DescribedLine {
  account: string;
  side: 'debit' | 'credit';
  amount: string;
  /** Amount and code of another currency. */
  currency?: string;
  party?: string;
  dimensions?: string;
  /** How often; left out: once. */
  times?: number;
}

const lineText = ({ account, side, amount, currency, party, dimensions }: DescribedLine) =>
  [`${account} ${side} ${amount}`, currency, party && `with ${party}`, dimensions].filter(Boolean).join(' ');
const timesText = (times = 1) => (times === 1 ? '' : ` ${times} times`);

export const ADAPTER_OUTCOMES = {
  SEVERAL_UNDER_KEY: ({ count }: { count: number }) =>
    `The ERP has ${count} entries under this key. Keep one, reverse the others.`,
  NOT_WHAT_WAS_SENT: ({ entry, differences }: { entry: string; differences: Message }, say: Say) =>
    `The ERP has entry ${entry} under this key, but it is not what was sent: ${say(differences)}.`,
  DAYS_OPEN: ({ count }: { count: number }) =>
    count === 1 ? 'The posting date is open.' : `All ${count} posting dates are open.`,
  DAYS_CLOSED: (
    { count, first, last, why }: { count: number; first: string; last: string; why: Message },
    say: Say,
  ) => `${count === 1 ? first : `${count} days from ${first} to ${last}`} cannot be booked on. ${say(why)}`,
  DIFFERENCES: ({ each }: { each: readonly Message[] }, say: Say) => each.map(say).join('; '),
  DATE_DIFFERS: ({ found, wanted }: { found: string; wanted: string }) =>
    `posting date is ${found} instead of ${wanted}`,
  LINE_MISSING: (line: DescribedLine) => `missing${timesText(line.times)}: ${lineText(line)}`,
  LINE_NOT_OURS: (line: DescribedLine) => `not ours${timesText(line.times)}: ${lineText(line)}`,
  ACCOUNT_DIFFERS: ({ account, found, wanted }: { account: string; found: string; wanted: string }) =>
    `account ${account} has ${found} instead of ${wanted}`,
  ACCOUNT_NET_DIFFERS: ({ account, found, wanted }: { account: string; found: string; wanted: string }) =>
    `account ${account} has ${found} without VAT instead of ${wanted}`,
  KRONUR_DIFFER: ({ found, wanted }: { found: string; wanted: string }) =>
    `${found} ISK instead of ${wanted}`,
  GROSS_DIFFERS: ({ found, wanted }: { found: string; wanted: string }) =>
    `${found} with VAT instead of ${wanted}`,
  NOT_REVERSE_CHARGED: ({ vatCode }: { vatCode: string }) =>
    `the ERP does not take the VAT code ${vatCode} for a reverse charge`,
  REVERSE_VAT_DIFFERS: ({ found, wanted }: { found: string; wanted: string }) =>
    `${found} of VAT owed and deducted by reverse charge instead of ${wanted}`,
  VAT_ON_BOTH_SIDES: ({ found, wanted }: { found: string; wanted: string }) =>
    `${found} of VAT on both sides instead of ${wanted}`,

  ALREADY_REVERSED: ({ entry }: { entry: string }) =>
    `Entry ${entry} has been reversed already. Nothing is left to undo.`,
  OTHER_CONTENT: ({ key }: { key: string }) => `The key ${key} is in the books with other content.`,
  TAKES_NO_REVERSALS: () => 'This connection takes no reversals. Reverse the entry in the ERP.',
  NO_ATTACHMENTS: () => 'This connection takes no attachments.',
  NO_FILES_ON_JOURNALS: ({ system }: { system: string }) =>
    `${system} takes no files for lines of a journal.`,
  KEY_UNFIT: ({ key }: { key: string }) => `The key ${key} is not one that these books can hold.`,

  NOT_SET_AGAINST: ({ system, entry, why }: { system: string; entry: string; why: Message }, say: Say) =>
    `${system} did not set ${entry} against its invoice: ${say(why)}`,
  CREATED_UNNAMED: ({ system }: { system: string }) => `${system} created an entry without saying which.`,
  DRAFT_NOT_READ: ({ system, id }: { system: string; id: string }) =>
    `${system} made the draft ${id}, but it could not be read back.`,
  BOOKED_NOT_READ: ({ system, id }: { system: string; id: string }) =>
    `${system} booked entry ${id}, but it could not be read back.`,
  ANSWERED_WITHOUT_RESULT: ({ system }: { system: string }) => `${system} answered without a result.`,
  DRAFT_GONE: ({ system }: { system: string }) => `The draft is no longer in ${system}.`,

  READY_LEDGER: ({ company }: { company: string }) => `The ledger of ${company} has it all.`,
  READY_ACCOUNTS: ({ company, count }: { company: string; count: number }) =>
    `${company} has all ${count} accounts, open for posting.`,
  SUMS_DIFFER: ({ entry, document }: { entry: string; document: string }) =>
    `the entry adds up to ${entry}, the document to ${document}`,
  SUMS_NOT_COMPARED: ({
    entry,
    document,
    isk,
    rate,
  }: {
    entry: string;
    document: string;
    isk?: string;
    rate?: string;
  }) =>
    `the entry adds up to ${entry} and shows no other currency; the document is about ${document}, ${isk === undefined ? 'for which no rate is known' : `which is ${isk} ISK at ${rate ?? ''}`}`,
  ENTRY_IS_OTHER: ({ entry, differences }: { entry: string; differences: Message }, say: Say) =>
    `Entry ${entry} is not this document: ${say(differences)}.`,
  FOUND_UNDER_KEY: () => 'found under its key',
  SLEPT_TOO_LONG: () => 'slept past the moment until which it may leave',
  LOOKED_ABSENT: () => 'an operator looked: it is not in the ERP',
  IS_STILL_WORKING: () => 'the ERP has it and is still working on it',
  WAITS_AS_DRAFT: () => 'waits in the ERP as a draft',
} satisfies TextTable;
