// What people inside the service can do, and what a tester can do to it. The control API, the start page and in-process
// tests all go through here.
import type { ArmedFault, FaultOptions } from '../faults/fault-plan.js';
import type { JournalEntry, JournalFilter } from '../journal.js';
import {
  type AccountData,
  type AccountProfile,
  type Attachment,
  type Cost,
  type Customer,
  type Invoice,
  TAX_CODES,
} from '../model.js';
import type { OAuthClient } from '../oauth/clients.js';
import type { AccountOptions } from '../options.js';
import type { RuleId } from '../rules.js';
import type { Account } from '../service/account.js';
import { approveCost, costOf, createCostAdvanced } from '../service/costs.js';
import { createInvoice } from '../service/invoice-create.js';
import { invoiceOf } from '../service/invoices.js';
import { customerOf } from '../service/customers.js';
import { DataObject } from '../service/data-object.js';
import { issuePrepared } from '../service/prepared-invoices.js';
import type { SandboxState } from '../state.js';
import { addDays } from '../clock.js';
import { totalsOf } from '../money.js';
import { taskOf } from '../service/tasks.js';
import { generateAccount } from '../world/generate-account.js';

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

// Documents entered by a person on the start page: a few fields, the rest as the service's own forms would fill it in,
// through the same rules as the API.
interface SimpleSale {
  /** Left out: the account's first customer. */
  readonly customerGuid?: string;
  readonly description?: string;
  readonly qty?: number;
  /** Excluding VAT. */
  readonly unitPrice?: string | number;
  readonly tax?: string;
  readonly issueDate?: string;
}

function issueSimpleInvoice(account: Account, sale: SimpleSale): Invoice {
  const fields = new DataObject({ ...sale });
  const today = account.service.clock.today();
  const issue = fields.date('issueDate') ?? today;
  const line = {
    qty: fields.integer('qty', 1),
    unit_price: fields.decimal('unitPrice', '10000'),
    tax: fields.oneOf('tax', TAX_CODES, 'S'),
    discount: '0',
    discount_type: false,
  };
  const customer = fields.text('customerGuid') || account.customers.keys().next().value;
  const buyer = customer === undefined ? undefined : account.customers.get(customer);
  const description = fields.text('description') || 'Entered by hand';
  return createInvoice(
    account,
    new DataObject({
      type: 'invoice',
      currency: 'ISK',
      amount: totalsOf([line], buyer?.tax_exempt ?? false).amount / 100,
      issue_date: issue,
      due_date: addDays(issue, buyer?.due_date ?? 3),
      settlement_date: addDays(issue, Math.max(buyer?.due_date ?? 3, buyer?.settlement_date ?? 7)),
      description,
      customer: { guid: customer ?? '' },
      items: [{ ...line, add_new: 1, item_number: account.nextItemNumber(), description, uom: 'C62' }],
    }),
  );
}

/**
 * What a person does on the page of a task: an invoice of the hours that stand there, which the task names from then on. `stays`: more is to
 * be worked on it, so that it is still open.
 */
function invoiceTask(account: Account, guid: string, stays: boolean): Invoice {
  const task = taskOf(account, guid);
  const hours = task.logs.reduce((sum, log) => sum + log.quantity, 0) / 100;
  const { unit_price: unitPrice, tax } = task.item;
  const sale = { description: task.name, qty: Math.max(1, Math.round(hours)), unitPrice, tax };
  const customerGuid = task.customer?.guid;
  const invoice = issueSimpleInvoice(account, customerGuid === undefined ? sale : { ...sale, customerGuid });
  task.invoices = [...task.invoices, invoice.guid];
  if (!stays) task.status = 'invoiced';
  return invoice;
}

/** The fields of create-cost-adv, each with a default; what is not among them (currency, project_name) is set as given. */
function enterCost(account: Account, given: Record<string, unknown>): Cost {
  const [known] = account.costs.values();
  const fields = {
    date: account.service.clock.today(),
    how_paid: 1,
    type: '2533',
    supplier_id: known?.supplier_id ?? account.profile.registration_no,
    supplier_name: known?.supplier_name ?? account.profile.name,
    ...withoutEmpty(given),
  };
  const cost = createCostAdvanced(account, new DataObject(fields), null);
  if (typeof given['currency'] === 'string' && given['currency'] !== '') cost.currency = given['currency'];
  if (typeof given['project_name'] === 'string') cost.project_name = given['project_name'];
  return cost;
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null));
}

