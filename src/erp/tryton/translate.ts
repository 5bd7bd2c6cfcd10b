// Between journals and Tryton's moves: pure.
import type { Journal, JournalLine } from '../../domain/journal.js';
import { isPostingKey, isTrialKey } from '../../domain/posting-key.js';
import { clipText, headText } from '../line-text.js';
import type { ErpEntry, ErpEntryLine, ErpReference, Rejected } from '../erp-adapter.js';
import { partyNumber } from '../partner-directory.js';
import { rejected, told } from '../told.js';
import { type Axis, kennitalaOf, type TrytonSetup } from './setup.js';
import { taxLinesOf, taxRefusal } from './taxes.js';
import { date, decimal, type WireLine, type WireMove } from './wire.js';

export const DESCRIPTION_LENGTH_MAX = 250;

export interface MoveContext {
  readonly setup: TrytonSetup;
  readonly periodId: number;
  /** Kennitala → id of the party. */
  readonly parties: ReadonlyMap<string, number>;
  /** The move that this one reverses; a reversal stays in its journal. */
  readonly reverses?: {
    readonly id: string;
    readonly journal: number;
    readonly lines: readonly WireLine[];
  };
}

/** The values of account.move, with its lines. The key comes first in the description, which is never edited once posted. */
export function toMove(key: string, journal: Journal, context: MoveContext): Record<string, unknown> {
  const { setup, periodId, reverses } = context;
  return {
    company: setup.company.id,
    journal: reverses?.journal ?? journalOf(journal, setup),
    period: periodId,
    date: date(journal.postingDate),
    description: describedAs(key, journal),
    ...(reverses === undefined ? {} : { origin: `account.move,${reverses.id}` }),
    lines: [
      [
        'create',
        journal.lines.map((line, index) => ({
          ...toLine(line, journal, context),
          ...taxLines(line, index, context),
        })),
      ],
    ],
  };
}

export function describedAs(key: string, journal: Journal): string {
  return clipText(`${key} ${headText(journal)}`, DESCRIPTION_LENGTH_MAX);
}

function journalOf(journal: Journal, setup: TrytonSetup): number {
  const party = journal.party ?? journal.parties?.[0];
  return party?.kind === 'supplier' ? setup.purchaseJournal : setup.salesJournal;
}

function toLine(line: JournalLine, journal: Journal, context: MoveContext): Record<string, unknown> {
  const { setup, parties } = context;
  const party = line.counterparty === undefined ? undefined : parties.get(partyNumber(line.counterparty));
  const currency = foreignCurrency(line, setup);
  const analytic = Object.entries(line.dimensions ?? {}).map(([name, value]) => ({
    account: setup.axes.get(name)?.values.get(value),
    debit: decimal(line.debit),
    credit: decimal(line.credit),
    date: date(journal.postingDate),
  }));
  return {
    account: setup.accounts.get(line.account)?.id,
    debit: decimal(line.debit),
    credit: decimal(line.credit),
    description: clipText(line.text, DESCRIPTION_LENGTH_MAX),
    ...(party === undefined ? {} : { party }),
    ...(party === undefined || line.dueDate === undefined ? {} : { maturity_date: date(line.dueDate) }),
    ...(currency === undefined || line.currencyAmount === undefined
      ? {}
      : {
          second_currency: setup.currencies.get(currency),
          amount_second_currency: decimal(line.currencyAmount),
        }),
    ...(analytic.length === 0 ? {} : { analytic_lines: [['create', analytic]] }),
  };
}

/** A reversal takes out of the tax report what its original put there. */
function taxLines(
  line: JournalLine,
  index: number,
  { setup, reverses }: MoveContext,
): Record<string, unknown> {
  if (reverses === undefined) return taxLinesOf(line, setup.taxes, setup.accounts);
  const original = reverses.lines[index];
  const isSame = original?.debit.equals(line.credit) === true && original.credit.equals(line.debit);
  const made = isSame ? (original['tax_lines.'] ?? []) : [];
  if (made.length === 0) return {};
  const mirrored = made.map(({ amount, type, tax }) => ({ amount: decimal(amount.negated()), type, tax }));
  return { tax_lines: [['create', mirrored]] };
}

function foreignCurrency(line: JournalLine, setup: TrytonSetup): string | undefined {
  return line.currency === setup.company.currency ? undefined : line.currency;
}

const system = 'Tryton';

