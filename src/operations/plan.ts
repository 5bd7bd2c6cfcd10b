// The plan: the exact journals that would be posted now, checked against the ERP's chart and its periods, with totals per account. Nothing is
// written anywhere. The first connection of a tenant goes through it: nothing is posted before a person confirmed one.
import { type Decimal, sum, ZERO } from '../domain/decimal.js';
import type { Journal } from '../domain/journal.js';
import { maskSecrets } from '../domain/secret.js';
import { plainJournal } from '../domain/journal-json.js';
import { mapDocument } from '../pipeline/mapping/map-document.js';
import type { MappingOutcome } from '../pipeline/mapping/outcome.js';
import { ruleAccounts } from '../pipeline/mapping/rule-accounts.js';
import { lookUpContext } from '../pipeline/posting/look-up-context.js';
import type { TenantContext } from '../pipeline/tenant-context.js';
import type { OperationsDeps } from './deps.js';
import { unknownTenant } from './known-tenant.js';
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

type Planned = MappingOutcome | { readonly outcome: 'gone' } | { readonly outcome: 'unreadable' };

export async function planTenant(
  deps: OperationsDeps,
  tenantName: string,
  options: PlanOptions,
): Promise<PlanView> {
  if (!deps.connections.tenant(tenantName)) throw unknownTenant(tenantName, deps.connections.names());
  const tenant = await deps.connections.get(tenantName);
  const limit = Math.min(Math.max(options.limit ?? EXAMINED, 1), EXAMINED_MAX);
  const { rows, total } = await deps.records.waiting(tenantName, limit);
  const sums = new Sums(options.journals ?? JOURNALS);
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const some = rows.slice(start, start + AT_ONCE);
    const planned = await Promise.all(some.map((row) => planDocument(deps, tenant, row)));
    planned.forEach((outcome, index) => {
      const row = some[index];
      if (row) sums.add(row, outcome);
    });
    options.onProgress?.(Math.min(start + AT_ONCE, rows.length), rows.length);
  }
  const checked = await checkedAgainstErp(tenant, sums.postingDates());
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
  postingDates: readonly string[],
): Promise<Pick<PlanView, 'erpAsked' | 'findings'>> {
  const health = await tenant.erp.health();
  if (health.outcome === 'healthy')
    return { erpAsked: true, findings: await findingsOf(tenant, postingDates) };
  const finding = {
    severity: 'error',
    message: maskSecrets(`The ERP could not be asked: ${health.message}`),
    remedy: 'Nothing is known of its accounts and periods. Mend the connection, then plan again.',
  } as const;
  return { erpAsked: false, findings: [finding] };
}

/** An ERP that cannot tell which periods are closed must not look as if all were open. */
async function findingsOf(
  { erp, rules }: TenantContext,
  postingDates: readonly string[],
): Promise<PlanView['findings']> {
  const findings = await erp.validate({ ...ruleAccounts(rules), postingDates });
  const shown = findings.map(({ severity, message, remedy }) => ({
    severity,
    message,
    ...(remedy === undefined ? {} : { remedy }),
  }));
  if (postingDates.length === 0 || findings.some(({ about }) => about === 'period')) return shown;
  return [...shown, PERIODS_NOT_CHECKED];
}

const PERIODS_NOT_CHECKED = {
  severity: 'warning',
  message:
    'Closed periods were not checked: this ERP says only when an entry is sent whether its day is open.',
  remedy: 'Look in the ERP; documents dated into a closed period will be held as ERP_PERIOD_CLOSED.',
} as const;

async function planDocument(deps: OperationsDeps, tenant: TenantContext, row: WaitingRow): Promise<Planned> {
  const fetched = await tenant.source.get(row.kind, row.guid);
  if (fetched.outcome !== 'found') return { outcome: fetched.outcome };
  const context = await lookUpContext({ tenant, stage: { store: deps.postings('plan') } }, fetched.document);
  return mapDocument(fetched.document, tenant.rules, context);
}

class Sums {
  readonly #journalsMax: number;
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
  #journalCount = 0;
  #total: Decimal = ZERO;

  constructor(journalsMax: number) {
    this.#journalsMax = journalsMax;
  }

  add(row: WaitingRow, planned: Planned): void {
    this.#outcomes[planned.outcome]++;
    if (planned.outcome === 'gone' || planned.outcome === 'unreadable') return;
    if (planned.outcome !== 'post') {
      const { outcome, reason: code, subject = '', sentence } = planned;
      const name = `${outcome} ${code} ${subject}`;
      const known = this.#reasons.get(name) ?? { outcome, code, subject, sentence, count: 0 };
      this.#reasons.set(name, { ...known, count: known.count + 1 });
      return;
    }
    this.#addJournal(row, 'main', planned.journal);
    if (planned.settlement) this.#addJournal(row, 'settlement', planned.settlement);
  }

  #addJournal({ postingId, guid, key }: WaitingRow, part: 'main' | 'settlement', journal: Journal): void {
    this.#journalCount++;
    this.#dates.add(journal.postingDate);
    this.#total = this.#total.plus(sum(journal.lines.map((line) => line.debit)));
    for (const { account, debit, credit } of journal.lines) {
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

  /** Each day once; of very many the oldest, since periods close from the beginning. */
  postingDates(): readonly string[] {
    return [...this.#dates].sort().slice(0, DAYS_MAX);
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
