// The port of outbound over either surface. A creation that was neither explicitly accepted nor explicitly refused by the
// service itself may have happened: then the outcome is unknown, and whoever asked searches before anything is sent again.
import { CodedError, retryAfterMs, waitMsOf } from '../domain/errors/coded-error.js';
import type { Guid } from '../domain/ids.js';
import { type Told, wordsOf } from '../domain/message.js';
import type { IsoDate } from '../domain/source-document.js';
import type { SubmissionKind } from '../domain/submission.js';
import { told } from '../language/messages.js';
import { isUnsent } from './account-check.js';
import type { Created } from './answers.js';
import type { ApiClient, CallOutcome } from './api-client.js';
import { CostRegister } from './cost-register.js';
import { CREDENTIAL_ENDPOINTS as credential } from './credential-endpoints.js';
import { CustomerBook } from './customer-book.js';
import { InvoiceRegister } from './invoice-register.js';
import { endpointOf, paramsOf, surfaceBreach } from './surface-breach.js';
import { breachSaid, attachmentRules } from './write-rules.js';
import type {
  CostDays,
  FoundCost,
  FoundCustomer,
  FoundInvoice,
  FoundItem,
  FoundTask,
  HowRecent,
  InvoicingTarget,
  MarkField,
  Search,
  SendOutcome,
  TargetFile,
  TargetRequest,
  UploadOutcome,
} from './invoicing-target.js';
import type { Surface } from './source-settings.js';
import { TaskBook } from './task-book.js';
import type { CallResult } from './endpoint.js';
import { everyPage, heldAgainst, valueOf } from './whole-lists.js';
import { OPERATIONS } from './operations.js';

type Unaccepted = Exclude<SendOutcome, { outcome: 'accepted' }>;

export class ApiTarget implements InvoicingTarget {
  readonly #client: ApiClient;
  readonly #surface: Surface;
  readonly #customers: CustomerBook;
  readonly #invoices: InvoiceRegister;
  readonly #costs: CostRegister;
  readonly #tasks: TaskBook;
  readonly #items: ItemBook;

  constructor(client: ApiClient, surface: Surface) {
    this.#client = client;
    this.#surface = surface;
    this.#customers = new CustomerBook(client, surface);
    this.#invoices = new InvoiceRegister(client, surface);
    this.#costs = new CostRegister(client, surface);
    this.#items = new ItemBook(client, surface);
    this.#tasks = new TaskBook(client, surface);
  }

  takes(kind: SubmissionKind): boolean {
    return endpointOf(this.#surface, { act: 'create', kind, body: {} }) !== undefined;
  }

  breach(request: TargetRequest, file?: TargetFile): Told | null {
    return surfaceBreach(this.#surface, request, this.#client.today(), file);
  }

  /** What was surely refused in one spelling of the documents is asked for once more in the other; no other refusal is repeated. */
  async send(request: TargetRequest, leaveBy: Date, file?: TargetFile): Promise<SendOutcome> {
    const outcome = await this.#sendOnce(request, leaveBy, file);
    const respelt = outcome.outcome === 'rejected' ? otherSpelling(request) : null;
    if (outcome.outcome !== 'rejected' || respelt === null) return outcome;
    const second = await this.#sendOnce(respelt, leaveBy, file);
    // Which of the two is about the spelling nobody can tell.
    return second.outcome === 'rejected' && second.message !== outcome.message
      ? { outcome: 'rejected', message: `${outcome.message} | ${second.message}` }
      : second;
  }

  async #sendOnce(request: TargetRequest, leaveBy: Date, file?: TargetFile): Promise<SendOutcome> {
    const endpoint = endpointOf(this.#surface, request);
    if (endpoint === undefined)
      return { outcome: 'rejected', ...told('NO_WAY_TO', { act: request.act, kind: request.kind }) };
    try {
      const answer = await this.#client.callUntyped(endpoint, paramsOf(this.#surface, request, file), {
        leaveBy,
      });
      return answer.outcome === 'ok' ? accepted(answer.value as Created | null) : await this.#refused(answer);
    } catch (error) {
      return judgeError(error);
    }
  }

