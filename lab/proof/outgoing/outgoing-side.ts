// The other direction of a simulated world: its records, its origins, and what stands at the service.
import { BillableHours } from '../../../src/origins/billable-hours.js';
import type { Origin } from '../../../src/origins/origin.js';
import {
  OUTBOUND_TIMING,
  type OutboundTenant,
  type OutboundTiming,
  type OutboundWish,
} from '../../../src/outbound/stage.js';
import type { Clock } from '../../../src/domain/runtime.js';
import type { Kernel } from '../kernel.js';
import type { Life } from '../life.js';
import { MemorySubmissions, type SubmissionFlaws } from '../memory-submissions.js';
import { PRUFA } from '../memory-records.js';
import type { SimulatedService } from '../simulated-source.js';
import { DESK, type DeskFlaws, ErpDesk, type DeskFile, type DeskInvoice, PATTERNS } from './erp-desk.js';
import { ServiceBooks } from './service-books.js';
import { originOf, Shelf, type ShelfFlaws } from './shelf.js';
import { type SeededTargetFlaws, simulatedTarget } from './simulated-target.js';
import { ErpOrigin } from '../../../src/origins/erp-origin.js';
import {
  type ErpFeed,
  type ErpRecords,
  type Reading,
  type ErpFiles,
  withFiles,
} from '../../../src/origins/erp-records.js';

/** Guards that are taken away, one at a time. */
export interface OutgoingFlaws {
  readonly store?: SubmissionFlaws;
  readonly target?: SeededTargetFlaws;
  readonly origin?: ShelfFlaws & {
    /** In which period an hour was first seen is forgotten. */
    readonly forgetsHours?: boolean;
    /** What people have invoiced at the service is not heeded. */
    readonly billsInvoiced?: boolean;
  };
  readonly desk?: DeskFlaws;
  readonly timing?: Partial<OutboundTiming>;
  /** Nothing that the service lists is taken for ours. */
  readonly knowsNothingOfOurs?: boolean;
}

export interface OutgoingSide {
  readonly records: MemorySubmissions;
  readonly books: ServiceBooks;
  readonly shelves: readonly Shelf[];
  /** An ERP whose documents have files beside them; null: nobody posts anything there. */
  readonly desk: ErpDesk | null;
  readonly flaws: OutgoingFlaws;
  readonly wish: OutboundWish;
  readonly timing: OutboundTiming;
  /** Whether what goes out is in the books of its origin already. */
  readonly booked: 'origin' | 'bridge';
  /** Since when hours are billed. */
  billsFrom: number;
  /** Bills of hours, by reference: when they left first. */
  readonly billedAt: Map<string, number>;
  /** When a person let it begin, and while somebody holds it. */
  confirmedAt: number | null;
  pausedAt: number | null;
  /** Who leads, and until when. */
  readonly lead: { owner: string; until: number };
  /** Kennitala → the profile that is meant, where people have made more than one. */
  readonly meant: Map<string, string>;
  /** Fields of which a person said that the service holds: see `keptKey`. */
  readonly kept: Set<string>;
}

/** Of one field of one record, and of the two values that the person was shown. */
export function keptKey(guid: string | null, field: string, origin: string, service: string): string {
  return JSON.stringify([guid, field, origin, service]);
}

export function outgoingSide(
  kernel: Kernel,
  service: SimulatedService,
  { posted = 0, ...flaws }: OutgoingFlaws & { readonly posted?: number },
): OutgoingSide {
  const readsReceipts = kernel.chance('AI reads receipts', 0.4);
  const fields = kernel.pick('who wins', [[], ['email'], ['city']] as const);
  const wins = kernel.chance('the service wins', 0.5) ? { serviceWins: fields } : { originWins: fields };
  const records = new MemorySubmissions(kernel, flaws.store ?? {});
  const books = new ServiceBooks(service, readsReceipts);
  const desk = posted === 0 ? null : new ErpDesk(kernel, flaws.desk ?? {});
  const billedAt = new Map<string, number>();
  records.onIntent = ({ origin, reference }, { body }, life) => {
    if (origin === BILLING && !billedAt.has(reference)) billedAt.set(reference, kernel.nowMs);
    if (origin === DESK) desk?.leaves(life, reference, books.filesOf(body).join(' '));
  };
  return {
    ...{ records, books, desk, billedAt },
    shelves: ['shop', 'sheet'].map((name) => new Shelf(name, kernel, flaws.origin ?? {})),
    wish: { mark: 'booking', customers: 'update', settlementDays: 7, costAi: readsReceipts, ...wins },
    ...{ flaws, timing: { ...OUTBOUND_TIMING, ...flaws.timing } },
    booked: kernel.chance('the bridge books what goes out', 0.4) ? 'bridge' : 'origin',
    ...{
      billsFrom: Infinity,
      confirmedAt: null,
      pausedAt: null,
      lead: { owner: '', until: 0 },
      meant: new Map(),
      kept: new Set(),
    },
  };
}

export const BILLING = 'billing';
const BILLED_SINCE = '2026-02-01';

/** `key`: of the submission that is worked on. */
export function outgoingTenant(side: OutgoingSide, life: Life, clock: Clock, key = ''): OutboundTenant {
  const { books, records, flaws, wish, desk } = side;
  const target = simulatedTarget({ books, records, flaws: flaws.target ?? {}, clock, life, key });
  const shelves = side.shelves.map((shelf) => originOf(shelf, life));
  const erp = desk === null ? [] : [deskOrigin(desk, life, clock)];
  const origins = [...shelves, ...erp, billing(side, target, clock)];
  return {
    ...{ name: PRUFA.name, environment: 'production', sourceAccount: PRUFA.account, target, wish },
    origins: new Map(origins.map((origin) => [origin.name, origin])),
    series: {},
  };
}

