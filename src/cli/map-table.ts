// An outcome as a bookkeeper reads it: the journal as a table with its totals, the warnings, and on request the reasons.
import { groupThousands, withoutDirections } from '../domain/text.js';
import Table from 'cli-table3';
import { sum, type Decimal } from '../domain/money.js';
import type { Journal, JournalLine } from '../domain/journal.js';
import { cureText, say } from '../language/say.js';
import type { MappingOutcome, TraceEntry } from '../pipeline/mapping/outcome.js';

export function outcomeTable(mapped: MappingOutcome, explain: boolean): string {
  const parts: string[] = [];
  if (mapped.outcome === 'post') {
    parts.push(journalTable(mapped.journal, 'Journal'));
    if (mapped.settlement) parts.push(journalTable(mapped.settlement, 'Settlement'));
  } else {
    parts.push(
      `${mapped.outcome.toUpperCase()}  ${mapped.reason}\n${say('en', mapped.why)}\nWhat to do: ${cureText('en', mapped.reason)}\n`,
    );
  }
  for (const warning of mapped.warnings) parts.push(`Warning ${warning.code}: ${say('en', warning)}\n`);
  // What is stopped at the gate was not judged any further: there is nothing to explain.
  if (explain && mapped.trace.length > 0) parts.push(traceTable(mapped.trace));
  return harmless(parts.join('\n'));
}

function journalTable(journal: Journal, title: string): string {
  const isForeign = journal.lines.some((line) => line.currencyAmount !== undefined);
  const hasDimensions = journal.lines.some((line) => line.dimensions !== undefined);
  const table = new Table({
    head: [
      'Account',
      'Text',
      'Debit',
      'Credit',
      ...(isForeign ? [journal.currency] : []),
      'VAT code',
      'Kennitala',
      ...(hasDimensions ? ['Dimensions'] : []),
    ],
    colAligns: ['left', 'left', 'right', 'right', ...(isForeign ? (['right'] as const) : [])],
    style: { head: [], border: [] },
  });
  for (const line of journal.lines) table.push(row(line, isForeign, hasDimensions).map(oneLine));
  const debit = sum(journal.lines.map((line) => line.debit));
  const credit = sum(journal.lines.map((line) => line.credit));
  const blanks = Array.from({ length: 2 + (isForeign ? 1 : 0) + (hasDimensions ? 1 : 0) }, () => '');
  table.push(['', 'Total', icelandic(debit), icelandic(credit), ...blanks]);
  return `${heading(journal, title)}\n${table.toString()}\n`;
}

function heading(journal: Journal, title: string): string {
  const dates = [
    `posted ${journal.postingDate}`,
    ...(journal.documentDate === journal.postingDate ? [] : [`dated ${journal.documentDate}`]),
    ...(journal.dueDate === undefined ? [] : [`due ${journal.dueDate}`]),
  ];
  const rate =
    journal.currency === 'ISK' ? '' : `\n1 ${journal.currency} = ${icelandic(journal.exchangeRate)} ISK`;
  return `${title} ${journal.documentNo}, ${dates.join(', ')}\n${journal.description}${rate}`;
}

function row(line: JournalLine, isForeign: boolean, hasDimensions: boolean): string[] {
  const dimensions = Object.entries(line.dimensions ?? {}).map(([name, value]) => `${name} ${value}`);
  return [
    line.account,
    line.text,
    line.debit.isZero() ? '' : icelandic(line.debit),
    line.credit.isZero() ? '' : icelandic(line.credit),
    ...(isForeign ? [line.currencyAmount === undefined ? '' : icelandic(line.currencyAmount)] : []),
    line.vatCode ?? '',
    line.counterparty ?? '',
    ...(hasDimensions ? [dimensions.join(', ')] : []),
  ];
}

function traceTable(trace: readonly TraceEntry[]): string {
  const table = new Table({
    head: ['Where', 'What', 'Value', 'Rule', 'Why'],
    style: { head: [], border: [] },
  });
  for (const { journal, line, field, value, rule, why } of trace) {
    const place = line === null ? 'document' : `line ${String(line + 1)}`;
    const where = journal === 'settlement' ? `settlement, ${place}` : place;
    table.push([where, field, value, rule, say('en', why)].map(oneLine));
  }
  return `Why\n${table.toString()}\n`;
}

/** Documents may hold what steers a terminal; a person is shown their words only. */
function harmless(text: string): string {
  return withoutDirections(text).replaceAll(/[^\P{Cc}\n]+/gu, ' ');
}

function oneLine(cell: string): string {
  return cell.replaceAll(/\p{Cc}+/gu, ' ');
}

/** 1.234.567,50 as in Iceland. */
function icelandic(amount: Decimal): string {
  const [whole = '', decimals] = amount.abs().toFixed().split('.');
  const grouped = groupThousands(whole);
  return `${amount.isNeg() ? '-' : ''}${grouped}${decimals === undefined ? '' : `,${decimals}`}`;
}
