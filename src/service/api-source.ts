// The pipeline's port over either surface. What differs is in operations.ts; here is what both promise alike: one status per
// call, an explicit page size, a refusal told apart from refused credentials, and records judged one by one.
import { createHash } from 'node:crypto';
import type { Guid } from '../domain/ids.js';
import { ACCOUNTING_MESSAGE_MAX, type WritableStatus } from '../domain/posting.js';
import { type CodedError, isCoded } from '../domain/errors/coded-error.js';
import type { SourceDocument, SourceInvoice, SourceKind } from '../domain/source-document.js';
import { withFields } from '../domain/with-fields.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { RecordList } from './answers.js';
import type { ApiClient, CallOutcome } from './api-client.js';
import type {
  AccountIdentity,
  FetchOutcome,
  InvoicingSource,
  ListedDocument,
  ListPage,
  ListQuery,
  OriginalsOutcome,
  PaymentFacts,
  SourceCustomer,
  SourceFile,
  SourceItem,
  UpdateOutcome,
} from './invoicing-source.js';
import type { RememberedItems } from './whole-lists.js';
import { DOCUMENTS_PER_PAGE, OPERATIONS } from './operations.js';
import type { Surface } from './source-settings.js';
import type { DocumentRecord } from './wire-shapes.js';
import { canonicalJson } from '../domain/canonical-json.js';
import { onceOf } from '../domain/once-of.js';
import type { JsonObject } from './wire-json.js';

export interface ApiSourceOptions {
  /** Whose account it is; throws where it is not the one of this tenant. */
  hello(): Promise<AccountIdentity>;
  readonly items: RememberedItems;
  readonly pageSize?: number;
}

type Refusal = Extract<CallOutcome<unknown>, { outcome: 'refused' }>;

export class ApiSource implements InvoicingSource {
  readonly #client: ApiClient;
  readonly #surface: Surface;
  readonly #options: ApiSourceOptions;

  constructor(client: ApiClient, surface: Surface, options: ApiSourceOptions) {
    this.#client = client;
    this.#surface = surface;
    this.#options = options;
  }

  hello(): Promise<AccountIdentity> {
    return this.#options.hello();
  }

