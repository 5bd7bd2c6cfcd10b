// What a plan adds up: how many documents would be posted, why the others would not, and totals per account of those that
// would. What the ERP lacks is known only after all documents were read, so a document counts as posted at the end.
import { type Decimal, sum, ZERO } from '../domain/money.js';
import type { Journal } from '../domain/journal.js';
import { plainJournal } from '../domain/journal-json.js';
import type { Finding, Lacking, Rejected, RejectionCode } from '../erp/erp-adapter.js';
import { type Language, reasonSubject, say } from '../language/say.js';
import { saidBy } from '../language/messages.js';
import type { MappingOutcome } from '../pipeline/mapping/outcome.js';
import type { Asked } from './foresee.js';
import type { WaitingRow } from './records.js';
import type { PlanView } from './views/act.js';

export type Planned =
  | MappingOutcome
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'unreadable' }
  /** The rules have a journal for it, and this ERP connection cannot take it. */
  | { readonly outcome: 'not-taken'; readonly refusal: Rejected };

/** What the journals of the examined documents name that the ERP has to know. */
export interface Used {
  readonly postingDates: readonly string[];
  readonly dimensions: Readonly<Record<string, readonly string[]>>;
  readonly currencies: readonly string[];
}

const DAYS_MAX = 400;
/** Of one dimension. */
const VALUES_MAX = 500;

interface ReadyDocument {
  readonly row: WaitingRow;
  readonly parts: readonly { readonly part: 'main' | 'settlement'; readonly journal: Journal }[];
}

export class PlanSums {
  readonly #journalsMax: number;
  readonly #language: Language;
  readonly #outcomes: PlanView['outcomes'] = {
    ...{ post: 0, skip: 0, defer: 0, hold: 0, park: 0, reject: 0, gone: 0, unreadable: 0 },
  };
  readonly #reasons = new Map<string, PlanView['reasons'][number]>();
  readonly #ready: ReadyDocument[] = [];

  constructor(journalsMax: number, language: Language) {
    this.#journalsMax = journalsMax;
    this.#language = language;
  }

  add(row: WaitingRow, planned: Planned): void {
    if (planned.outcome === 'not-taken') {
      this.#refuse(planned.refusal);
      return;
    }
    if (planned.outcome === 'gone' || planned.outcome === 'unreadable') {
      this.#outcomes[planned.outcome]++;
      return;
    }
    if (planned.outcome !== 'post') {
      const { outcome, reason: code, why } = planned;
      this.#stop({
        outcome,
        code,
        subject: reasonSubject(this.#language, why),
        sentence: say(this.#language, why),
      });
      return;
    }
    const { journal, settlement } = planned;
    const parts = [{ part: 'main' as const, journal }];
    this.#ready.push({
      row,
      parts: settlement ? [...parts, { part: 'settlement', journal: settlement }] : parts,
    });
  }

  /** As the posting would rest: held where the ERP's people cure it, parked otherwise. */
  #refuse(refusal: Rejected): void {
    const sentence = say(this.#language, saidBy(refusal));
    const { code: refused, party, period } = refusal;
    const subject = party ?? period ?? refused;
    if (refused === 'closed-period')
      this.#stop({ outcome: 'hold', code: 'ERP_PERIOD_CLOSED', subject, sentence });
    else if (HELD.has(refused)) this.#stop({ outcome: 'hold', code: 'ERP_CONFIGURATION', subject, sentence });
    else this.#stop({ outcome: 'park', code: 'ERP_REFUSED', subject: refused, sentence });
  }

  #stop(reason: Omit<PlanView['reasons'][number], 'count' | 'outcome'> & { outcome: Stopped }): void {
    this.#outcomes[reason.outcome]++;
    const name = `${reason.outcome} ${reason.code} ${reason.subject}`;
    const known = this.#reasons.get(name) ?? { ...reason, count: 0 };
    this.#reasons.set(name, { ...known, count: known.count + 1 });
  }

  /** Each day once; of very many the oldest, since periods close from the beginning. */
  used(): Used {
    const journals = this.#ready.flatMap(({ parts }) => parts.map(({ journal }) => journal));
    const lines = journals.flatMap((journal) => journal.lines);
    const dimensions = new Map<string, Set<string>>();
    for (const [name, value] of lines.flatMap((line) => Object.entries(line.dimensions ?? {}))) {
      const values = dimensions.get(name) ?? new Set();
      if (values.size < VALUES_MAX) dimensions.set(name, values.add(value));
    }
    return {
      postingDates: [...new Set(journals.map(({ postingDate }) => postingDate))].sort().slice(0, DAYS_MAX),
      dimensions: Object.fromEntries([...dimensions].map(([name, values]) => [name, [...values]])),
      currencies: [...new Set(journals.flatMap(currenciesOf))].sort(),
    };
  }

  /** Those that lack nothing: whether the ERP takes each of them is asked one by one. */
  whole(lacking: readonly Finding[]): Asked[] {
    const whole = this.#ready.filter((document) => lackedBy(document, lacking) === undefined);
    return whole.flatMap(({ row: { key }, parts: [main] }) => (main ? [{ key, journal: main.journal }] : []));
  }

  /** `lacking` are findings that name what the ERP lacks: a document that needs one of them is held, not posted. */
  result(
    lacking: readonly Finding[],
    names: Readonly<Record<string, string>>,
    refusals: ReadonlyMap<string, Rejected>,
  ) {
    const posted = this.#ready.filter((document) => {
      const found = lackedBy(document, lacking);
      const refusal = found ? undefined : refusals.get(document.row.key);
      if (found?.lacks) this.#stop({ outcome: 'hold', ...heldFor(found.lacks), sentence: found.message });
      if (refusal) this.#refuse(refusal);
      return !found && !refusal;
    });
    this.#outcomes.post = posted.length;
    const parts = posted.flatMap(({ row, parts: some }) => some.map((one) => ({ row, ...one })));
    const accounts = accountTotals(parts.map(({ journal }) => journal));
    const debits = parts.flatMap(({ journal }) => journal.lines.map((line) => line.debit));
    return {
      outcomes: this.#outcomes,
      reasons: [...this.#reasons.values()].sort((a, b) => b.count - a.count),
      accounts: accounts.map((row) => ({ ...row, name: names[row.account] ?? null })),
      totalIsk: sum(debits).toFixed(),
      journals: parts.slice(0, this.#journalsMax).map(({ row, part, journal }) => ({
        ...{ postingId: row.postingId, guid: row.guid, key: row.key },
        ...{ part, journal: plainJournal(journal) },
      })),
      journalsLeftOut: Math.max(0, parts.length - this.#journalsMax),
    };
  }
}

