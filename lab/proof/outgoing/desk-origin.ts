// The simulated ERP as one process sees it, through the origin that every ERP has.
import type { Clock } from '../../../src/domain/runtime.js';
import { ErpOrigin } from '../../../src/origins/erp/erp-origin.js';
import type { ErpFeed, ErpRecords, Reading } from '../../../src/origins/erp/erp-records.js';
import { type ErpFiles, withFiles } from '../../../src/origins/erp/files.js';
import type { Origin } from '../../../src/origins/origin.js';
import type { Life } from '../life.js';
import { DESK, type DeskFile, type DeskInvoice, type ErpDesk, PATTERNS } from './erp-desk.js';

const PACE = { everyMs: 0, atOnce: 5 };
const PAGE = 10;

export function deskOrigin(desk: ErpDesk, life: Life, clock: Clock): Origin {
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
