// Everything one sandbox remembers: its accounts, clock, choices, faults and journal. The surfaces share it and nothing else.
import { SandboxClock } from './clock.js';
import { FaultPlan } from './faults/fault-plan.js';
import { maintenance } from './faults/before-effect.js';
import type { Exchange } from './http/exchange.js';
import type { Reply } from './http/reply.js';
import { Patience } from './http/patience.js';
import { Journal } from './journal.js';
import type { AccountData } from './model.js';
import { DEFAULT_CHOICES, type Choices, type SandboxOptions } from './options.js';
import { seededRandom, type Random } from './random.js';
import { ClientRegister } from './oauth/clients.js';
import { Sessions } from './oauth/consent-page.js';
import { TokenStore } from './oauth/token-store.js';
import { Account, type Renderers, type ServiceContext } from './service/account.js';
import { issueRecurring } from './service/recurring.js';

const JOURNAL_SIZE = 10_000;
export const DEFAULT_MAINT_CODE = 'sandbox-maintenance';

export class SandboxState {
  readonly environment: 'production' | 'development';
  readonly maintCode: string;
  readonly clock = new SandboxClock();
  readonly choices: Choices;
  readonly random: Random;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  readonly accounts = new Map<string, Account>();
  readonly clients: ClientRegister;
  readonly tokens: TokenStore;
  readonly sessions: Sessions;
  readonly patience: Patience;
  /** Clients whose last 401 did not speak of expiry: refreshing now would loop. */
  readonly refusedForOtherReason = new Set<string>();
  readonly seed: string | number;
  readonly #context: ServiceContext;
  #baseUrl = '';

  constructor(options: SandboxOptions, render: Renderers) {
    this.environment = options.environment ?? 'production';
    this.maintCode = options.maintCode ?? DEFAULT_MAINT_CODE;
    this.seed = options.seed ?? 1;
    this.choices = { ...DEFAULT_CHOICES, ...options.choices };
    this.random = seededRandom(`${this.seed}:service`);
    this.faults = new FaultPlan(this.seed, options.faults);
    this.clients = new ClientRegister(this.random);
    this.tokens = new TokenStore(this.clock, this.random, this.choices.accessTokenSeconds);
    this.sessions = new Sessions(this.clock, this.random);
    this.patience = new Patience(options.onItsWayMs ?? 0);
    this.journal = new Journal(options.journalSize ?? JOURNAL_SIZE);
    // Stopped first: between the two a millisecond may pass.
    if (options.frozen === true) this.clock.freeze();
    if (options.now !== undefined) this.clock.set(Date.parse(options.now));
    this.#context = {
      clock: this.clock,
      choices: this.choices,
      random: this.random,
      baseUrl: () => this.#baseUrl,
      render,
      ...(options.onStatus ? { onStatus: options.onStatus } : {}),
    };
  }

  #actions = 0;

  /** "every agent call returns it" */
  nextActionId(): number {
    this.#actions += 1;
    return this.#actions;
  }

  listenAt(url: string): void {
    this.#baseUrl = url;
  }

  addAccount(data: AccountData): Account {
    const account = new Account(data, this.#context);
    if (this.choices.draftsInAccounting)
      for (const invoice of data.invoices)
        if (invoice.accounting_status === null)
          account.invoices.change(invoice, () => (invoice.accounting_status = 'Created'));
    this.accounts.set(data.profile.username, account);
    return account;
  }

  /** Time passes between requests; what it brings about is brought about before an answer. */
  settle(account: Account): void {
    account.settle();
    if (account.recurring.size > 0) issueRecurring(account);
  }

  /** Environments: development answers 503 without its code; production notes an offence. */
  checkMaintenance(exchange: Exchange): Reply | null {
    const code = exchange.request.query.get('en4_maint_code');
    if (this.environment === 'production') {
      if (code !== null)
        exchange.broke('maintenance-code-to-production', 'en4_maint_code was sent to production');
      return null;
    }
    if (code === this.maintCode) return null;
    exchange.broke(
      'maintenance-code',
      code === null ? 'en4_maint_code is missing' : 'en4_maint_code is wrong',
    );
    return maintenance();
  }
}
