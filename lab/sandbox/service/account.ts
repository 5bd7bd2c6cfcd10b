// One account of the service: its records and their indexes. Accounts share nothing but the clock and the choices, so
// whatever reaches an account through its own credentials cannot see another.
import { instantOf, timestampText, type SandboxClock } from '../clock.js';
import type {
  AccountData,
  AccountProfile,
  Attachment,
  Cost,
  Customer,
  DateText,
  Invoice,
  Item,
  PreparedInvoice,
  ProductSale,
  RecurringInvoice,
  Task,
} from '../model.js';
import type { Choices } from '../options.js';
import type { Random } from '../random.js';
import { DocumentIndex } from './document-index.js';

export interface ServiceContext {
  readonly clock: SandboxClock;
  readonly choices: Choices;
  readonly random: Random;
  /** Own address, known once the server listens. */
  baseUrl(): string;
  readonly render: Renderers;
  readonly onStatus?: (guid: string, status: string) => void;
}

export interface Renderers {
  invoicePdf(profile: AccountProfile, invoice: Invoice): Promise<Buffer>;
  costUbl(profile: AccountProfile, cost: Cost): string;
  costReceipt(profile: AccountProfile, cost: Cost): Buffer;
}

export interface AuditRecord {
  readonly agent_id: string;
  readonly action: string;
  readonly ip_address: string;
  readonly timestamp: string;
}

/** Uploads and quotes have no delete endpoint, so the oldest give way. */
const FILES_MAX = 500;
const QUOTES_MAX = 10_000;
const AUDIT_MAX = 10_000;

export class Account {
  profile: AccountProfile;
  readonly service: ServiceContext;
  readonly customers = new Map<string, Customer>();
  readonly items = new Map<string, Item>();
  readonly invoices = new DocumentIndex<Invoice>();
  /** Only costs with show_api true. */
  readonly costs = new DocumentIndex<Cost>();
  /** Costs still being processed: not listed, counted or deletable. */
  readonly hiddenCosts = new Map<string, Cost>();
  readonly tasks = new Map<string, Task>();
  readonly productSales = new Map<string, ProductSale>();
  readonly prepared = new Map<string, PreparedInvoice>();
  readonly recurring = new Map<string, RecurringInvoice>();
  readonly quotes = new Map<string, Invoice>();
  readonly files = new Map<string, Attachment>();
  readonly audit: AuditRecord[] = [];
  auditTotal = 0;
  /** The day the next recurring invoice is due; '' when that has to be found out. */
  recurringDue: DateText = '';
  #nextReleaseMs = 0;
  #nextId = 1;
  #nextNumber = 1;
  #nextItemNumber = 1;
  #nextFileId = 1;

  constructor(data: AccountData, service: ServiceContext) {
    this.profile = data.profile;
    this.service = service;
    for (const customer of data.customers) this.customers.set(customer.guid, customer);
    for (const item of data.items) this.items.set(item.guid, item);
    for (const task of data.tasks) this.tasks.set(task.guid, task);
    for (const sale of data.product_sales) this.productSales.set(sale.guid, sale);
    for (const order of data.orders) this.prepared.set(order.guid, order);
    for (const template of data.recurring) this.recurring.set(template.guid, template);
    this.loadDocuments(data.invoices, data.costs);
    this.#nextItemNumber = data.items.length + 1;
  }

  loadDocuments(invoices: readonly Invoice[], costs: readonly Cost[]): void {
    this.invoices.load(invoices);
    this.costs.load(costs.filter((cost) => cost.processing_until === null));
    for (const cost of costs) if (cost.processing_until !== null) this.hiddenCosts.set(cost.guid, cost);
    this.#nextReleaseMs = 0;
    for (const { id } of [...invoices, ...costs]) if (id >= this.#nextId) this.#nextId = id + 1;
    for (const { number } of invoices) {
      const numeric = Number(number);
      if (Number.isSafeInteger(numeric) && numeric >= this.#nextNumber) this.#nextNumber = numeric + 1;
    }
  }

  /** Lets time do its work: processed costs become visible. Looks only when one is due. */
  settle(): void {
    const now = this.service.clock.nowMs();
    if (now < this.#nextReleaseMs) return;
    this.#nextReleaseMs = Infinity;
    for (const cost of [...this.hiddenCosts.values()]) {
      const due = cost.processing_until === null ? 0 : instantOf(cost.processing_until);
      if (due <= now) this.releaseCost(cost);
      else this.#nextReleaseMs = Math.min(this.#nextReleaseMs, due);
    }
  }

  /** show_api false until the clock passes that instant. */
  hideCost(cost: Cost, untilMs: number): void {
    cost.processing_until = timestampText(untilMs);
    this.hiddenCosts.set(cost.guid, cost);
    this.#nextReleaseMs = Math.min(this.#nextReleaseMs, untilMs);
  }

  releaseCost(cost: Cost): void {
    this.hiddenCosts.delete(cost.guid);
    cost.processing_until = null;
    this.costs.add(cost);
  }

  nextId(): number {
    return this.#nextId++;
  }

  nextInvoiceNumber(): string {
    return String(this.#nextNumber++);
  }

  nextItemNumber(): string {
    return String(this.#nextItemNumber++).padStart(4, '0');
  }

  guid(): string {
    return this.service.random.guid();
  }

  storeFile(file: Attachment): string {
    const id = String(this.#nextFileId++);
    keepNewest(this.files, FILES_MAX);
    this.files.set(id, file);
    return id;
  }

  storeQuote(quote: Invoice): void {
    keepNewest(this.quotes, QUOTES_MAX);
    this.quotes.set(quote.guid, quote);
  }

  record(entry: AuditRecord): void {
    this.auditTotal += 1;
    this.audit.push(entry);
    if (this.audit.length > AUDIT_MAX * 2) this.audit.splice(0, AUDIT_MAX);
  }
}

function keepNewest(map: Map<string, unknown>, size: number): void {
  if (map.size < size) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