  async upload(file: TargetFile, leaveBy: Date): Promise<UploadOutcome> {
    if (this.#surface === 'agent') return { outcome: 'rejected', ...told('FILES_NOT_BY_AGENT') };
    // Its name and size were judged with the request; what is in it only now. It goes to a customer, under that name.
    const [breach] = attachmentRules(file);
    if (breach !== undefined)
      return {
        outcome: 'rejected',
        ...told('FILE_BREACH', { file: file.fileName, what: breachSaid(breach) }),
      };
    try {
      const answer = await this.#client.callUntyped(credential['upload-file'], { file }, { leaveBy });
      if (answer.outcome !== 'ok') return await this.#refused(answer);
      const { guid, id } = answer.value as Created;
      return { outcome: 'uploaded', id: guid ?? id ?? '' };
    } catch (error) {
      return judgeError(error);
    }
  }

  findInvoices(
    mark: string,
    field: MarkField,
    issueDate: IsoDate,
    recent: HowRecent,
  ): Promise<Search<FoundInvoice>> {
    return this.#invoices.find(mark, field, issueDate, recent);
  }

  readInvoice(named: string, mark: string, field: MarkField): Promise<FoundInvoice | null> {
    return this.#invoices.read(named, mark, field);
  }

  listMade(kind: 'draft' | 'order', guid: Guid): Promise<readonly FoundInvoice[] | null> {
    return this.#invoices.listMade(kind, guid);
  }

  findCustomers(kennitala: string): Promise<Search<FoundCustomer>> {
    return this.#customers.find(kennitala);
  }

  listCustomers(): Promise<Search<FoundCustomer>> {
    return this.#customers.list();
  }

  listItems(how: 'now' | 'lately'): Promise<Search<FoundItem>> {
    return this.#items.list(how);
  }

  readItem(guid: Guid): Promise<FoundItem | null> {
    return this.#items.read(guid);
  }

  findCosts(mark: string, days: CostDays, how: 'now' | 'lately'): Promise<Search<FoundCost>> {
    return this.#costs.find(mark, days, how);
  }

  readCost(guid: Guid): Promise<FoundCost | null> {
    return this.#costs.read(guid);
  }

  listTasksToBill(): Promise<Search<FoundTask>> {
    return this.#tasks.listToBill();
  }

  findTasks(mark: string): Promise<Search<FoundTask>> {
    return this.#tasks.find(mark);
  }

  readTask(guid: Guid): Promise<FoundTask | null> {
    return this.#tasks.read(guid);
  }

  endTask(guid: Guid): Promise<void> {
    return this.#tasks.end(guid);
  }

  /** Refused credentials look like any other refusal (Document 1, "Authentication" 5), so something harmless is asked. */
  async #refused(refusal: Extract<CallOutcome<unknown>, { outcome: 'refused' }>): Promise<Unaccepted> {
    const { message, said } = refusal;
    if (said === 'http') return { outcome: 'unknown', message };
    const probe = await OPERATIONS.probe[this.#surface](this.#client, {});
    return probe.outcome === 'ok'
      ? { outcome: 'rejected', message }
      : { outcome: 'not-sent', why: 'refused-credentials', message };
  }
}

/** Document 1: "the yearly value spelled `yearly` in one place and `annuall` in another". */
function otherSpelling(request: TargetRequest): TargetRequest | null {
  if (request.act !== 'create' || request.body['recurring_interval'] !== 'yearly') return null;
  return { ...request, body: { ...request.body, recurring_interval: 'annuall' } };
}

function accepted(created: Created | null): SendOutcome {
  const { guid = null, id = null, paymentLink = null } = created ?? {};
  return { outcome: 'accepted', guid, id, paymentLink };
}

/** Codes that are said before a byte leaves. */
const UNSENT: ReadonlySet<string> = new Set([
  'SOURCE_UNREACHABLE',
  'SOURCE_CIRCUIT_OPEN',
  'SOURCE_NEEDS_CONSENT',
  'SOURCE_GRANT_BUSY',
  'SOURCE_GRANT_UNREADABLE',
  'SOURCE_TOKEN_KEY_INVALID',
  'SOURCE_SETTINGS_INVALID',
]);
const TURNED_AWAY: ReadonlySet<string> = new Set(['SOURCE_CREDENTIALS_REFUSED', 'SOURCE_FORBIDDEN']);

export function judgeError(error: unknown): Unaccepted {
  if (!(error instanceof CodedError))
    return { outcome: 'unknown', message: error instanceof Error ? error.message : String(error) };
  const { code, details } = error;
  const words = wordsOf(error);
  const wait = { retryAfterMs: retryAfterMs(error), waitMs: waitMsOf(error) };
  if (code === 'SOURCE_PARAMETERS_INVALID' || code === 'SOURCE_WRITE_RULE')
    return { outcome: 'rejected', ...words };
  if (isUnsent(error)) {
    const isRefused = error.definition.disposition === 'pause-tenant';
    return { outcome: 'not-sent', why: isRefused ? 'refused-credentials' : 'away', ...words, ...wait };
  }
  if (code === 'SOURCE_CANCELLED') return { outcome: 'not-sent', why: 'too-late', ...words };
  // A verdict is there when something answered. A 429 is not in the documents, so it may be anybody's.
  const wasAnswered = details['verdict'] !== undefined;
  if (UNSENT.has(code) || (code === 'SOURCE_RATE_LIMITED' && !wasAnswered))
    return { outcome: 'not-sent', why: 'away', ...words, ...wait };
  // Only where the service itself said it, in JSON.
  if (TURNED_AWAY.has(code) && (!wasAnswered || details['errorCode'] !== undefined))
    return { outcome: 'not-sent', why: 'refused-credentials', ...words };
  return { outcome: 'unknown', ...words };
}

// The catalogue of an account, as whoever keeps it in step looks at it. The service searches it by nothing (both documents), so it is
// read whole, and kept for some minutes for those who only want to know the past.

const LATELY_MS = 10 * 60 * 1_000;
const PAGE_SIZE = 100;
type WireItem = CallResult<(typeof credential)['get-item']>;

class ItemBook {
  readonly #client: ApiClient;
  readonly #surface: Surface;
  #lately: { readonly at: number; readonly items: readonly FoundItem[] } | null = null;