  async list(query: ListQuery, page: number): Promise<ListPage> {
    const limit = this.#options.pageSize ?? DOCUMENTS_PER_PAGE[this.#surface][query.kind];
    const answer = await OPERATIONS.listDocuments[this.#surface](this.#client, {
      query,
      page: { page, limit },
    });
    if (answer.outcome === 'refused') throw await this.#explainRefusal(answer);
    return toPage(query, answer.value);
  }

  async count(query: ListQuery): Promise<number> {
    const answer = await OPERATIONS.countDocuments[this.#surface](this.#client, query);
    if (answer.outcome === 'refused') throw await this.#explainRefusal(answer);
    return answer.value;
  }

  async get(kind: SourceKind, guid: Guid): Promise<FetchOutcome> {
    const found = await this.#find(() =>
      OPERATIONS.readDocument[this.#surface](this.#client, { kind, guid }),
    );
    if (found === null) return { outcome: 'gone' };
    if (!found.readable) {
      return { outcome: 'unreadable', problem: found.problem, snapshot: snapshotOf(found.raw) };
    }
    const { document, raw } = found.record;
    if (document.guid.toLowerCase() !== guid.toLowerCase()) {
      const snapshot = snapshotOf(raw);
      return { outcome: 'unreadable', problem: 'the service answered with another document', snapshot };
    }
    return new Found(document, raw);
  }

  async updateStatus(
    kind: SourceKind,
    guid: Guid,
    status: WritableStatus,
    message: string,
  ): Promise<UpdateOutcome> {
    const data = {
      accounting_status: status,
      accounting_message: fitMessage(message, ACCOUNTING_MESSAGE_MAX),
    };
    return this.#accepted(await OPERATIONS.setStatus[this.#surface](this.#client, { kind, guid, data }));
  }

  async moveCostToNew(guid: Guid): Promise<UpdateOutcome> {
    return this.#accepted(await OPERATIONS.moveCostToNew[this.#surface](this.#client, guid));
  }

  async customer(guid: Guid): Promise<SourceCustomer | null> {
    const found = await this.#findIfAllowed(() => OPERATIONS.readCustomer[this.#surface](this.#client, guid));
    if (found === null) return null;
    const { name, registration_no: registrationNo, tax_exempt: taxExempt } = found;
    return { guid: found.guid, name, registrationNo, taxExempt };
  }

  item(guid: Guid): Promise<SourceItem | null> {
    return this.#options.items.get(guid, async () => {
      const found = await this.#find(() => OPERATIONS.readItem[this.#surface](this.#client, guid));
      return found && { guid: found.guid, itemNumber: found.item_number, category: found.category };
    });
  }

  originals(kind: SourceKind, guid: Guid): Promise<OriginalsOutcome> {
    return kind === 'invoice' ? this.#invoicePdf(guid) : this.#costFiles(guid);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /**
   * `gone` has consequences (an orphan is reversed), and a status:false alone could be anything. So: a 404 is believed;
   * another refusal only when the credentials still work and the second try says the same.
   */
  async #find<T>(ask: () => Promise<CallOutcome<T>>): Promise<T | null> {
    const first = await ask();
    if (first.outcome === 'ok') return first.value;
    if (first.said === 'http') throw explicitly(first);
    if (first.status === 404) return null;
    await this.#mustBeWelcome(first);
    const second = await ask();
    return second.outcome === 'ok' ? second.value : null;
  }

  /** The worker's grant is nav and cost only: customers are then as unknown as one that is not there. */
  async #findIfAllowed<T>(ask: () => Promise<CallOutcome<T>>): Promise<T | null> {
    try {
      return await this.#find(ask);
    } catch (error) {
      if (isCoded(error, 'SOURCE_FORBIDDEN')) return null;
      throw error;
    }
  }

  async #accepted(answer: CallOutcome<unknown>): Promise<UpdateOutcome> {
    if (answer.outcome === 'ok') return { outcome: 'accepted' };
    await this.#mustBeWelcome(answer);
    return { outcome: 'refused', message: answer.message };
  }

  /** The HTTP code of bad credentials is not shown, so after a refusal the service is asked something harmless. */
  async #mustBeWelcome(refusal: Refusal): Promise<void> {
    const answer = await OPERATIONS.probe[this.#surface](this.#client, {});
    if (answer.outcome === 'refused') throw refusedCredentials(refusal);
  }

  async #explainRefusal(refusal: Refusal): Promise<CodedError> {
    await this.#mustBeWelcome(refusal);
    return explicitly(refusal);
  }

  /** A refusal may be anything: only that the invoice itself is gone settles it. */
  async #invoicePdf(guid: Guid): Promise<OriginalsOutcome> {
    const readPdf = OPERATIONS.readInvoicePdf[this.#surface];
    if (readPdf === null) return { outcome: 'unavailable' };
    const answer = await readPdf(this.#client, guid);
    if (answer.outcome === 'ok') {
      const { file, file_name: fileName } = answer.value;
      return { outcome: 'found', files: [{ role: 'pdf', fileName, content: fromBase64(file) }] };
    }
    const invoice = await this.get('invoice', guid);
    return invoice.outcome === 'gone' ? { outcome: 'gone' } : { outcome: 'found', files: [] };
  }

  async #costFiles(guid: Guid): Promise<OriginalsOutcome> {
    const found = await this.get('cost', guid);
    if (found.outcome === 'gone') return { outcome: 'gone' };
    if (found.outcome !== 'found' || found.document.kind !== 'cost') return { outcome: 'found', files: [] };
    const { fileBase64, fileName, xmlBase64 } = found.document;
    const file = (role: SourceFile['role'], name: string, text: string | null): SourceFile[] =>
      text === null ? [] : [{ role, fileName: name, content: fromBase64(text) }];
    return {
      outcome: 'found',
      files: [...file('file', fileName, fileBase64), ...file('ubl', `${guid}.xml`, xmlBase64)],
    };
  }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** null: it is none. Buffer would take what it can and drop the rest, which makes another file of it. */