/** The hours that stand at the service, as the bridge itself gathers them. */
function billing(side: OutgoingSide, target: OutboundTenant['target'], clock: Clock): Origin {
  const { kernel } = side.records;
  const source = {
    tasks: async () => {
      const listed = await target.listTasksToBill();
      if (listed.outcome === 'incomplete') throw new Error(listed.message);
      if (!side.flaws.origin?.billsInvoiced) return listed.found;
      return listed.found.map((task) => ({ ...task, isInvoiced: false, invoicedUntil: null }));
    },
    end: (guid: string) => target.endTask(guid),
  };
  const settings = {
    bill: 'invoice',
    period: 'week',
    since: BILLED_SINCE,
    afterDays: 0,
    endTasks: false,
  } as const;
  const hours = new BillableHours(BILLING, settings, source, clock);
  return {
    name: BILLING,
    changes: async (cursor) => {
      if (kernel.nowMs < side.billsFrom)
        return { records: [], problems: [], looked: [], cursor: cursor ?? '', more: false, isResting: true };
      return hours.changes(side.flaws.origin?.forgetsHours ? null : cursor);
    },
    takesBack: hours.takesBack,
    read: (kind, reference, place, cursor) => hours.read(kind, reference, place, cursor),
    tell: (told) => hours.tell(told),
    close: () => hours.close(),
  };
}

// The simulated ERP as one process sees it, through the origin that every ERP has.

const PACE = { everyMs: 0, atOnce: 5 };
const PAGE = 10;

function deskOrigin(desk: ErpDesk, life: Life, clock: Clock): Origin {
  const origin = new ErpOrigin(DESK, recordsOf(desk, life), clock, PACE);
  if (!desk.flaws.looksOnce) return origin;
  return {
    name: origin.name,
    changes: (cursor) => origin.changes(cursor),
    read: (kind, reference) => origin.read(kind, reference),
    tell: (told) => origin.tell(told),
    file: (place, named) => origin.file(place, named),
    close: () => origin.close(),
  };
}

function recordsOf(desk: ErpDesk, life: Life): ErpRecords {
  const { kernel, invoices } = desk;
  const ask = async () => {
    await life.step(kernel.between('the ERP takes', 1, 40));
    if (desk.faulty && kernel.chance('the ERP as an origin does not answer', 0.03))
      throw new Error('the ERP cannot be read');
  };
  return {
    feeds: [withFiles(feedOf(desk, life, ask), PATTERNS, filesOf(desk, ask))],
    file: async ({ at, version }) => {
      await ask();
      const all = [...invoices.values()].flatMap(({ files }) => files);
      return all.find((file) => file.id === at && file.version === version)?.bytes ?? null;
    },
    missing: () => Promise.resolve([]),
    tell: async (told) => {
      await ask();
      desk.told.set(told.mark, [...(desk.told.get(told.mark) ?? []), told]);
    },
    close: () => Promise.resolve(),
  };
}

type Ask = () => Promise<void>;

function feedOf(desk: ErpDesk, life: Life, ask: Ask): ErpFeed {
  const stampOf = ({ at }: DeskInvoice) => new Date(at).toISOString().slice(0, -1);
  const live = () => [...desk.invoices.values()].filter(({ isCancelled }) => !isCancelled);
  return {
    ...{ name: 'invoices', kinds: ['invoice'] },
    list: async (since, after) => {
      await ask();
      const all = live()
        .map((invoice) => ({ id: invoice.id, at: stampOf(invoice), position: positionOf(invoice) }))
        .filter(({ at, position }) => at >= (since ?? '') && position > (after ?? ''))
        .sort((a, b) => (a.position < b.position ? -1 : 1));
      return { entries: all.slice(0, PAGE), isFull: all.length > PAGE };
    },
    find: async (reference) => {
      desk.looked(life, reference);
      await ask();
      return live().find((one) => one.reference === reference)?.id ?? null;
    },
    read: async (ids) => {
      await ask();
      return live()
        .filter(({ id }) => ids.includes(id))
        .map(readingOf);
    },
  };
}

function positionOf({ at, id }: DeskInvoice): string {
  return `${new Date(at).toISOString()} ${id.padStart(6, '0')}`;
}

/** Posted, so it is in the books already. */
function readingOf({ id, reference, content }: DeskInvoice): Reading {
  const looked = `${DESK}:${reference}`;
  const record = { kind: 'invoice', reference, place: looked, content, booked: 'origin' } as const;
  return { id, records: [record], problems: [], looked };
}

function filesOf({ invoices, listedFirst, flaws }: ErpDesk, ask: Ask): ErpFiles {
  const filesBeside = (id: string): readonly DeskFile[] => {
    const now = invoices.get(id)?.files ?? [];
    const first = listedFirst.get(id) ?? now;
    listedFirst.set(id, first);
    return flaws.keepsList ? first : now;
  };
  return {
    list: async (documents) => {
      await ask();
      const files = documents.flatMap((of) =>
        filesBeside(of).map(({ id: at, name, version, bytes }) => ({
          ...{ of, name, at, version, bytes: bytes?.byteLength ?? null },
        })),
      );
      return { files, isFull: false };
    },
  };
}
