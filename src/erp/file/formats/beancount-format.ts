// Beancount, with the plugin that makes `bean-check` fail on a double posting: the key is a link of the transaction, and
// links are part of what the plugin compares, so two equal sales on a day are fine and one key twice is not.
import type { JournalJson } from '../../../domain/journal-json.js';
import { signedAmounts } from '../records.js';
import { oneLine } from '../../../domain/journal.js';
import { type BookFormat, type NameAccount, sortedNames } from './book-format.js';

type Line = JournalJson['lines'][number];

const OPENED = '1970-01-01';

export function beancountFormat(title: string, nameOf: NameAccount): BookFormat {
  return {
    extension: 'beancount',
    head: '',
    entry: (record) => {
      const { journal } = record;
      return [
        `${journal.postingDate} * ${quoted(journal.party?.name ?? '')} ${quoted(journal.description)} ^${record.key}`,
        ...meta('  ', 'key', record.key),
        ...meta('  ', 'number', record.number),
        ...meta('  ', 'document', journal.documentNo),
        ...meta('  ', 'reference', journal.externalReference),
        ...meta('  ', 'reverses', record.reverses),
        ...journal.lines.flatMap((line) => posting(line, nameOf)),
        '\n',
      ].join('\n');
    },
    main: (vocabulary, months) =>
      [
        '; Written by ledgerbridge from the .jsonl files; changes made here are lost. Include it from a file of your own.',
        `option "title" ${quoted(title)}`,
        'option "operating_currency" "ISK"',
        'plugin "beancount.plugins.noduplicates"',
        ...sortedNames(vocabulary.accounts).map((account) => `${OPENED} open ${nameOf(account)}`),
        ...months.map((month) => `include "${month}.beancount"`),
        '',
      ].join('\n'),
  };
}

function posting(line: Line, nameOf: NameAccount): string[] {
  const { isk, foreign } = signedAmounts(line);
  return [
    `  ${nameOf(line.account)}  ${isk} ISK`,
    ...meta('    ', 'text', line.text),
    ...meta('    ', 'counterparty', line.counterparty),
    ...meta('    ', 'due', line.dueDate),
    ...meta('    ', 'vat', line.vatCode),
    ...(line.vatBase === undefined ? [] : [`    base: ${line.vatBase} ISK`]),
    ...(foreign ? [`    foreign: ${foreign.amount} ${foreign.currency}`] : []),
    ...Object.entries(line.dimensions ?? {}).flatMap(([name, value]) =>
      meta('    ', dimensionName(name), value),
    ),
  ];
}

function meta(indent: string, name: string, value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : [`${indent}${name}: ${quoted(value)}`];
}

function quoted(text: string): string {
  return `"${oneLine(text).replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
}

// Metadata names are ASCII and start with a small letter.
function dimensionName(name: string): string {
  const ascii = name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '-');
  return `dim-${ascii}`;
}
