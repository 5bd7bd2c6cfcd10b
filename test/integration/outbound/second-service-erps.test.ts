// From each ERP to the service that was written from the API documents alone (test/support/second-service): simulated Odoo and Business
// Central, and a real trytond where there is one. Of everything that an ERP hands over one request has its reply lost, one has its effect late,
// one is answered with a 500 and one with a 429. Each stands there once, with the files of its own invoice, and its ERP is told where; what
// nobody can look for waits for a person, who is told why; and no call is made that the grant does not name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentScope } from '../../../src/service/source-settings.js';
import { ErpOrigin } from '../../../src/origins/erp-origin.js';
import { type ErpHand, erpSettings } from '../../../src/origins/origin-settings.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { type ErpPlace, erpPlaces } from '../../support/erp-origin-places.js';
import { KENNITALA, TODAY } from '../../support/outbound-bed.js';
import type { Fault } from '../../support/second-service/index.js';
import {
  meetFaults,
  noticedBy,
  refusalsOf,
  type SecondBed,
  secondServiceBed,
} from '../../support/second-service-bed.js';
import { has } from '../../support/services.js';

/** A service may work on as long again as a call may take: longer than anybody waits who only tries again after a while. */
const TIMING = { leaseMs: 3_000, sendByMs: 150, callMs: 1_000, lagMs: 0 };
const FAULTS: readonly Fault[] = [
  { kind: 'lose-reply' },
  { kind: 'late', ms: 1_900 },
  { kind: 'refuse', status: 500 },
  { kind: 'refuse', status: 429, retryAfter: 0 },
];
const HAPPENED = FAULTS.filter(({ kind }) => kind !== 'refuse').length;
const PEOPLE = ['0101302129', '5902697199', '4710080280', '0101302399'];
/** The faults of uploads are those of the last ones, so that nothing is in doubt twice, which only takes long. */
const UPLOAD_FAULTS: readonly Fault[] = [{ kind: 'lose-reply' }, { kind: 'refuse', status: 500 }];
const INVOICES = FAULTS.length + UPLOAD_FAULTS.length;
const SCOPES: readonly AgentScope[] = ['nav', 'create_invoice', 'manage_customers'];

interface Tenant {
  readonly hands: readonly ErpHand[];
  readonly files?: readonly string[];
  readonly scopes?: readonly AgentScope[];
  /** What it makes things by; each meets every fault. */
  readonly makes: readonly string[];
  /** Of these nobody can look whether they are there. */
  readonly unlisted?: 'order' | 'quote';
  readonly there: Readonly<Record<string, number>>;
}

const LISTED = { customers: 1 + PEOPLE.length, items: FAULTS.length, invoices: INVOICES };
/** An ERP makes invoices of its orders, so that nobody hands over both. */
const TENANTS = {
  'credential surface': {
    ...{ hands: ['customers', 'items', 'invoices'], files: ['*.pdf', '!innra*'] },
    makes: ['create-customer', 'create-item', 'create-invoice'],
    there: { ...LISTED, orders: 0, quotes: 0 },
  },
  'credential surface, orders': {
    ...{ hands: ['orders'], unlisted: 'order', makes: ['create-order-invoice'] },
    there: { customers: 1, items: 0, invoices: 0, orders: HAPPENED, quotes: 0 },
  },
  'agent surface': {
    ...{ hands: ['customers', 'items', 'invoices', 'quotes'], unlisted: 'quote', scopes: SCOPES },
    makes: ['POST /customers', 'POST /items', 'POST /invoices', 'POST /quotes'],
    there: { ...LISTED, files: 0, orders: 0, quotes: HAPPENED },
  },
} as const satisfies Record<string, Tenant>;

const pdf = (text: string) => `%PDF-1.4\n${text}`;

interface Company {
  readonly place: ErpPlace;
  /** As the ERP calls them. */
  readonly invoices: readonly string[];
  readonly beds: Readonly<Record<string, SecondBed>>;
}

let database: TestDatabase;
const companies = new Map<string, Company>();

async function sell(place: ErpPlace): Promise<string[]> {
  for (const kennitala of [KENNITALA, ...PEOPLE]) await place.addCustomer(kennitala);
  const invoices: string[] = [];
  for (let nth = 0; nth < INVOICES; nth++) {
    const invoice = await place.addInvoice(TODAY);
    await place.attach(invoice, 'skilmalar.pdf', Buffer.from(pdf(invoice)));
    invoices.push(invoice);
  }
  await place.attach(invoices[0]!, 'innra.pdf', Buffer.from(pdf('for us alone')));
  for (const nth of FAULTS.keys()) {
    await place.addItem(`B-${String(nth)}`);
    await place.addOrder(TODAY);
    await place.addQuote(TODAY);
  }
  return invoices;
}