/** What the books of this company cannot take, found without asking Tryton. */
export function refusal(key: string, journal: Journal, setup: TrytonSetup): Rejected | null {
  if (!isPostingKey(key) && !isTrialKey(key)) return rejected('invalid', told('KEY_UNFIT', { key }));
  for (const line of journal.lines) {
    const refused = accountRefusal(line.account, setup) ?? lineRefusal(line, setup);
    if (refused) return refused;
  }
  return taxRefusal(journal, setup.taxes, setup.accounts);
}

export function accountRefusal(account: string, setup: TrytonSetup): Rejected | null {
  const known = setup.accounts.get(account);
  if (!known) return rejected('unknown-account', told('ACCOUNT_LACKING', { system, account }), { account });
  if (known.closed)
    return rejected('blocked-account', told('ACCOUNT_SHUT', { system, account, how: 'closed' }), { account });
  if (known.type === null)
    return rejected('blocked-account', told('ACCOUNT_WITHOUT_TYPE', { account }), { account });
  return null;
}

export function dimensionRefusal(
  name: string,
  value: string,
  axes: ReadonlyMap<string, Axis>,
): Rejected | null {
  const axis = axes.get(name);
  if (!axis)
    return rejected(
      'unknown-dimension',
      told('DIMENSION_WITHOUT_PLACE', { system, dimension: name, setting: '`dimensions`' }),
      { dimension: name },
    );
  return axis.values.has(value)
    ? null
    : rejected('unknown-dimension', told('DIMENSION_VALUE_LACKING', { system, dimension: name, value }), {
        dimension: name,
        value,
      });
}

function lineRefusal(line: JournalLine, setup: TrytonSetup): Rejected | null {
  const { account } = line;
  const wantsParty = setup.accounts.get(account)?.party_required === true;
  if (wantsParty && line.counterparty === undefined)
    return rejected('unknown-party', told('ACCOUNT_NEEDS_PARTY', { account }), { account });
  if (!wantsParty && line.counterparty !== undefined)
    return rejected('invalid', told('ACCOUNT_TAKES_NO_PARTY', { account }));
  if (Math.max(line.debit.decimalPlaces(), line.credit.decimalPlaces()) > setup.company.currencyDigits)
    return rejected(
      'invalid',
      told('TOO_MANY_DECIMALS', { account, decimals: setup.company.currencyDigits }),
    );
  const currency = foreignCurrency(line, setup);
  if (currency !== undefined && !setup.currencies.has(currency))
    return rejected('invalid', told('CURRENCY_LACKING', { system, currency }));
  for (const [name, value] of Object.entries(line.dimensions ?? {})) {
    const refused = dimensionRefusal(name, value, setup.axes);
    if (refused) return refused;
  }
  return null;
}

/** A bookkeeper's own description does not begin like a key. */
export function keyIn(description: string | null): string | null {
  const [key = ''] = (description ?? '').split(' ', 1);
  return isPostingKey(key) || isTrialKey(key) ? key : null;
}

export function toReference(move: Pick<WireMove, 'id' | 'post_number'>): ErpReference {
  return { id: String(move.id), ...(move.post_number ? { number: move.post_number } : {}) };
}

export function toEntry(move: WireMove, key: string, isReversed: boolean, setup: TrytonSetup): ErpEntry {
  const isReversal = move.origin?.startsWith('account.move,') === true;
  return {
    reference: toReference(move),
    key,
    state: move.state,
    postingDate: move.date,
    lines: move['lines.'].map((line) => toEntryLine(line, setup)),
    ...(isReversed || isReversal ? { reversed: true } : {}),
  };
}

function toEntryLine(line: WireLine, setup: TrytonSetup): ErpEntryLine {
  const party = line['party.'];
  const currency = line['second_currency.'];
  const dimensions = dimensionsOf(line, setup);
  return {
    account: line['account.'].code ?? '',
    debit: line.debit,
    credit: line.credit,
    ...(currency ? { currency: currency.code } : {}),
    ...(currency && line.amount_second_currency ? { currencyAmount: line.amount_second_currency } : {}),
    ...(party ? { counterparty: kennitalaOf(party) } : {}),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions }),
  };
}

function dimensionsOf(line: WireLine, setup: TrytonSetup): Record<string, string> {
  const dimensions: Record<string, string> = {};
  for (const { 'account.': account } of line['analytic_lines.'] ?? []) {
    for (const [name, axis] of setup.axes)
      if (axis.rootId === account.root) dimensions[name] = account[axis.match] ?? '';
  }
  return dimensions;
}
