// The plan: the exact journals that would be posted now, checked against the ERP's chart and its periods, with totals per account. Nothing is
// written anywhere. The first connection of a tenant goes through it: nothing is posted before a person confirmed one.
import { message } from '../language/messages.js';
import { type Language, say } from '../language/say.js';
import { type Decimal, sum, ZERO } from '../domain/decimal.js';
import type { Journal } from '../domain/journal.js';
import { maskSecrets } from '../domain/secret.js';
import { plainJournal } from '../domain/journal-json.js';
import { mapDocument } from '../pipeline/mapping/map-document.js';
import type { MappingOutcome } from '../pipeline/mapping/outcome.js';
import { checkJournal } from '../erp/check-journal.js';
import type { Finding, Rejected } from '../erp/erp-adapter.js';
import { ruleAccounts } from '../pipeline/mapping/rule-accounts.js';
import { lookUpContext } from '../pipeline/posting/look-up-context.js';
import type { TenantContext } from '../pipeline/tenant-context.js';
import type { OperationsDeps } from './deps.js';
import { unknownTenant } from './known-tenant.js';
import { otherCompany } from './other-company.js';
import type { WaitingRow } from './records.js';
import type { PlanView } from './views/act.js';

export interface PlanOptions {
  /** Documents to examine, oldest first; each is read at the source. */
  readonly limit?: number | undefined;
  /** Journals in the answer. */
  readonly journals?: number | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

const EXAMINED = 500;
const EXAMINED_MAX = 10_000;
const JOURNALS = 50;
const AT_ONCE = 4;
const DAYS_MAX = 400;
/** Of one dimension. */
const VALUES_MAX = 500;

type Planned =
  | MappingOutcome
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'unreadable' }
  /** The rules have a journal for it, and this ERP connection cannot take it. */
  | { readonly outcome: 'not-taken'; readonly refusal: Rejected };

export async function planTenant(
  deps: OperationsDeps,
  tenantName: string,
  options: PlanOptions,
): Promise<PlanView> {
  if (!deps.connections.tenant(tenantName)) throw unknownTenant(tenantName, deps.connections.names());
  const tenant = await deps.connections.get(tenantName);
  const limit = Math.min(Math.max(options.limit ?? EXAMINED, 1), EXAMINED_MAX);
  const { rows, total } = await deps.records.waiting(tenantName, limit);
  const sums = new Sums(options.journals ?? JOURNALS, deps.language);
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const some = rows.slice(start, start + AT_ONCE);
    const planned = await Promise.all(some.map((row) => planDocument(deps, tenant, row)));
    planned.forEach((outcome, index) => {
      const row = some[index];
      if (row) sums.add(row, outcome);
    });
    options.onProgress?.(Math.min(start + AT_ONCE, rows.length), rows.length);
  }
  const checked = await checkedAgainstErp(tenant, sums.used(), deps.language);
  const stored = (await deps.records.tenants()).find(({ name }) => name === tenantName);
  return {
    tenantName,
    confirmed: Boolean(stored?.planConfirmed),
    examined: rows.length,
    waiting: total,
    ...checked,
    ...sums.result(),
  };
}

/** An ERP that does not answer lacks nothing that anybody knows of; it was not asked. */
async function checkedAgainstErp(
  tenant: TenantContext,
  used: Used,
  language: Language,
): Promise<Pick<PlanView, 'erpAsked' | 'findings'>> {
  const health = await tenant.erp.health();
  if (health.outcome === 'healthy') {
    const other = otherCompany(health, tenant.sourceAccount);
    const findings = await findingsOf(tenant, used, language);
    return { erpAsked: true, findings: other ? [shownOf(other), ...findings] : findings };
  }
  const finding = {
    severity: 'error',
    message: say(language, message('ERP_NOT_ASKED', { answer: maskSecrets(health.message) })),
    remedy: say(language, message('PLAN_AGAIN')),
  } as const;
  return { erpAsked: false, findings: [finding] };
}

/** An ERP that cannot tell which periods are closed must not look as if all were open. */
async function findingsOf(
  { erp, rules }: TenantContext,
  { postingDates, dimensions }: Used,
  language: Language,
): Promise<PlanView['findings']> {
  const expected = ruleAccounts(rules);
  const findings = await erp.validate({
    ...expected,
    // What the rules can produce, and what they do produce: where a dimension takes any text, only documents know the values.
    dimensions: together(expected.dimensions, dimensions),
    postingDates,
  });
  const shown = distinct(findings).map(shownOf);
  if (!erp.capabilities.dimensions && Object.keys(dimensions).length > 0)
    shown.push(dimensionsNotTaken(language, dimensions));
  if (postingDates.length === 0 || findings.some(({ about }) => about === 'period')) return shown;
  return [...shown, periodsNotChecked(language)];
}

function shownOf({ severity, message, remedy }: Finding) {
  return { severity, message, ...(remedy === undefined ? {} : { remedy }) };
}

/** Each thing once: a dimension that is unknown altogether is unknown with every value. */
function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}

function together(
  ...lists: readonly Readonly<Record<string, readonly string[]>>[]
): Record<string, readonly string[]> {
  const all = new Map<string, Set<string>>();
  for (const [name, values] of lists.flatMap((list) => Object.entries(list)))
    all.set(name, new Set([...(all.get(name) ?? []), ...values]));
  return Object.fromEntries([...all].map(([name, values]) => [name, [...values].sort()]));
}

