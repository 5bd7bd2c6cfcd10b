// A simulated Business Central as beds of the suite. Documents are made as people make them, through drafts.
import { randomUUID } from 'node:crypto';
import { Decimal } from '../../../src/domain/money.js';
import type { SubmissionKind } from '../../../src/domain/submission.js';
import { TELLING_TEXT, type OriginBed, type OriginTarget } from '../../../src/origins/conformance/target.js';
import { businessCentralRecords } from '../../../src/erp/business-central/origin/index.js';
import { erpServices } from '../../support/erp/erp-services.js';
import {
  BC_SECRET,
  businessCentralBooks,
  businessCentralSettings,
  partner,
} from '../../support/fakes/business-central-books.js';
import type { BcDocumentRow, FakeSet } from '../../support/fakes/business-central-documents.js';
import type { BusinessCentralFake } from '../../support/fakes/business-central-fake.js';
import type { BcItemRow, BcPartnerRow } from '../../support/fakes/business-central-ledger.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { readJson } from '../../support/fakes/fake-json.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { connected, factsIn, HOLDS, MANY } from './erp-bed.js';
import { kennitalaOf } from './records.js';

const SINCE = '2026-01-01';
const DAY = '2026-03-01';
export const VAT_GROUPS = { VSK24: 'S', vsk11: 'AA' } as const;

const SETS = {
  invoices: { set: 'salesInvoices', date: 'invoiceDate', word: 'invoice', kind: 'invoice' },
  orders: { set: 'salesOrders', date: 'orderDate', word: 'order', kind: 'order' },
  quotes: { set: 'salesQuotes', date: 'documentDate', word: 'quote', kind: 'quote' },
} as const;
type Hand = keyof typeof SETS | 'customers' | 'items';

export function businessCentralTarget(hand: Hand): OriginTarget {
  const unread = 'a customer without a kennitala is none of ours, and whatever else it says can be read';
  const kind: SubmissionKind =
    hand === 'customers' ? 'customer' : hand === 'items' ? 'item' : SETS[hand].kind;
  return {
    ...{ name: `Business Central: ${hand}`, kind, holds: HOLDS, many: MANY },
    ...(hand === 'customers'
      ? {
          notApplicable: { 'bad-spoils-none': unread, 'bad-mended': unread, 'bad-again-after-crash': unread },
        }
      : {}),
    open: async () => {
      const fake = businessCentralBooks();
      // Whoever is there from the beginning has no kennitala.
      fake.ledger.customers.splice(0);
      const server = await new FakeServer(fake).start();
      const services = erpServices({ 'env:BC_SECRET': BC_SECRET });
      const given = businessCentralSettings(server.origin);
      const as = { orders: 'order', quotes: 'quote' } as const;
      const wish = { hands: [hand], since: SINCE, ...as, vatGroups: VAT_GROUPS, files: ['*'] };
      const about = connected(kind, services, (gated) => businessCentralRecords(given, wish, gated));
      const bed =
        hand === 'customers' ? customers(fake) : hand === 'items' ? items(fake) : documents(fake, hand);
      return { ...about, ...bed, close: () => server.stop() };
    },
  };
}

type Own = Pick<
  OriginBed,
  'put' | 'touch' | 'remove' | 'putBad' | 'mendBad' | 'toldOf' | 'attach' | 'detach'
>;

function toldOf({ files }: BusinessCentralFake, id: string | undefined) {
  const said = files.filter(({ parentId }) => parentId === id);
  return Promise.resolve(said.map(({ content }) => factsIn(content.toString('utf8').trimEnd())));
}

/** Bodies come as text, with numbers to the digit. */
const asSent = (body: object) => readJson(Buffer.from(JSON.stringify(body)));

/** A document as it stands after people have made it and posted, released or sent it. */
export function sell(
  { documents: all }: BusinessCentralFake,
  set: FakeSet,
  head: Record<string, unknown>,
  lines: readonly Record<string, unknown>[],
): BcDocumentRow {
  const row = all.create(set, { postingDate: DAY, ...head });
  for (const [index, line] of lines.entries())
    all.addLine(set, row.id, asSent({ sequence: (index + 1) * 10_000, lineType: 'Account', ...line }));
  if (set === 'salesInvoices' || set === 'salesCreditMemos') all.post(set, row.id);
  else {
    row.status = set === 'salesQuotes' ? 'Sent' : 'Open';
    all.touch(row);
  }
  return row;
}

