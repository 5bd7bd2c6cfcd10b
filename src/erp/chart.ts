// What an ERP must know before a journal is sent: the right books, open days, accounts, dimensions, currencies and VAT codes. An ERP's
// folder reads the facts (`ChartFacts`); the checks of a journal (`problemOf`) and of a connection (`findings`) are the same for all.
import type { Journal, JournalLine } from '../domain/journal.js';
import type { IsoDate } from '../domain/source-document.js';
import type { Shut } from '../language/english/adapter-refusals.js';
import { asAnswer, ReadFailed } from './answer.js';
import type { ExpectedChart, Finding, Lacking, Rejected } from './erp-adapter.js';
import type { Subledger } from './partner-directory.js';
import { asTold, failedCheck, type Message, rejected, remedyOf, saidBy, type Told, told } from './told.js';
import type { Clock } from '../domain/runtime.js';

export interface ChartFacts {
  /** Whose books these are. */
  readonly company: { readonly company: string; readonly registrationNo?: string };
  account(number: string): AccountFact | undefined;
  /** The account in texts, where the ERP knows it by another code. */
  labelOf?(number: string): string;
  /** Undefined: the settings give this dimension of the rules no place in the ERP. */
  dimension(name: string): DimensionFact | undefined;
  /** Null: journals can be posted on that day. Left out: the ERP does not show it. */
  closedDay?(day: IsoDate): ClosedDay | null;
  hasCurrency?(currency: string): boolean;
  /** What keeps every journal from being posted. */
  generalProblem?(): Rejected | null;
  /** How many decimals the ERP keeps of ISK. */
  readonly iskDecimals?: number;
  /** What else keeps an account from being used, in a journal and in the rules alike. */
  accountProblem?(number: string): Rejected | null;
  lineProblem?(line: JournalLine): Rejected | null;
  /** A VAT code that no document can be posted with: a warning, since the rules may never use it. */
  vatProblem?(vatCode: string): VatProblem | null;
  /** What else a person should see to. */
  warnings?(): Finding[];
}

export interface AccountFact {
  readonly name?: string | undefined;
  readonly shut?: Shut | undefined;
  readonly isHeading?: boolean;
}

export interface DimensionFact {
  /** Its name in texts. */
  readonly name: string;
  has(value: string): boolean;
}

export interface ClosedDay {
  /** The same for all days that are closed for this reason. */
  readonly reason: Told;
  /** With the day. */
  readonly refusal: Told;
}

export interface VatProblem {
  readonly problem: Rejected;
  readonly remedy?: Told;
}

/** What is asked about. An ERP that keeps a whole chart at hand may ignore it. */
export interface Wanted {
  readonly accounts: readonly string[];
  readonly dimensions: readonly string[];
  readonly vatCodes: readonly string[];
  readonly days: readonly IsoDate[];
  /** Only in a connection check: currencies that documents are in. */
  readonly currencies: readonly string[];
}

export interface ChartOptions<Facts extends ChartFacts> {
  /** Name of the ERP in texts. */
  readonly system: string;
  /** The setting that gives a dimension its place. */
  readonly dimensionSetting: string;
  /** Lines with a kennitala must be on one of these accounts. Left out: the ERP takes a partner on any line. */
  readonly subledger?: Subledger;
  /** What to do when the facts cannot be read. */
  readonly remedy?: Told;
  /** May answer from memory. Both throw `ReadFailed`. */
  read(wanted: Wanted): Promise<Facts>;
  /** As the ERP has it now. */
  readNow(wanted: Wanted): Promise<Facts>;
}

const NOTHING: Wanted = { accounts: [], dimensions: [], vatCodes: [], days: [], currencies: [] };

export class Chart<Facts extends ChartFacts> {
  readonly #options: ChartOptions<Facts>;

  constructor(options: ChartOptions<Facts>) {
    this.#options = options;
  }

  /** The facts once the books have shown that they are those of the configured company. Throws `ReadFailed`. */
  open(): Promise<Facts> {
    return this.#options.readNow(NOTHING);
  }

