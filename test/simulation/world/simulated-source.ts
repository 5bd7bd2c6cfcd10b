// The invoicing service of a simulated run: documents that people hand over late, edit, delete and reopen, and a network that
// loses answers before and after their effect.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { WritableStatus } from '../../../src/domain/accounting-status.js';
import { decodeDocument } from '../../../src/invoicing/decode-document.js';
import type {
  FetchOutcome,
  InvoicingSource,
  ListPage,
  ListQuery,
  UpdateOutcome,
} from '../../../src/invoicing/invoicing-source.js';
import { parse, stringify } from 'lossless-json';
import type { Kernel } from './kernel.js';
import type { Life } from './memory-store.js';

export interface SimulatedDocument {
  readonly guid: string;
  readonly kind: 'invoice';
  readonly number: string;
  amount: number;
  issueDate: string;
  accountingStatus: string;
  status: string;
  deleted: boolean;
  /** Content that was edited after it was handed over. */
  edited: boolean;
  /** Net of its one line; another number makes it contradict itself. */
  net: number;
}

export interface SourceFlaws {
  /** The pipeline is told what it wants to hear when it reads back. */
  readonly echoReadBack?: boolean;
  /** The content looks the same after every edit. */
  readonly hideEdits?: boolean;
}

export class SimulatedService {
  readonly documents = new Map<string, SimulatedDocument>();
  readonly kernel: Kernel;
  faulty = true;
  readonly flaws: SourceFlaws;
  /** Every status that was ever written through the API, in order. */
  readonly writes: { guid: string; status: WritableStatus }[] = [];

  constructor(kernel: Kernel, flaws: SourceFlaws) {
    this.kernel = kernel;
    this.flaws = flaws;
  }

  created(from?: string): SimulatedDocument[] {
    return [...this.documents.values()].filter(
      (document) =>
        !document.deleted && document.accountingStatus === 'Created' && document.issueDate >= (from ?? ''),
    );
  }
}

const PAGE = 7;

export function simulatedSource(service: SimulatedService, life: Life): InvoicingSource {
  const { kernel } = service;
  const call = async <T>(effect: () => T): Promise<T> => {
    await life.step(kernel.between(5, 60));
    if (service.faulty && kernel.chance(0.04))
      throw new CodedError('SOURCE_UNREACHABLE', 'no answer before anything happened');
    const result = effect();
    if (service.faulty && kernel.chance(0.04))
      throw new CodedError('SOURCE_UNREACHABLE', 'the answer was lost');
    await life.step(kernel.between(5, 30));
    return result;
  };
  return {
    hello: () =>
      call(() => ({ name: 'Prufa ehf.', registrationNo: '4504013150', vatNo: '', clockSkewMs: 0 })),
    list: (query, page) => call(() => listPage(service, query, page)),
    count: (query) => call(() => service.created(query.fromDate).length * (query.kind === 'invoice' ? 1 : 0)),
    get: (_kind, guid) => call(() => fetchDocument(service, guid)),
    updateStatus: (_kind, guid, status) => call(() => update(service, guid, status)),
    moveCostToNew: () => Promise.resolve({ outcome: 'refused', message: '' }),
    customer: () => Promise.resolve(null),
    item: () => Promise.resolve(null),
    attachment: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}

function listPage(service: SimulatedService, query: ListQuery, page: number): ListPage {
  const all = query.kind === 'invoice' ? service.created(query.fromDate) : [];
  const some = all.slice((page - 1) * PAGE, page * PAGE);
  return {
    documents: some.map((document) => ({
      guid: document.guid,
      kind: 'invoice',
      accountingStatus: 'Created',
      issueDate: document.issueDate,
      number: document.number,
      amount: String(document.amount),
      currency: 'ISK',
      counterpartyName: '',
      counterpartyKennitala: '',
      updatedTimestamp: '',
    })),
    problems: [],
    hasMore: null,
    fingerprint: some.map((document) => document.guid).join(),
  };
}

function fetchDocument(service: SimulatedService, guid: string): FetchOutcome {
  const document = service.documents.get(guid);
  if (!document || document.deleted) return { outcome: 'gone' };
  const snapshot = snapshotOf(service, document);
  const decoded = decodeDocument('invoice', parse(snapshot));
  if (decoded.outcome === 'malformed') return { outcome: 'unreadable', problem: decoded.problem, snapshot };
  return { outcome: 'found', document: decoded.document, snapshot };
}

function snapshotOf(service: SimulatedService, document: SimulatedDocument): string {
  const net = document.net;
  const description = document.edited && !service.flaws.hideEdits ? 'edited' : 'as issued';
  const record = {
    guid: document.guid,
    number: document.number,
    amount: document.amount,
    currency: 'ISK',
    status: document.status,
    type: 'invoice',
    accounting_status: document.accountingStatus,
    created_date: document.issueDate,
    issue_date: document.issueDate,
    due_date: document.issueDate,
    settlement_date: document.issueDate,
    description,
    items: [
      {
        guid: 'i',
        item_number: 'V1',
        description: 'Vara',
        qty: 1,
        uom: 'C62',
        tax: 'S',
        unit_price: net,
        discount: 0,
        discount_type: 0,
      },
    ],
    customer: { guid: 'c', name: 'Dæmi ehf.', registration_no: '4101212040' },
  };
  return stringify(record) ?? '';
}

function update(service: SimulatedService, guid: string, status: WritableStatus): UpdateOutcome {
  const document = service.documents.get(guid);
  if (!document || document.deleted) return { outcome: 'refused', message: 'No invoice found' };
  if (document.accountingStatus !== 'Created')
    return { outcome: 'refused', message: 'Only Created can be updated' };
  // A no-op that says it succeeded: form fields on one surface, JSON on the other.
  if (service.faulty && service.kernel.chance(0.02)) return { outcome: 'accepted' };
  document.accountingStatus = status;
  service.writes.push({ guid, status });
  service.kernel.note(`source ${document.number} = ${status}`);
  return { outcome: 'accepted' };
}

/** Takes the read-back away: after a write the pipeline hears what it wrote. */
export function echoing(source: InvoicingSource): InvoicingSource {
  const written = new Map<string, WritableStatus>();
  return {
    ...source,
    updateStatus: async (kind, guid, status, message) => {
      written.set(guid, status);
      return source.updateStatus(kind, guid, status, message);
    },
    get: async (kind, guid) => {
      const fetched = await source.get(kind, guid);
      const status = written.get(guid);
      if (fetched.outcome !== 'found' || status === undefined) return fetched;
      return { ...fetched, document: { ...fetched.document, accountingStatus: status } };
    },
  };
}
