// One text that hledger and ledger both accept in their strictest modes. Every amount is in ISK, so that a plain balance adds
// up to nothing; what is owed in a foreign currency is a tag of its line, and so is the base of a line of VAT.
import { type JournalJson } from '../../../domain/journal-json.js';
import { asCode, asComment, asDescription, oneLine } from '../../../domain/journal.js';
import { signedAmounts } from '../records.js';
import { type BookFormat, type NameAccount, sortedNames } from './book-format.js';

type Line = JournalJson['lines'][number];

const TAGS = [
  'key',
  'number',
  'reverses',
  'reference',
  'counterparty',
  'due',
  'vat',
  'base',
  'foreign',
  'text',
] as const;
const INDENT = '    ';

export function journalFormat(title: string, nameOf: NameAccount): BookFormat {
  return {
    extension: 'journal',
    head: '',
    entry: (record) => {
      const { journal } = record;
      const tags: [string, string | undefined][] = [
        ['key', record.key],
        ['number', record.number],
        ['reverses', record.reverses],
        ['reference', journal.externalReference],
      ];
      return [
        `${journal.postingDate} * (${asCode(journal.documentNo)}) ${asDescription(journal.description)}`,
        ...tags.flatMap(([name, value]) => tagLine(name, value)),
        ...journal.lines.flatMap((line) => posting(line, nameOf)),
        '\n',
      ].join('\n');
    },
    main: (vocabulary, months) =>
      [
        `; ${oneLine(title)}`,
        '; Written by ledgerbridge from the .jsonl files; changes made here are lost. Include it from a file of your own.',
        'commodity ISK',
        `${INDENT}format 1000.00 ISK`,
        ...TAGS.map((tag) => `tag ${tag}`),
        ...sortedNames(new Set([...vocabulary.dimensions].map(dimensionTag))).map((tag) => `tag ${tag}`),
        ...sortedNames(vocabulary.accounts).map((account) => `account ${nameOf(account)}`),
        ...months.map((month) => `include ${month}.journal`),
        '',
      ].join('\n'),
  };
}

function posting(line: Line, nameOf: NameAccount): string[] {
  const { isk, foreign } = signedAmounts(line);
  const tags: [string, string | undefined][] = [
    ['text', line.text],
    ['counterparty', line.counterparty],
    ['due', line.dueDate],
    ['vat', line.vatCode],
    ['base', line.vatBase],
    ['foreign', foreign && `${foreign.amount} ${foreign.currency}`],
    ...Object.entries(line.dimensions ?? {}).map(([name, value]): [string, string] => [
      dimensionTag(name),
      value,
    ]),
  ];
  return [
    `${INDENT}${nameOf(line.account)}  ${isk} ISK`,
    ...tags.flatMap(([name, value]) => tagLine(name, value)),
  ];
}

function tagLine(name: string, value: string | undefined): string[] {
  const text = value === undefined ? '' : asComment(value);
  return text === '' ? [] : [`${INDENT}; ${name}: ${text}`];
}

function dimensionTag(name: string): string {
  return `dim-${name.replace(/[^\p{L}\p{N}_-]+/gu, '-')}`;
}