function dimensionsNotTaken(language: Language, dimensions: Used['dimensions']) {
  return {
    severity: 'error' as const,
    message: say(
      language,
      message('NO_DIMENSIONS_TAKEN', { dimensions: Object.keys(dimensions).sort().join(', ') }),
    ),
    remedy: say(language, message('NAME_DIMENSIONS')),
  };
}

const periodsNotChecked = (language: Language) => ({
  severity: 'warning' as const,
  message: say(language, message('PERIODS_NOT_CHECKED')),
  remedy: say(language, message('LOOK_FOR_CLOSED_PERIODS')),
});

async function planDocument(deps: OperationsDeps, tenant: TenantContext, row: WaitingRow): Promise<Planned> {
  const fetched = await tenant.source.get(row.kind, row.guid);
  if (fetched.outcome !== 'found') return { outcome: fetched.outcome };
  const context = await lookUpContext({ tenant, stage: { store: deps.postings('plan') } }, fetched.document);
  const mapped = mapDocument(fetched.document, tenant.rules, context);
  if (mapped.outcome !== 'post') return mapped;
  const refusal = checkJournal(mapped.journal, tenant.erp.capabilities);
  return refusal ? { outcome: 'not-taken', refusal } : mapped;
}

/** What the journals of the examined documents name that the ERP has to know. */
interface Used {
  readonly postingDates: readonly string[];
  readonly dimensions: Readonly<Record<string, readonly string[]>>;
}

class Sums {
  readonly #journalsMax: number;
  readonly #language: Language;
  readonly #outcomes: PlanView['outcomes'] = {
    post: 0,
    skip: 0,
    defer: 0,
    park: 0,
    reject: 0,
    gone: 0,
    unreadable: 0,
  };
  readonly #reasons = new Map<string, PlanView['reasons'][number]>();
  readonly #accounts = new Map<string, { debit: Decimal; credit: Decimal; lines: number }>();
  readonly #journals: PlanView['journals'] = [];
  readonly #dates = new Set<string>();
  readonly #dimensions = new Map<string, Set<string>>();
  #journalCount = 0;
  #total: Decimal = ZERO;

  constructor(journalsMax: number, language: Language) {
    this.#journalsMax = journalsMax;
    this.#language = language;
  }

  add(row: WaitingRow, planned: Planned): void {
    if (planned.outcome === 'not-taken') {
      this.#outcomes.park++;
      const { code, message } = planned.refusal;
      this.#addReason({ outcome: 'park', code: 'ERP_REFUSED', subject: code, sentence: message });
      return;
    }
    this.#outcomes[planned.outcome]++;
    if (planned.outcome === 'gone' || planned.outcome === 'unreadable') return;
    if (planned.outcome !== 'post') {
      const { outcome, reason: code, why } = planned;
      this.#addReason({ outcome, code, subject: why.subject, sentence: say(this.#language, why) });
      return;
    }
    this.#addJournal(row, 'main', planned.journal);
    if (planned.settlement) this.#addJournal(row, 'settlement', planned.settlement);
  }

  #addReason(reason: Omit<PlanView['reasons'][number], 'count'>): void {
    const name = `${reason.outcome} ${reason.code} ${reason.subject}`;
    const known = this.#reasons.get(name) ?? { ...reason, count: 0 };
    this.#reasons.set(name, { ...known, count: known.count + 1 });
  }

  #addJournal({ postingId, guid, key }: WaitingRow, part: 'main' | 'settlement', journal: Journal): void {
    this.#journalCount++;
    this.#dates.add(journal.postingDate);
    this.#total = this.#total.plus(sum(journal.lines.map((line) => line.debit)));
    for (const { account, debit, credit, dimensions = {} } of journal.lines) {
      this.#addDimensions(dimensions);
      const known = this.#accounts.get(account) ?? { debit: ZERO, credit: ZERO, lines: 0 };
      this.#accounts.set(account, {
        debit: known.debit.plus(debit),
        credit: known.credit.plus(credit),
        lines: known.lines + 1,
      });
    }
    if (this.#journals.length < this.#journalsMax)
      this.#journals.push({ postingId, guid, key, part, journal: plainJournal(journal) });
  }

  #addDimensions(dimensions: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(dimensions)) {
      const values = this.#dimensions.get(name) ?? new Set();
      if (values.size < VALUES_MAX) this.#dimensions.set(name, values.add(value));
    }
  }

  /** Each day once; of very many the oldest, since periods close from the beginning. */
  used(): Used {
    const dimensions = [...this.#dimensions].map(([name, values]) => [name, [...values]] as const);
    return {
      postingDates: [...this.#dates].sort().slice(0, DAYS_MAX),
      dimensions: Object.fromEntries(dimensions),
    };
  }

  result() {
    const accounts = [...this.#accounts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([account, { debit, credit, lines }]) => ({
        account,
        debit: debit.toFixed(),
        credit: credit.toFixed(),
        lines,
      }));
    return {
      outcomes: this.#outcomes,
      reasons: [...this.#reasons.values()].sort((a, b) => b.count - a.count),
      accounts,
      totalIsk: this.#total.toFixed(),
      journals: this.#journals,
      journalsLeftOut: this.#journalCount - this.#journals.length,
    };
  }
}