const HELD: ReadonlySet<RejectionCode> = new Set([
  ...([
    'unknown-account',
    'blocked-account',
    'unknown-dimension',
    'unknown-vat-code',
    'unknown-party',
  ] as const),
]);

function lackedBy({ parts }: ReadyDocument, lacking: readonly Finding[]): Finding | undefined {
  return lacking.find(({ lacks }) => lacks && parts.some((part) => needs(part, lacks)));
}

type Stopped = Exclude<keyof PlanView['outcomes'], 'post' | 'gone' | 'unreadable'>;

function currenciesOf({ lines }: Journal): string[] {
  return lines.flatMap(({ currency }) => (currency === undefined || currency === 'ISK' ? [] : [currency]));
}

function needs({ journal }: { readonly journal: Journal }, lacks: Lacking): boolean {
  if ('days' in lacks) return lacks.days.includes(journal.postingDate);
  if ('currency' in lacks) return currenciesOf(journal).includes(lacks.currency);
  return journal.lines.some((line) => {
    if ('account' in lacks) return line.account === lacks.account;
    if ('vatCode' in lacks) return line.vatCode === lacks.vatCode;
    const value = line.dimensions?.[lacks.dimension];
    return value !== undefined && (lacks.value === undefined || lacks.value === value);
  });
}

function heldFor(lacks: Lacking): { code: string; subject: string } {
  if ('days' in lacks) return { code: 'ERP_PERIOD_CLOSED', subject: lacks.days[0] ?? '' };
  const code = 'ERP_CONFIGURATION';
  if ('account' in lacks) return { code, subject: lacks.account };
  if ('vatCode' in lacks) return { code, subject: lacks.vatCode };
  if ('currency' in lacks) return { code, subject: lacks.currency };
  return { code, subject: [lacks.dimension, ...(lacks.value === undefined ? [] : [lacks.value])].join('=') };
}

function accountTotals(journals: readonly Journal[]) {
  const totals = new Map<string, { debit: Decimal; credit: Decimal; lines: number }>();
  for (const { account, debit, credit } of journals.flatMap(({ lines }) => lines)) {
    const known = totals.get(account) ?? { debit: ZERO, credit: ZERO, lines: 0 };
    totals.set(account, {
      ...{ debit: known.debit.plus(debit), credit: known.credit.plus(credit) },
      lines: known.lines + 1,
    });
  }
  return [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([account, { debit, credit, lines }]) => ({
      ...{ account, lines },
      ...{ debit: debit.toFixed(), credit: credit.toFixed() },
    }));
}
