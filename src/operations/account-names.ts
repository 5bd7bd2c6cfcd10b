// What accounts are called in the ERP's chart, for whoever reads a journal. A page never waits for an ERP: it shows the names that are
// known, and those that come in a moment.
import type { TenantName } from '../domain/ids.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../domain/runtime.js';
import { ruleAccounts } from '../pipeline/mapping/rules.js';
import type { ConnectedTenants } from './connected-tenants.js';

export type Names = Readonly<Record<string, string>>;

interface Kept {
  readonly names: Names;
  /** Without a name too: whoever asks for these again is not worth a request. */
  readonly asked: ReadonlySet<string>;
  readonly until: number;
}

const LIFE_MS = 60 * 60_000;
/** An ERP that was away is asked again after this long. */
const FAILED_MS = 60_000;
const WAIT_MS = 150;
const TENANTS_MAX = 1_000;
const ACCOUNTS_MAX = 2_000;
const NONE: Names = {};

export class AccountNames {
  readonly #connections: ConnectedTenants;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #underWay = new Map<string, Promise<Names>>();

  constructor(connections: ConnectedTenants, clock: Clock) {
    this.#connections = connections;
    this.#clock = clock;
  }

  async of(tenant: TenantName, accounts: readonly string[]): Promise<Names> {
    const kept = this.#kept.get(tenant);
    const isFresh = kept !== undefined && this.#clock.now().getTime() < kept.until;
    if (isFresh && accounts.every((account) => kept.asked.has(account))) return kept.names;
    const known = kept?.names ?? NONE;
    return Promise.race([this.#loading(tenant, accounts), sleep(WAIT_MS, known, { ref: false })]);
  }

  #loading(tenant: TenantName, accounts: readonly string[]): Promise<Names> {
    const begun = this.#underWay.get(tenant);
    if (begun) return begun;
    const loading = this.#load(tenant, accounts).finally(() => this.#underWay.delete(tenant));
    this.#underWay.set(tenant, loading);
    return loading;
  }

  async #load(tenant: TenantName, accounts: readonly string[]): Promise<Names> {
    const before = this.#kept.get(tenant);
    const asked = new Set([...accounts, ...(before?.asked ?? [])]);
    try {
      const { erp, rules } = await this.#connections.get(tenant);
      for (const account of ruleAccounts(rules).accounts) asked.add(account);
      const some = [...asked].slice(0, ACCOUNTS_MAX);
      const findings = await erp.validate({ accounts: some, vatCodes: [], dimensions: {} });
      const named = findings.flatMap(({ accountNames }) =>
        accountNames === undefined ? [] : [accountNames],
      );
      // An ERP that does not answer says so in a finding; one that has no names says nothing of them.
      const isAway = named.length === 0 && findings.some(({ severity }) => severity === 'error');
      if (isAway) return this.#keep(tenant, before?.names ?? NONE, asked, FAILED_MS);
      return this.#keep(tenant, Object.assign({}, ...named) as Names, asked, LIFE_MS);
    } catch {
      // Whoever checks the connection is told why; here it is only names that lack.
      return this.#keep(tenant, before?.names ?? NONE, asked, FAILED_MS);
    }
  }

  #keep(tenant: TenantName, names: Names, asked: ReadonlySet<string>, lifeMs: number): Names {
    this.#kept.delete(tenant);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < TENANTS_MAX) break;
      this.#kept.delete(oldest);
    }
    this.#kept.set(tenant, { names, asked, until: this.#clock.now().getTime() + lifeMs });
    return names;
  }
}
