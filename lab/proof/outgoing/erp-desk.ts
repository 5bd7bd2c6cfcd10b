// An ERP of a simulated run whose people post invoices and keep files beside them, which they change and take away. What reads it is the
// origin itself (origins/erp): its cursor, its patterns, and the look at a document before it leaves.
import { createHash } from 'node:crypto';
import { goesWith } from '../../../src/origins/file-patterns.js';
import type { Told } from '../../../src/origins/origin.js';
import { contentText, readContent } from '../../../src/origins/content.js';
import type { Kernel } from '../kernel.js';
import type { Life } from '../life.js';

export interface DeskFlaws {
  /** Other bytes under the same name are the same version. */
  readonly sameVersion?: boolean;
  /** Nobody looks at an invoice again before it leaves. */
  readonly looksOnce?: boolean;
  /** The files beside an invoice are those that it was listed with first. */
  readonly keepsList?: boolean;
}

export interface DeskFile {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** null: a link. */
  readonly bytes: Uint8Array | null;
}

export interface DeskInvoice {
  readonly id: string;
  readonly reference: string;
  readonly content: string;
  readonly at: number;
  files: readonly DeskFile[];
  isCancelled: boolean;
  /** Hashes of the files that go with it, since when; null: it may not leave. */
  readonly history: { readonly at: number; readonly files: string | null }[];
}

/** Between when and when somebody has looked at an invoice and made a request of it. */
interface Leaving {
  /** Hashes of what it names. */
  readonly files: string;
  readonly from: number;
  readonly to: number;
}

export const DESK = 'erp';
export const PATTERNS: readonly string[] = ['*.pdf', '!innra*'];
/** Whoever has not looked at all has it from a list of a while ago. */
const UNSEEN_MS = 5 * 60_000;

export class ErpDesk {
  readonly kernel: Kernel;
  readonly flaws: DeskFlaws;
  readonly invoices = new Map<string, DeskInvoice>();
  /** By mark, in the order in which it was said. */
  readonly told = new Map<string, Told[]>();
  /** By reference. */
  readonly leavings = new Map<string, Leaving[]>();
  /** What stood beside an invoice when somebody first asked. */
  readonly listedFirst = new Map<string, readonly DeskFile[]>();
  readonly #looks = new WeakMap<Life, Map<string, number>>();
  faulty = true;
  #sequence = 0;

  constructor(kernel: Kernel, flaws: DeskFlaws) {
    this.kernel = kernel;
    this.flaws = flaws;
  }

  post(reference: string, value: Readonly<Record<string, unknown>>): DeskInvoice {
    const read = readContent('invoice', value);
    if (read.outcome === 'problem') throw new Error(`invoice ${reference}: ${read.words.message}`);
    const invoice: DeskInvoice = {
      ...{ id: String(++this.#sequence), reference, content: contentText(read.content) },
      ...{ at: this.kernel.nowMs, files: [], isCancelled: false, history: [] },
    };
    this.invoices.set(invoice.id, invoice);
    this.kernel.note(`${DESK} has invoice ${reference}`);
    this.#remember(invoice);
    return invoice;
  }

  cancel(invoice: DeskInvoice): void {
    invoice.isCancelled = true;
    this.kernel.note(`${DESK} has cancelled invoice ${invoice.reference}`);
    this.#remember(invoice);
  }

  /** One of that name in its place, or beside the others; null: a link. */
  attach(invoice: DeskInvoice, name: string, bytes: Uint8Array | null): void {
    const before = invoice.files.find((file) => file.name === name);
    const sequence = String(++this.#sequence);
    const version = this.flaws.sameVersion ? '1' : sequence;
    const file = { id: before?.id ?? sequence, name, version, bytes };
    invoice.files = before
      ? invoice.files.map((one) => (one === before ? file : one))
      : [...invoice.files, file];
    this.kernel.note(`${name} of ${invoice.reference} is ${before ? 'another' : 'put there'}`);
    this.#remember(invoice);
  }

  detach(invoice: DeskInvoice, file: DeskFile): void {
    invoice.files = invoice.files.filter((one) => one !== file);
    this.kernel.note(`${file.name} of ${invoice.reference} is taken away`);
    this.#remember(invoice);
  }

  /** Whether it may go to the service as it is now. */
  mayLeave({ isCancelled, files }: DeskInvoice): boolean {
    return !isCancelled && chosen(files).every(({ bytes }) => bytes !== null);
  }

  looked(life: Life, reference: string): void {
    const looks = this.#looks.get(life) ?? new Map<string, number>();
    this.#looks.set(life, looks.set(reference, this.kernel.nowMs));
  }

  /** The same request may leave again, also with the same files under other names: it was made once. */
  leaves(life: Life, reference: string, files: string): void {
    const known = this.leavings.get(reference) ?? [];
    if (known.some((one) => one.files === files)) return;
    const to = this.kernel.nowMs;
    const from = this.#looks.get(life)?.get(reference) ?? to - UNSEEN_MS;
    this.leavings.set(reference, [...known, { files, from, to }]);
  }

  #remember(invoice: DeskInvoice): void {
    const hashes = chosen(invoice.files).map(({ bytes }) => hashOf(bytes ?? new Uint8Array()));
    const files = this.mayLeave(invoice) ? hashes.join(' ') : null;
    invoice.history.push({ at: this.kernel.nowMs, files });
  }
}

function chosen(files: readonly DeskFile[]): DeskFile[] {
  return files.filter(({ name }) => goesWith(PATTERNS, name));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What stood beside it at any moment of that time. */
export function stoodBetween({ history }: DeskInvoice, from: number, to: number): (string | null)[] {
  return history
    .filter(({ at }, index) => at <= to && (history[index + 1]?.at ?? Infinity) >= from)
    .map(({ files }) => files);
}