// Documents at a glance, for people and tests: newest first, with what bookkeeping said about them.
type DocumentKind = 'invoice' | 'cost';

interface DocumentOverview {
  readonly kind: DocumentKind;
  readonly guid: string;
  readonly number: string;
  readonly counterparty: string;
  readonly description: string;
  readonly amount: number;
  readonly currency: string;
  readonly issueDate: string;
  readonly status: string;
  readonly accountingStatus: string | null;
  readonly accountingMessage: string;
  readonly updatedTimestamp: string;
}

interface DocumentsFilter {
  readonly kind: DocumentKind;
  readonly accountingStatus?: string;
  readonly limit?: number;
}

function overviews(account: Account, filter: DocumentsFilter): DocumentOverview[] {
  const query = {
    statuses: filter.accountingStatus === undefined ? null : [filter.accountingStatus],
    filterBy: 'created',
    sortBy: 'created',
    descending: true,
    from: null,
    to: null,
    offset: 0,
    limit: filter.limit ?? null,
  } as const;
  return filter.kind === 'invoice'
    ? account.invoices.page(query).map(invoiceOverview)
    : account.costs.page(query).map(costOverview);
}

function invoiceOverview(invoice: Invoice): DocumentOverview {
  return {
    kind: 'invoice',
    guid: invoice.guid,
    number: invoice.number,
    counterparty: invoice.customer.name,
    description: invoice.description,
    amount: invoice.amount / 100,
    currency: invoice.currency,
    issueDate: invoice.issue_date,
    status: invoice.type === 'credit' ? `Credit note, ${invoice.status}` : invoice.status,
    accountingStatus: invoice.accounting_status,
    accountingMessage: invoice.accounting_message,
    updatedTimestamp: invoice.updated_timestamp,
  };
}

function costOverview(cost: Cost): DocumentOverview {
  return {
    kind: 'cost',
    guid: cost.guid,
    number: cost.supplier_invoice_number,
    counterparty: cost.supplier_name,
    description: cost.description,
    amount: cost.amount / 100,
    currency: cost.currency,
    issueDate: cost.issue_date,
    status: cost.credit_note ? 'Credit note' : 'Cost',
    accountingStatus: cost.accounting_status,
    accountingMessage: cost.accounting_message,
    updatedTimestamp: cost.updated_timestamp,
  };
}

// Turns what somebody asked for into an account's opening records.

const DOCUMENTS_DEFAULT = 60;
const DAYS_BACK = 90;

export function openAccount(state: SandboxState, options: AccountOptions): AccountData {
  const data = options.data ?? generate(state, options);
  const username = options.username ?? freeUsername(state, data.profile);
  if (state.accounts.has(username)) throw new RangeError(`An account is already called ${username}`);
  const { profile } = data;
  return {
    ...data,
    profile: {
      ...profile,
      username,
      api_key: options.apiKey ?? profile.api_key,
      password: options.password ?? profile.password,
      name: options.name ?? profile.name,
      registration_no: options.registrationNo ?? profile.registration_no,
      cost_ai: options.costAi ?? profile.cost_ai,
      scopes: options.scopes ?? profile.scopes,
      ...options.profile,
    },
  };
}

function generate(state: SandboxState, options: AccountOptions): AccountData {
  const today = state.clock.today();
  return generateAccount({
    seed: options.seed ?? `${state.seed}:account:${state.accounts.size + 1}`,
    invoices: options.invoices ?? DOCUMENTS_DEFAULT,
    costs: options.costs ?? DOCUMENTS_DEFAULT,
    from: options.from ?? addDays(options.to ?? today, -DAYS_BACK),
    to: options.to ?? today,
    now: state.clock.timestamp(),
    ...(options.name === undefined ? {} : { companyName: options.name }),
    ...(options.trade === undefined ? {} : { trade: options.trade }),
    ...(options.difficulty === undefined ? {} : { difficulty: options.difficulty }),
    ...(options.customers === undefined ? {} : { customers: options.customers }),
    ...(options.postedBefore === undefined ? {} : { postedBefore: options.postedBefore }),
  });
}

function freeUsername(state: SandboxState, profile: AccountProfile): string {
  if (!state.accounts.has(profile.username)) return profile.username;
  return `${profile.username}-${state.accounts.size + 1}`;
}