function documents(fake: BusinessCentralFake, hand: keyof typeof SETS): Own {
  const { set, date, word } = SETS[hand];
  const { rows } = fake.documents;
  const { taxed } = FAKE_CHART;
  const known = new Map<number, BcDocumentRow>();
  const add = (number: string, taxRegistrationNumber: string) => {
    fake.ledger.customers.push({ ...partner(number, 'Prufa ehf.'), taxRegistrationNumber });
    return number;
  };
  const good = add('C0001', '650376-0649');
  const line = {
    ...{ lineObjectNumber: taxed.revenue, description: TELLING_TEXT, quantity: 2 },
    ...{ unitPrice: 1_000, taxCode: taxed.codeOut },
  };
  return {
    put: (record, version = 1) => {
      const row = known.get(record) ?? sell(fake, set, { customerNumber: good, [date]: DAY }, [line]);
      known.set(record, row);
      if (version === 2) {
        row.head['externalDocumentNumber'] = 'Önnur';
        fake.documents.touch(row);
      }
      return Promise.resolve(`${word} ${row.number}`);
    },
    touch: (record) => Promise.resolve(fake.documents.touch(known.get(record)!)),
    remove: (record) => Promise.resolve(void rows.splice(rows.indexOf(known.get(record)!), 1)),
    putBad: () => {
      sell(fake, set, { customerNumber: add('C0002', ''), [date]: DAY }, [line]);
      return Promise.resolve();
    },
    // What is wrong is not in the document: nothing of it changes.
    mendBad: () => {
      const all = fake.ledger.customers;
      const bad = all.findIndex(({ number }) => number === 'C0002');
      all[bad] = { ...all[bad]!, taxRegistrationNumber: kennitalaOf(99) };
      return Promise.resolve();
    },
    attach: (record, name, content) => {
      const { id } = known.get(record)!;
      const before = fake.files.find(({ parentId, fileName }) => parentId === id && fileName === name);
      const bytes = Buffer.from(content);
      if (before) Object.assign(before, { content: bytes, lastModifiedDateTime: fake.ledger.stamp() });
      else fake.addFile(id, name, bytes);
      return Promise.resolve();
    },
    detach: (_record, name) => {
      const index = fake.files.findIndex(({ fileName }) => fileName === name);
      fake.files.splice(index, 1);
      return Promise.resolve();
    },
    toldOf: (reference) => toldOf(fake, rows.find(({ number }) => `${word} ${number}` === reference)?.id),
  };
}

function customers(fake: BusinessCentralFake): Own {
  const all = fake.ledger.customers;
  const at = (kennitala: string) => all.findIndex((each) => each.taxRegistrationNumber === kennitala);
  const keep = (row: BcPartnerRow) => {
    const stamped = { ...row, lastModifiedDateTime: fake.ledger.stamp() };
    const index = at(row.taxRegistrationNumber);
    if (index === -1) all.push(stamped);
    else all[index] = stamped;
  };
  return {
    put: (record, version = 1) => {
      const kennitala = kennitalaOf(record);
      const before = all[at(kennitala)] ?? {
        ...partner(`C${String(record).padStart(4, '0')}`, TELLING_TEXT),
        ...{ id: randomUUID(), taxRegistrationNumber: kennitala, email: 'a@b.is' },
      };
      keep({ ...before, ...(version === 2 ? { city: 'Akureyri' } : {}) });
      return Promise.resolve(kennitala);
    },
    touch: (record) => Promise.resolve(keep(all[at(kennitalaOf(record))]!)),
    remove: (record) => Promise.resolve(void all.splice(at(kennitalaOf(record)), 1)),
    putBad: () => Promise.resolve(),
    mendBad: () => Promise.resolve(),
    toldOf: (kennitala) => toldOf(fake, all[at(kennitala)]?.id),
  };
}

export function keepItem(
  { ledger }: BusinessCentralFake,
  given: Partial<BcItemRow> & { number: string },
): void {
  const { items: all } = ledger;
  const index = all.findIndex(({ number }) => number === given.number);
  const before = all[index] ?? {
    ...{ id: randomUUID(), displayName: TELLING_TEXT, unitPrice: new Decimal(1_990), blocked: false },
    ...{ priceIncludesTax: false, taxGroupCode: 'VSK24', baseUnitOfMeasureCode: 'STK' },
  };
  const row = { ...before, ...given, lastModifiedDateTime: ledger.stamp() };
  all.splice(index === -1 ? all.length : index, 1, row);
}

function items(fake: BusinessCentralFake): Own {
  const all = fake.ledger.items;
  const numberOf = (record: number) => `A-${String(record)}`;
  return {
    put: (record, version = 1) => {
      const number = numberOf(record);
      keepItem(fake, { number, ...(version === 2 ? { unitPrice: new Decimal(2_490) } : {}) });
      return Promise.resolve(number);
    },
    touch: (record) => Promise.resolve(keepItem(fake, { number: numberOf(record) })),
    remove: (record) => {
      const index = all.findIndex(({ number }) => number === numberOf(record));
      all.splice(index, 1);
      return Promise.resolve();
    },
    putBad: () => Promise.resolve(keepItem(fake, { number: 'X-1', taxGroupCode: 'OVISST' })),
    mendBad: () => Promise.resolve(keepItem(fake, { number: 'X-1', taxGroupCode: 'VSK11' })),
    toldOf: (reference) => toldOf(fake, all.find(({ number }) => number === reference)?.id),
  };
}