async function openBed(place: ErpPlace, { hands, files, scopes, makes }: Tenant): Promise<SecondBed> {
  const bed = await secondServiceBed({ database, timing: TIMING, ...(scopes ? { scopes } : {}) });
  // What is sold waits for nobody: its customer is there.
  bed.service.desk.customer({ registration_no: KENNITALA, name: 'Prufa ehf.', email: 'prufa@example.is' });
  for (const operation of makes) for (const fault of FAULTS) bed.service.faults.plan(operation, fault);
  if (files)
    for (const fault of UPLOAD_FAULTS)
      bed.service.faults.plan('upload-file', fault, { after: FAULTS.length });
  const wish = { name: 'erp', type: 'erp', hands, since: TODAY, vatGroups: { VSK24: 'S' } };
  const records = place.open(erpSettings.parse({ ...wish, ...(files ? { files } : {}) }));
  bed.bill(new ErpOrigin('erp', records, SYSTEM_RUNTIME.clock, { everyMs: 1_000, atOnce: 50 }));
  return bed;
}

beforeAll(async () => {
  const [places, opened] = await Promise.all([erpPlaces(), testDatabase({ poolSize: 10 })]);
  database = opened;
  const sold = await Promise.all(places.map(sell));
  // Most of it is waiting until nothing can be on its way any more, which all do together.
  await Promise.all(
    places.map(async (place, index) => {
      const beds: Record<string, SecondBed> = {};
      companies.set(place.name, { place, invoices: sold[index]!, beds });
      for (const [name, tenant] of Object.entries<Tenant>(TENANTS)) beds[name] = await openBed(place, tenant);
      await Promise.all(Object.values(beds).map(meetFaults));
    }),
  );
});
afterAll(async () => {
  for (const { place, beds } of companies.values()) {
    for (const bed of Object.values(beds)) {
      await bed.tenant().origins.get('erp')?.close();
      await bed.close();
    }
    await place.stop();
  }
  await database.close();
});

const rowsOf = ({ prisma, name }: SecondBed) =>
  prisma.submission.findMany({ where: { tenantName: name }, orderBy: { reference: 'asc' } });

/** What goes with an invoice there. */
function filesOf({ service }: SecondBed, guid: string): string[] | undefined {
  const { invoices, files } = service.world;
  const ids = invoices.find((invoice) => invoice.guid === guid)?.files;
  return ids?.map((id) => files.find((file) => file.guid === id)?.bytes.toString('utf8') ?? 'none');
}

describe.each(['odoo', 'bc', 'tryton'])('from %s', (erp) => {
  describe.each(Object.entries<Tenant>(TENANTS))('over the %s', (name, tenant) => {
    const isThere = erp !== 'tryton' || has('trytond-sales');

    test.skipIf(!isThere)('each is there once or parked with its reason, and its ERP knows', async () => {
      const { place, beds } = companies.get(erp)!;
      const bed = beds[name]!;
      const rows = await rowsOf(bed);
      const states = rows.filter(({ kind }) => kind === tenant.unlisted);
      expect(states.map(({ state, reason }) => `${state} ${String(reason)}`)).toEqual(
        tenant.unlisted ? FAULTS.map(() => 'parked SUBMISSION_UNKNOWN') : [],
      );
      expect(bed.service.world.counts()).toMatchObject(tenant.there);
      const notes = await place.notes();
      for (const { kind, reference, state, reason, key, guid, number } of rows) {
        const told = notes.filter((note) => note.includes(key));
        if (kind === tenant.unlisted) expect(told, reference).toEqual([]);
        else {
          expect([state, reason, guid], reference).toEqual(['acknowledged', null, expect.any(String)]);
          expect(told, reference).toEqual([expect.stringContaining(`guid ${String(guid)}`)]);
          expect(told[0]).toContain(number === null ? `${kind}: created` : `${kind} ${number}: created`);
        }
      }
    });

    test.skipIf(!isThere)('nothing is asked that the documents forbid or the grant leaves out', () => {
      const { service } = companies.get(erp)!.beds[name]!;
      expect(refusalsOf(service)).toEqual([]);
      expect(noticedBy(service)).toEqual([]);
      const asked = service.calls.filter(({ surface }) => surface === 'agent');
      expect(new Set(asked.map(({ scope }) => scope))).toEqual(new Set(tenant.scopes ?? []));
    });
  });

  test.skipIf(erp === 'tryton' && !has('trytond-sales'))(
    'each invoice has its own file and no other, and its number stands beside it',
    async () => {
      const { place, invoices, beds } = companies.get(erp)!;
      const bed = beds['credential surface']!;
      const rows = (await rowsOf(bed)).filter(({ kind }) => kind === 'invoice');
      const seen: string[] = [];
      for (const invoice of invoices) {
        const beside = (await place.beside(invoice)).join('\n');
        const row = rows.find(({ key }) => beside.includes(key));
        expect(beside).toContain(`invoice ${String(row?.number)}: created`);
        expect(filesOf(bed, row?.guid ?? '')).toEqual([pdf(invoice)]);
        seen.push(row?.guid ?? '');
      }
      expect(new Set(seen).size).toBe(INVOICES);
      // One whose answer was lost is uploaded again; nobody sees the first.
      expect(bed.service.world.counts().files).toBe(INVOICES + 1);
    },
  );
});
