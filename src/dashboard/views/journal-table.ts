// A journal as bookkeepers read one, with the rule that chose each account behind the account.
import type { JournalView, Story } from '../../operations/views/document.js';
import { html, type Html } from '../html.js';
import { day, decimal, money } from '../language/format.js';
import type { Visit } from '../visit.js';

type Trace = Story['trace'];

/** Account → what the ERP calls it. */
export type AccountNames = Readonly<Record<string, string>>;

export function journalTable(
  visit: Visit,
  journal: JournalView,
  trace: Trace,
  names: AccountNames = {},
): Html {
  const { document } = visit.text;
  return html`<p class="dim">
      ${!journal.description.startsWith(journal.documentNo) && `${journal.documentNo} · `}${day(journal.postingDate)}
      · ${journal.description}
      ${
        journal.currency !== 'ISK' &&
        html`·
          <span class="nowrap"
            >${document.rate} 1 ${journal.currency} = ${decimal(journal.exchangeRate)} ISK</span
          >`
      }
    </p>
    <table class="journal rows">
      <thead>
        <tr>
          <th>${document.account}</th>
          <th>${document.text}</th>
          <th class="num">${document.debit}</th>
          <th class="num">${document.credit}</th>
        </tr>
      </thead>
      <tbody>
        ${journal.lines.map((line, index) =>
          journalLine(
            visit,
            line,
            trace.filter((entry) => entry.line === index),
            names[line.account],
          ),
        )}
      </tbody>
      <tfoot>
        <tr>
          <td class="at-a">${document.total}</td>
          <td class="at-hide"></td>
          ${sideCell(document.debit, money(total(journal, 'debit'), 'ISK'))}
          ${sideCell(document.credit, money(total(journal, 'credit'), 'ISK'))}
        </tr>
      </tfoot>
    </table>`;
}

function journalLine(
  visit: Visit,
  line: JournalView['lines'][number],
  trace: Trace,
  name: string | undefined,
): Html {
  const { document } = visit.text;
  const why = trace.map(({ field, value, rule, why: because }) => ({ field, value, rule, because }));
  const title = why.map(({ field, value, rule }) => `${field} ${value} ← ${rule}`).join('\n');
  const extra = [
    line.vatCode,
    line.currency && line.currency !== 'ISK' && line.currencyAmount
      ? money(line.currencyAmount, line.currency)
      : null,
    ...Object.entries(line.dimensions ?? {}).map(([name, value]) => `${name}: ${value}`),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
  return html`<tr>
    <td class="at-a">
      ${
        why.length === 0
          ? line.account
          : html`<details class="rule" title="${title}">
              <summary>${line.account}</summary>
              <div>
                ${why.map(({ field, value, rule, because }) => html`<p>${field} ${value} ← <code>${rule}</code> ${because}</p>`)}
              </div>
            </details>`
      }
      ${name !== undefined && html`<small class="dim">${name}</small>`}
    </td>
    <td class="at-c">${line.text} ${extra.length > 0 && html`<small>${extra.join(' · ')}</small>`}</td>
    ${sideCell(document.debit, shown(line.debit))} ${sideCell(document.credit, shown(line.credit))}
  </tr>`;
}

/** On a phone the columns have no heads, so each amount says which side it is; an empty one says nothing. */
function sideCell(side: string, amount: string): Html {
  return html`<td class="num at-b ${amount === '' && 'at-hide'}" data-label="${side}">${amount}</td>`;
}

function shown(amount: string): string {
  return /^-?0*(\.0*)?$/.test(amount) ? '' : decimal(amount);
}

const SCALE = 6;

/** Exact: millionths of a króna as whole numbers. */
function units(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(SCALE, '0').slice(0, SCALE));
  return amount.startsWith('-') ? -value : value;
}

function written(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(SCALE + 1, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`;
}

export function total(journal: JournalView, side: 'debit' | 'credit'): string {
  return written(journal.lines.reduce((so, line) => so + units(line[side]), 0n));
}

const size = (sum: bigint) => (sum < 0n ? -sum : sum);

/** What the source says beside what was made of it; null: they say the same, or are in different currencies. */
export function besideSource(
  visit: Visit,
  journal: JournalView,
  source: { readonly amount: string; readonly currency: string },
): Html | null {
  const booked = total(journal, 'debit');
  // A credit note is negative at the source, and a journal has no negative side.
  const apart = size(units(booked)) - size(units(source.amount));
  if (source.currency !== 'ISK' || apart === 0n) return null;
  return html`<p class="dim">
    ${visit.text.document.apart(money(source.amount, 'ISK'), money(booked, 'ISK'), money(written(apart), 'ISK'))}
  </p>`;
}