function fromBase64(text: string): Uint8Array | null {
  return BASE64.test(text.replaceAll(/\s/g, '')) ? Buffer.from(text, 'base64') : null;
}

function toPage({ kind, whole }: ListQuery, list: RecordList<DocumentRecord<SourceDocument>>): ListPage {
  const documents = list.records.map(({ document, raw }) => ({
    ...toListed(document),
    ...(whole ? { record: raw } : {}),
  }));
  const guids = [...documents.map(({ guid }) => guid), ...list.problems.map(({ guid }) => guid ?? '?')];
  const fingerprint = createHash('sha256').update(guids.join('\n')).digest('hex').slice(0, 32);
  const problems = list.problems.map(({ guid, problem }) => ({ kind, guid, problem }));
  return { documents, problems, hasMore: guids.length === 0 ? false : list.hasMore, fingerprint };
}

function toListed(document: SourceDocument): ListedDocument {
  const { guid, kind, accountingStatus, issueDate, currency, updatedTimestamp } = document;
  const party =
    document.kind === 'invoice'
      ? { number: document.number, name: document.customer.name, kennitala: document.customer.registrationNo }
      : { number: '', name: '', kennitala: document.supplierId };
  return {
    guid,
    kind,
    accountingStatus,
    issueDate,
    currency,
    updatedTimestamp,
    number: party.number,
    amount: document.amount.toFixed(),
    counterpartyName: party.name,
    counterpartyKennitala: party.kennitala,
    ...(document.kind === 'invoice' ? { payment: paymentOf(document), referGuid: document.referGuid } : {}),
  };
}

/** Not the document itself: a list of thousands is kept for a while. */
function paymentOf(invoice: SourceInvoice): PaymentFacts {
  const { type, status, currency, amount, claimStatus, bankTransactionAmount } = invoice;
  const { capitalGainsTax, otherDefaultCostsAmount, defaultChargeAmount, defaultInterestAmount } = invoice;
  const costs = { capitalGainsTax, otherDefaultCostsAmount, defaultChargeAmount, defaultInterestAmount };
  return withFields({ type, status, currency, amount, claimStatus, bankTransactionAmount }, costs);
}

function refusedCredentials(refusal: Refusal): CodedError {
  return coded('SOURCE_CREDENTIALS_REFUSED', message('EVERY_CALL_REFUSED', { answer: refusal.message }));
}

function explicitly(refusal: Refusal): CodedError {
  const details = { status: refusal.status, errorCode: refusal.errorCode };
  return coded('SOURCE_REFUSED', message('SERVICE_REFUSED', { answer: refusal.message }), { details });
}

// A document as the service has it now. It is read three times on its way and stored once: the text that is stored is made for whoever
// asks for it.

export class Found {
  readonly outcome = 'found';
  readonly document: SourceDocument;
  readonly record: JsonObject;

  constructor(document: SourceDocument, record: JsonObject) {
    this.document = document;
    this.record = record;
  }

  get snapshot(): string {
    return snapshotOf(this.record);
  }
}

/** Everything but the attachment, which is large and is fetched again when it is needed. */
const snapshotOf = onceOf((raw: JsonObject) => {
  const { file: _file, ...rest } = raw;
  return canonicalJson(rest);
});

// accounting_message is limited to 500 of an unstated unit; both readings are kept to.
const CUT = '…';

/** At most `max` characters and `max` bytes, cut at a character. */
export function fitMessage(message: string, max: number): string {
  const clean = message.replace(/\s+/g, ' ').trim();
  if (clean.length <= max && Buffer.byteLength(clean) <= max) return clean;
  let kept = '';
  let bytes = Buffer.byteLength(CUT);
  for (const character of clean) {
    bytes += Buffer.byteLength(character);
    if (bytes > max) break;
    kept += character;
  }
  return kept.trimEnd() + CUT;
}
