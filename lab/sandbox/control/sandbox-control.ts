// What people inside the service can do, and what a tester can do to it. The control API, the start page and in-process
// tests all go through here.
import { enterCost, invoiceTask, issueSimpleInvoice, type SimpleSale } from './by-hand.js';
import { overviews, type DocumentKind, type DocumentOverview, type DocumentsFilter } from './overview.js';
import type { ArmedFault, FaultOptions } from '../faults/fault-plan.js';
import type { JournalEntry, JournalFilter } from '../journal.js';
import type { AccountData, AccountProfile, Attachment, Cost, Customer, Invoice } from '../model.js';
import type { OAuthClient } from '../oauth/clients.js';
import { openAccount } from '../open-account.js';
import type { AccountOptions } from '../options.js';
import type { RuleId } from '../rules.js';
import type { Account } from '../service/account.js';
import { approveCost, costOf } from '../service/costs.js';
import { createInvoice } from '../service/invoice-create.js';
import { invoiceOf } from '../service/invoices.js';
import { customerOf } from '../service/customers.js';
import { DataObject } from '../service/data-object.js';
import { issuePrepared } from '../service/prepared-invoices.js';
import type { SandboxState } from '../state.js';

export interface SandboxControl {
  addAccount(options?: AccountOptions): SandboxAccount;
  /** More documents for an account, ready-made. */
  addDocuments(username: string, documents: { invoices?: Invoice[]; costs?: Cost[] }): void;
  /** Through the same rules as create-invoice. */
  createInvoice(username: string, data: Record<string, unknown>): string;
  /** An invoice of one line, the rest filled in as the service's own form would. */
  issueInvoice(username: string, sale: SimpleSale): string;
  /** The fields of create-cost-adv; `currency`, `date` and the like have defaults. */
  createCost(username: string, fields: Record<string, unknown>): string;
  /** An invoice from an order or draft. */
  issuePrepared(username: string, guid: string): string;
  /** The hours of a task, invoiced on its page; `stays`: it is still open. */
  invoiceTask(username: string, guid: string, stays?: boolean): string;
  /** New → Created, as a person in the service would. */
  approveCost(username: string, guid: string): void;
  /** Ends AI processing at once. */
  processCosts(username: string): number;
  editInvoice(username: string, guid: string, changes: Partial<Omit<Invoice, 'guid' | 'id'>>): void;
  /** Of its profile in the service's own pages; `active: false` deactivates it. */
  editCustomer(username: string, guid: string, changes: Partial<Omit<Customer, 'guid'>>): void;
  editCost(username: string, guid: string, changes: Partial<Omit<Cost, 'guid' | 'id'>>): void;
  /** Without the rules of delete-cost: even what is Posted. */
  deleteDocument(username: string, kind: DocumentKind, guid: string): boolean;
  documents(username: string, filter: DocumentsFilter): DocumentOverview[];
  invoice(username: string, guid: string): Invoice;
  cost(username: string, guid: string): Cost;
  /** What was uploaded, by the id that invoices name it by. */
  uploads(username: string): ReadonlyMap<string, Attachment>;
  addFault(fault: FaultOptions): ArmedFault;
  removeFault(id: number): boolean;
  clearFaults(): void;
  faults(): readonly ArmedFault[];
  advanceClock(milliseconds: number): void;
  setClock(iso: string): void;
  freezeClock(frozen: boolean): void;
  now(): string;
  /** An application provisioned by the operator: any user may consent to an app client. */
  addClient(client: ClientOptions): OAuthClient;
  journal(filter?: JournalFilter): JournalEntry[];
  brokenRules(): { rule: RuleId; text: string; count: number }[];
  clearJournal(): void;
  requestCount(): number;
}

export interface ClientOptions {
  readonly name: string;
  readonly redirectUri: string;
  /** Whose it is; left out: the operator's, so that it must be an app client. */
  readonly owner?: string;
  readonly app?: boolean;
  readonly isPublic?: boolean;
}

export interface SandboxAccount {
  readonly username: string;
  readonly apiKey: string;
  readonly password: string;
  readonly name: string;
  readonly registrationNo: string;
}

export function accountOf(profile: AccountProfile): SandboxAccount {
  return {
    username: profile.username,
    apiKey: profile.api_key,
    password: profile.password,
    name: profile.name,
    registrationNo: profile.registration_no,
  };
}

export function sandboxControl(state: SandboxState): SandboxControl {
  const account = (username: string): Account => {
    const found = state.accounts.get(username);
    if (found === undefined)
      throw new RangeError(`No account is called ${username}: ${[...state.accounts.keys()].join(', ')}`);
    state.settle(found);
    return found;
  };
  return { ...documentControl(account), ...worldControl(state, account) };
}