  /**
   * The facts when all that the journal names can be posted. A problem counts only when the ERP has it now; it is thrown as `ReadFailed`.
   */
  async check(journal: Journal): Promise<Facts> {
    const wanted = wantedBy(journal);
    const kept = await this.#options.read(wanted);
    if (problemOf(journal, kept, this.#options) === null) return kept;
    const fresh = await this.#options.readNow(wanted);
    const problem = problemOf(journal, fresh, this.#options);
    if (problem) throw new ReadFailed(problem);
    return fresh;
  }

  async findings(expected: ExpectedChart): Promise<Finding[]> {
    const { system, remedy } = this.#options;
    const correct = told('CORRECT_IN_ERP', { system });
    const wanted = {
      accounts: expected.accounts,
      vatCodes: expected.vatCodes,
      dimensions: Object.keys(expected.dimensions),
      days: expected.postingDates ?? [],
      currencies: expected.currencies ?? [],
    };
    const answer = await asAnswer(() => this.#options.readNow(wanted));
    if (answer.outcome !== 'ok') return [failedCheck(answer, remedy ?? correct)];
    const facts = answer.value;
    const problems = [
      ...chartProblems(expected, {
        account: (number) => accountProblem(number, facts, system),
        dimension: (name, value) => dimensionProblem(name, value, facts, this.#options),
      }),
      facts.generalProblem?.() ?? [],
    ].flat();
    const lacking = [
      ...problems.map((problem) => lackingFinding(problem, correct)),
      ...currencyFindings(system, expected, (currency) => facts.hasCurrency?.(currency) ?? true),
    ];
    const { company } = facts.company;
    const ready = told('READY_ACCOUNTS', { company, count: expected.accounts.length });
    const found: Finding[] = lacking.length > 0 ? lacking : [{ severity: 'ok', ...ready }];
    return [
      ...withNames(found, expected, (number) => facts.account(number)?.name),
      ...vatFindings(expected, facts, correct),
      ...(facts.warnings?.() ?? []),
      ...periodFindings(
        facts.closedDay && expected.postingDates,
        (day) => facts.closedDay?.(day)?.reason ?? null,
      ),
    ];
  }
}

function wantedBy({ lines, postingDate }: Journal): Wanted {
  return {
    accounts: lines.map(({ account }) => account),
    dimensions: lines.flatMap(({ dimensions = {} }) => Object.keys(dimensions)),
    vatCodes: lines.flatMap(({ vatCode }) => vatCode ?? []),
    days: [postingDate],
    currencies: [],
  };
}

type Rules = Pick<ChartOptions<ChartFacts>, 'system' | 'dimensionSetting' | 'subledger'>;

/** The first thing in the journal that this ERP cannot post; null when there is none. */
export function problemOf(journal: Journal, facts: ChartFacts, rules: Rules): Rejected | null {
  const { postingDate, lines } = journal;
  const closed = facts.closedDay?.(postingDate);
  if (closed) return rejected('closed-period', closed.refusal, { period: postingDate });
  const general = facts.generalProblem?.();
  if (general) return general;
  for (const line of lines) {
    const problem = lineProblem(line, facts, rules);
    if (problem) return problem;
  }
  return null;
}

function lineProblem(line: JournalLine, facts: ChartFacts, rules: Rules): Rejected | null {
  const { account, counterparty: kennitala, currency } = line;
  const { system, subledger } = rules;
  const { iskDecimals: decimals = Infinity } = facts;
  // Some ERPs round amounts without a word, so more decimals are refused here.
  if (line.debit.plus(line.credit).decimalPlaces() > decimals)
    return rejected('invalid', told('TOO_MANY_DECIMALS', { account, decimals }));
  if (subledger && kennitala !== undefined && !isIn(subledger, account))
    return rejected('invalid', told('ACCOUNT_NOT_LISTED', { account, kennitala }));
  const problem = accountProblem(account, facts, system) ?? facts.lineProblem?.(line);
  if (problem) return problem;
  for (const [name, value] of Object.entries(line.dimensions ?? {})) {
    const unknown = dimensionProblem(name, value, facts, rules);
    if (unknown) return unknown;
  }
  if (currency !== undefined && facts.hasCurrency?.(currency) === false)
    return rejected('invalid', told('CURRENCY_LACKING', { system, currency }));
  return null;
}

function isIn({ customers, suppliers }: Subledger, account: string): boolean {
  return customers.includes(account) || suppliers.includes(account);
}

function accountProblem(account: string, facts: ChartFacts, system: string): Rejected | null {
  const found = facts.account(account);
  const about = { account };
  const named = { system, account: facts.labelOf?.(account) ?? account };
  if (!found) return rejected('unknown-account', told('ACCOUNT_LACKING', named), about);
  if (found.shut !== undefined)
    return rejected('blocked-account', told('ACCOUNT_SHUT', { ...named, how: found.shut }), about);
  if (found.isHeading === true) return rejected('unknown-account', told('ACCOUNT_HEADING', about), about);
  return facts.accountProblem?.(account) ?? null;
}

/** Without a value: whether the dimension has a place at all. */
function dimensionProblem(
  dimension: string,
  value: string | undefined,
  facts: ChartFacts,
  { system, dimensionSetting: setting }: Rules,
): Rejected | null {
  const known = facts.dimension(dimension);
  if (!known) {
    const text = told('DIMENSION_WITHOUT_PLACE', { system, dimension, setting });
    return rejected('unknown-dimension', text, { dimension });
  }
  if (value === undefined || known.has(value)) return null;
  const text = told('DIMENSION_VALUE_LACKING', { system, dimension: known.name, value });
  return rejected('unknown-dimension', text, { dimension, value });
}

function vatFindings({ vatCodes }: ExpectedChart, facts: ChartFacts, correct: Told): Finding[] {
  return vatCodes.flatMap((vatCode): Finding[] => {
    const found = facts.vatProblem?.(vatCode);
    if (!found) return [];
    return [{ ...lackingFinding(found.problem, found.remedy ?? correct), severity: 'warning' }];
  });
}

// What a connection check says about the accounts and dimensions that a tenant's rules name: each one that cannot be used.
export interface ChartProblems {
  readonly account: (number: string) => Rejected | null;
  /** Without a value: whether the dimension itself is known. */
  readonly dimension: (name: string, value: string | undefined) => Rejected | null;
}

export function chartProblems(expected: ExpectedChart, { account, dimension }: ChartProblems): Rejected[] {
  return [
    ...expected.accounts.map(account),
    ...Object.entries(expected.dimensions).flatMap(([name, values]) =>
      (values.length === 0 ? [undefined] : values).map((value) => dimension(name, value)),
    ),
  ].filter((problem) => problem !== null);
}

/** A refusal as a finding that says what is lacking, so that a plan can count the documents that need it. */
export function lackingFinding(problem: Rejected, remedy: Told): Finding {
  const lacks = lackingOf(problem);
  return { ...failedCheck(problem, remedy), ...(lacks && { lacks }) };
}

function lackingOf({ account, dimension, value, vatCode }: Rejected): Lacking | null {
  if (account !== undefined) return { account };
  if (dimension !== undefined) return { dimension, ...(value === undefined ? {} : { value }) };
  return vatCode === undefined ? null : { vatCode };
}

/** Foreign currencies that documents are in and the ERP does not have, or has switched off. */
export function currencyFindings(
  erp: string,
  { currencies = [] }: ExpectedChart,
  isKnown: (currency: string) => boolean,
): Finding[] {
  return currencies
    .filter((currency) => !isKnown(currency))
    .map((currency) => ({
      severity: 'error',
      ...told('CURRENCY_LACKING', { system: erp, currency }),
      ...remedyOf(told('SWITCH_CURRENCY_ON', { system: erp })),
      lacks: { currency },
    }));
}

/** The names of the accounts that were asked about go with the first finding, whatever it says. */
export function withNames(
  [first, ...rest]: readonly Finding[],
  { accounts }: ExpectedChart,
  nameOf: (number: string) => string | null | undefined,
): Finding[] {
  if (!first) return [];
  const named = accounts.flatMap((number) => {
    const name = nameOf(number) ?? '';
    return name === '' ? [] : [[number, name] as const];
  });
  return [{ ...first, accountNames: Object.fromEntries(named) }, ...rest];
}

/**
 * What a connection check says about closed periods: one finding a reason, or that every day is open. `closed` says why nothing can be
 * posted on a day, without naming the day where that is possible; an adapter outside this repository may return plain text.
 */
export function periodFindings(
  days: readonly IsoDate[] | undefined,
  closed: (day: IsoDate) => Told | string | null,
): Finding[] {
  if (days === undefined || days.length === 0) return [];
  const byReason = new Map<string, { readonly why: Message; readonly found: IsoDate[] }>();
  for (const day of [...days].sort()) {
    const reason = closed(day);
    if (reason === null) continue;
    const text = asTold(reason);
    const same = byReason.get(text.message) ?? { why: saidBy(text), found: [] };
    same.found.push(day);
    byReason.set(text.message, same);
  }
  if (byReason.size === 0)
    return [{ severity: 'ok', about: 'period', ...told('DAYS_OPEN', { count: days.length }) }];
  return [...byReason.values()].map(({ why, found }) => ({
    severity: 'error',
    about: 'period',
    lacks: { days: found },
    ...told('DAYS_CLOSED', { count: found.length, first: found[0] ?? '', last: found.at(-1) ?? '', why }),
    ...remedyOf(told('OPEN_THE_PERIOD')),
  }));
}

// Something that is slow to fetch and seldom changes (a chart of accounts), kept for a while. Failures are not kept, and
// many who ask at once share one request.
export class Remembered<T> {
  readonly #clock: Clock;
  readonly #lifeMs: number;
  readonly #fetch: () => Promise<T>;
  #kept: { readonly value: T; readonly until: number } | undefined;
  #underWay: Promise<T> | undefined;

  constructor(clock: Clock, lifeMs: number, fetch: () => Promise<T>) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
    this.#fetch = fetch;
  }

  async get(): Promise<T> {
    const isFresh = this.#kept && this.#clock.now().getTime() < this.#kept.until;
    return this.#kept && isFresh ? this.#kept.value : this.fresh();
  }

  /** For when what is kept lacks something that a person may have added since. */
  fresh(): Promise<T> {
    this.#underWay ??= this.#load().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #load(): Promise<T> {
    const value = await this.#fetch();
    this.#kept = { value, until: this.#clock.now().getTime() + this.#lifeMs };
    return value;
  }
}