  constructor(client: ApiClient, surface: Surface) {
    this.#client = client;
    this.#surface = surface;
  }

  async list(how: 'now' | 'lately'): Promise<Search<FoundItem>> {
    const at = this.#client.now().getTime();
    if (how === 'lately' && this.#lately !== null && at - this.#lately.at < LATELY_MS)
      return { outcome: 'complete', found: this.#lately.items };
    const counted = valueOf(await this.#count());
    const pages = await everyPage(
      (page) => this.#page(page),
      ({ guid }) => guid,
    );
    const listed = heldAgainst(counted, pages, 'items');
    if (listed.outcome === 'incomplete') return listed;
    const items = [...listed.records.values()].map(asFound);
    this.#lately = { at, items };
    return { outcome: 'complete', found: items };
  }

  async read(guid: Guid): Promise<FoundItem | null> {
    const answer = await OPERATIONS.readItem[this.#surface](this.#client, guid);
    if (answer.outcome === 'ok') return asFound(answer.value);
    // Refused credentials look alike (Document 1, "Authentication" 5); whoever is not let in cannot count either.
    valueOf(await this.#count());
    return null;
  }

  #count() {
    return OPERATIONS.countItems[this.#surface](this.#client, {});
  }

  async #page(page: number) {
    const asked = { page, limit: PAGE_SIZE };
    return valueOf(await OPERATIONS.listItems[this.#surface](this.#client, asked));
  }
}

function asFound(item: WireItem): FoundItem {
  const { guid, item_number: number, description, uom, tax, category } = item;
  const fields = { description, uom, tax, category, unit_price: item.unit_price.toFixed() };
  return { guid, number, fields: { ...fields, active: item.active ? '1' : '0' } };
}