type FindAccount = (username: string) => Account;

function documentControl(account: FindAccount) {
  return {
    addDocuments: (username: string, documents: { invoices?: Invoice[]; costs?: Cost[] }) =>
      account(username).loadDocuments(documents.invoices ?? [], documents.costs ?? []),
    issueInvoice: (username: string, sale: SimpleSale) => issueSimpleInvoice(account(username), sale).guid,
    createCost: (username: string, fields: Record<string, unknown>) =>
      enterCost(account(username), fields).guid,
    issuePrepared: (username: string, guid: string) => issuePrepared(account(username), guid).guid,
    invoiceTask: (username: string, guid: string, stays = false) =>
      invoiceTask(account(username), guid, stays).guid,
    createInvoice: (username: string, data: Record<string, unknown>) =>
      createInvoice(account(username), new DataObject(data)).guid,
    approveCost: (username: string, guid: string) => void approveCost(account(username), guid),
    processCosts: (username: string) => {
      const owner = account(username);
      const hidden = [...owner.hiddenCosts.values()];
      for (const cost of hidden) owner.releaseCost(cost);
      return hidden.length;
    },
    editInvoice: (username: string, guid: string, changes: Partial<Omit<Invoice, 'guid' | 'id'>>) => {
      const owner = account(username);
      owner.invoices.change(invoiceOf(owner, guid), (invoice) =>
        Object.assign(invoice, { updated_timestamp: owner.service.clock.timestamp() }, changes),
      );
    },
    editCustomer: (username: string, guid: string, changes: Partial<Omit<Customer, 'guid'>>) => {
      const owner = account(username);
      const updated_timestamp = owner.service.clock.timestamp();
      owner.customers.set(guid, { ...customerOf(owner, guid), updated_timestamp, ...changes });
    },
    editCost: (username: string, guid: string, changes: Partial<Omit<Cost, 'guid' | 'id'>>) => {
      const owner = account(username);
      owner.costs.change(costOf(owner, guid), (cost) =>
        Object.assign(cost, { updated_timestamp: owner.service.clock.timestamp() }, changes),
      );
    },
    deleteDocument: (username: string, kind: DocumentKind, guid: string) => {
      const { invoices, costs } = account(username);
      return kind === 'invoice' ? deleteFrom(invoices, guid) : deleteFrom(costs, guid);
    },
    documents: (username: string, filter: DocumentsFilter) => overviews(account(username), filter),
    invoice: (username: string, guid: string) => invoiceOf(account(username), guid),
    cost: (username: string, guid: string) => costOf(account(username), guid),
    uploads: (username: string): ReadonlyMap<string, Attachment> => account(username).files,
  };
}

function worldControl(state: SandboxState, account: FindAccount) {
  return {
    addAccount: (options: AccountOptions = {}) => {
      const data: AccountData = openAccount(state, options);
      return accountOf(account(state.addAccount(data).profile.username).profile);
    },
    addFault: (fault: FaultOptions) => state.faults.add(fault),
    removeFault: (id: number) => state.faults.remove(id),
    clearFaults: () => state.faults.clear(),
    faults: () => state.faults.list(),
    advanceClock: (milliseconds: number) => state.clock.advance(milliseconds),
    setClock: (iso: string) => state.clock.set(readInstant(iso)),
    freezeClock: (frozen: boolean) => {
      if (frozen) state.clock.freeze();
      else state.clock.unfreeze();
    },
    addClient: (client: ClientOptions) =>
      state.clients.create({
        owner: client.owner ?? '',
        name: client.name,
        description: '',
        redirect_uri: client.redirectUri,
        app: client.app ?? client.owner === undefined,
        isPublic: client.isPublic ?? false,
      }),
    now: () => new Date(state.clock.nowMs()).toISOString(),
    journal: (filter?: JournalFilter) => state.journal.read(filter),
    brokenRules: () => state.journal.brokenRules(),
    clearJournal: () => state.journal.clear(),
    requestCount: () => state.journal.total,
  };
}

function readInstant(iso: string): number {
  const instant = Date.parse(iso);
  if (!Number.isFinite(instant)) throw new RangeError(`Not an ISO 8601 instant: ${iso}`);
  return instant;
}

function deleteFrom<R>(
  index: { get(guid: string): R | undefined; delete(record: R): void },
  guid: string,
): boolean {
  const record = index.get(guid);
  if (record === undefined) return false;
  index.delete(record);
  return true;
}
