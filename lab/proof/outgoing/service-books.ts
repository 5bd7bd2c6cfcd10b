// What stands at the simulated service of what we, or people there, have made: customers, tasks and their hours, templates, costs, drafts
// and invoices. Nothing is merged with anything. An invoice is a document of the service from then on, which the bridge will find.
import { headOf } from '../../../src/domain/source-document.js';
import type { Guid } from '../../../src/domain/ids.js';
import { marksIn, type SubmissionKind } from '../../../src/domain/submission.js';
import type { TargetRequest } from '../../../src/service/invoicing-target.js';
import type { SimulatedDocument } from '../life.js';
import type { SimulatedService } from '../simulated-source.js';

type Body = Readonly<Record<string, unknown>>;

/** What a request says in this field; empty where it says nothing. */
export function textIn(body: Body, field: string): string {
  const value = body[field];
  return typeof value === 'string' ? value : '';
}

export interface Standing {
  readonly kind: SubmissionKind;
  readonly guid: Guid;
  readonly number: string;
  readonly mark: string;
  readonly at: number;
  readonly by: 'us' | 'people' | 'template';
  body: Body;
  /** What lists that are behind still show of it. */
  before: { readonly body: Body; readonly at: number } | null;
  /** Deleted, or deactivated. */
  goneAt: number | null;
  /** Until then AI reads it, and nothing shows it. */
  readonly queuedUntil: number;
  /** Of hours. */
  readonly task?: Guid;
  /** Of a task: people have made an invoice of its hours, and the service calls it invoiced or not. */
  invoiced?: { readonly at: number; readonly isWhole: boolean };
  /** As which it is handed over to the books. */
  document?: SimulatedDocument;
  /** The hash of the bytes that came with it. */
  readonly sha256?: string;
}

/** Where each kind carries its mark. */
const MARKED: Readonly<Partial<Record<SubmissionKind, string>>> = {
  invoice: 'booking',
  draft: 'booking',
  order: 'booking',
  quote: 'booking',
  subscription: 'booking',
  cost: 'description',
  task: 'name',
  hours: 'description',
};
/** A customer carries none: it is known by its kennitala. */
const BY_KENNITALA = 'registration_no';
const VAT = 1.24;

export class ServiceBooks {
  readonly standing: Standing[] = [];
  readonly service: SimulatedService;
  /** AI reads receipts that come alone. */
  readonly readsReceipts: boolean;
  /** Key of a submission → its requests that have left and not arrived. */
  readonly onItsWay = new Map<string, number>();
  /** Guid and field → what people at the service have made of it last. */
  readonly changedHere = new Map<string, string>();
  /** Id of an uploaded file → the hash of its bytes. */
  readonly files = new Map<string, string>();
  /** Uploaded files that no new invoice may name any more. */
  readonly forgotten = new Set<string>();
  /** Guid of a log → the most hours that it ever had. */
  readonly mostHours = new Map<string, { readonly task: Guid; readonly hours: number }>();

  constructor(service: SimulatedService, readsReceipts: boolean) {
    this.service = service;
    this.readsReceipts = readsReceipts;
  }

  keepFile(sha256: string): string {
    const id = `file-${String(this.files.size + 1)}`;
    this.files.set(id, sha256);
    return id;
  }

  /** The hashes of the files that it names. */
  filesOf(body: Body): string[] {
    const ids = textIn(body, 'files')
      .split(',')
      .filter((id) => id !== '');
    return ids.map((id) => this.files.get(id) ?? '');
  }

  live(kind: SubmissionKind): Standing[] {
    return this.standing.filter((one) => one.kind === kind && one.goneAt === null);
  }

  byGuid(guid: string | undefined): Standing | undefined {
    return this.standing.find((one) => one.guid === guid);
  }

  ofMark(kind: SubmissionKind, mark: string): Standing[] {
    return this.live(kind).filter((one) => one.mark === mark && one.by !== 'template');
  }

  /** Items that carry this number at their head. */
  headed(number: string): Standing[] {
    return this.live('item').filter(({ body }) => headOf(textIn(body, 'description')) === number);
  }

  profiles(kennitala: string): Standing[] {
    return this.live('customer').filter(({ body }) => body[BY_KENNITALA] === kennitala);
  }

  /** null: it is refused. */
  take(request: TargetRequest, sha256?: string): Standing | null {
    const { kernel } = this.service;
    const known = this.byGuid(request.guid);
    if (this.#hasForgotten(request.body)) return null;
    if (request.act === 'create') return this.make(request.kind, request.body, 'us', request.guid, sha256);
    if (!known || known.goneAt !== null) return null;
    if (request.act === 'pay') this.change(known, { mark_paid: true });
    else if (request.act === 'update') this.change(known, request.body);
    else if (known.document?.accountingStatus === 'Posted') return null;
    else this.remove(known);
    kernel.note(`the service takes ${request.act} ${known.kind} ${known.guid}`);
    return known;
  }

  /** What was uploaded is not kept for ever. */
  #hasForgotten(body: Body): boolean {
    const { kernel, faulty } = this.service;
    const ids = textIn(body, 'files').split(',');
    const [first] = ids;
    if (!first) return false;
    if (faulty && kernel.chance('an uploaded file is forgotten', 0.1)) this.forgotten.add(first);
    return ids.some((id) => this.forgotten.has(id));
  }

  change(known: Standing, body: Body): void {
    const { nowMs } = this.service.kernel;
    known.before = { body: known.body, at: nowMs };
    known.body = { ...known.body, ...body };
    this.#measure(known);
  }

  remove(known: Standing): void {
    known.goneAt = this.service.kernel.nowMs;
    if (known.document) known.document.deleted = true;
  }

  make(kind: SubmissionKind, body: Body, by: Standing['by'], task?: Guid, sha256?: string): Standing {
    const { kernel } = this.service;
    const number = String(9000 + this.standing.length + 1);
    const isRead = kind === 'cost' && this.readsReceipts && body['amount'] === undefined;
    const standing: Standing = {
      ...{ kind, guid: `made-${number}`, number, by, body, at: kernel.nowMs, before: null, goneAt: null },
      mark: marksIn(textIn(body, MARKED[kind] ?? ''))[0] ?? '',
      queuedUntil: isRead ? kernel.nowMs + kernel.between('how long AI reads', 5_000, 1_500_000) : 0,
      ...(kind === 'hours' && task !== undefined ? { task } : {}),
      ...(sha256 === undefined ? {} : { sha256 }),
    };
    this.standing.push(standing);
    if (kind === 'invoice') this.#handOver(standing);
    this.#measure(standing);
    kernel.note(`the service has ${kind} ${standing.mark} as ${standing.guid}, made by ${by}`);
    return standing;
  }

  /** What is approved is handed over to the books, as an invoice is at once. */
  approve(cost: Standing): void {
    this.#handOver(cost);
  }

  #handOver(standing: Standing): void {
    const { guid, number, body, mark } = standing;
    const amount = Math.abs(Number(body['amount'] ?? '1240'));
    const kind = standing.kind === 'cost' ? ('cost' as const) : ('invoice' as const);
    const credited = body['ref_invoice_guid'];
    const document: SimulatedDocument = {
      ...{ guid, number, kind, amount, issueDate: '2026-03-01', costCode: '2093', booking: mark },
      ...{ accountingStatus: 'Created', status: 'Sent', deleted: false, version: 1, amounts: [amount] },
      ...(typeof credited === 'string' ? { credits: credited } : {}),
      ...{ net: Math.round((amount / VAT) * 100) / 100, isMade: true },
    };
    standing.document = document;
    this.service.documents.set(guid, document);
  }

  #measure({ kind, guid, task, body }: Standing): void {
    if (kind !== 'hours' || task === undefined) return;
    const hours = hoursOf(body);
    const most = Math.max(hours, this.mostHours.get(guid)?.hours ?? 0);
    this.mostHours.set(guid, { task, hours: most });
  }
}

export function hoursOf(body: Body): number {
  const minutes = (time: unknown) => {
    const [hours = '0', rest = '0'] = String(time).split(':');
    return Number(hours) * 60 + Number(rest);
  };
  return (minutes(body['p']) - minutes(body['h'])) / 60;
}
