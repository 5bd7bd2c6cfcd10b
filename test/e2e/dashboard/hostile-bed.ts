// A bridge whose source, ERP, tenant files and people all write hostile text into every field they have. It is also a busy
// bridge with something on each page, so whatever holds for every page is tried on it.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { keptWords } from '../../../src/domain/message.js';
import { incident } from '../../../src/language/incidents/incident-text.js';
import { message, told } from '../../../src/language/messages.js';
import type { Cost, Invoice } from '../../../lab/sandbox/model.js';
import { newId } from '../../../src/store/ids.js';
import { openIncident } from '../../../src/store/incidents.js';
import { type Bed, bridgeBed, type TenantSpec } from '../../support/bridge-bed.js';
import { shippedDashboard, type ShippedDashboard } from '../../support/shipped-dashboard.js';

export const CORPUS = [
  `<script data-evil>alert(1)</script>`,
  `"><img data-evil src=x onerror=alert(2)>`,
  `'-alert(3)-' autofocus onfocus=alert(3)`,
  `<svg data-evil onload=alert(4)>`,
  `javascript:alert(5)`,
  `</textarea></title><script data-evil>alert(6)</script>`,
  `{{constructor.constructor('alert(7)')()}}`,
  `<a data-evil href="javascript:alert(8)" hx-get="/users" hx-trigger="load">x</a>`,
  '`${alert(9)}` &lt;b data-evil&gt; <!--',
] as const;

const evil = (number: number): string => CORPUS[number % CORPUS.length] ?? '';

export interface HostileBed {
  readonly bed: Bed;
  readonly dash: ShippedDashboard;
  /** One path for each page there is. */
  readonly paths: readonly string[];
  /** One for each address that is no page: what is downloaded, what pages load, the doors. */
  readonly files: readonly string[];
  /** Every document, with what the source wrote into its text fields. */
  readonly documents: readonly { readonly path: string; readonly texts: readonly string[] }[];
  /** The ERP goes away while documents are on their way to it: from then on every page tells of that. */
  breakErp(): Promise<void>;
  close(): Promise<void>;
}

const BOOKS = { company: `${evil(2)} ehf.`, ledger: 'neitar' };
const NAMES = ['illt', 'neitar'] as const;
const ORIGIN = { name: 'mappa', type: 'folder', directory: '../mappa', stableSeconds: 1 } as const;

export async function hostileBed(): Promise<HostileBed> {
  const erp = await refusingErp();
  const tenants: readonly TenantSpec[] = [
    { name: 'illt', account: 'illt', erp: { adapter: 'file' }, more: { title: evil(1) } },
    {
      name: 'neitar',
      account: 'neitar',
      erp: { adapter: 'http', settings: { ...BOOKS, baseUrl: urlOf(erp), secret: 'env:LEDGER_SECRET' } },
      more: { title: evil(7), outgoing: { origins: [ORIGIN] } },
    },
  ];
  const bed = await bridgeBed({
    accounts: NAMES.map((username) => ({
      username,
      name: evil(3),
      invoices: CORPUS.length,
      costs: username === 'illt' ? CORPUS.length : 0,
      seed: username,
      difficulty: 'tidy' as const,
    })),
    env: { LEDGER_SECRET: 'a-secret-that-is-long-enough-for-anybody' },
    tenants,
    confirmPlans: false,
  });
  const origin = await unusableRecords(bed);
  const texts = new Map(NAMES.flatMap((name) => [...spoil(bed, name)]));
  for (const name of NAMES) {
    await bed.bridge.tenants.confirmPlan(name, 'test');
    await bed.bridge.tenants.requestSweep(name);
  }
  const dash = await shippedDashboard(bed);
  await dash.addUser('gudrun', 'admin');
  await dash.addUser('jon', 'viewer');
  await bed.settled(120_000);
  const refused = await origin.refused();
  await parkedOriginal(bed);
  const documents = await documentsOf(bed, texts);
  const { paths, certificate } = await actAndList(bed);
  return {
    bed,
    dash,
    documents,
    files: filesWith(certificate),
    paths: [...paths, ...refused.map((id) => `/outgoing/${id}`), '/outgoing/tenants/neitar/plan'],
    breakErp: () => withoutErp(bed, erp),
    close: async () => {
      await dash.close();
      await bed.close();
      erp.close();
      erp.closeAllConnections();
    },
  };
}

/** An origin with a file that cannot be read, and a customer and an order that break the rules of the service. */
async function unusableRecords({ bridge, settings, database: { prisma } }: Bed) {
  const directory = join(settings.tenantsDirectory, ORIGIN.directory);
  await mkdir(directory);
  await writeFile(join(directory, 'bad.csv'), 'reference,qty,pris\nA-1,1,1000\n');
  await writeFile(
    join(directory, 'hours.csv'),
    'reference,task,date,from,to\nH-1,T-1,2026-02-30,11:00,10:30\n',
  );
  await writeFile(join(directory, 'customers.csv'), 'kennitala,name,city\n5402696029,Prufa ehf.,Akureyri\n');
  await bridge.operations.confirmOutgoing('neitar', { actor: 'gudrun', reason: 'looked at it' });
  const refused = async () => {
    const where = { tenantName: 'neitar' };
    for (const since = Date.now(); Date.now() - since < 30_000;) {
      const rows = await prisma.submission.findMany({ where: { ...where, state: 'refused' } });
      const problems = await prisma.originProblem.count({ where });
      if (rows.length > 0 && problems > 1) return rows.map(({ id }) => id);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('Nobody took in what the origin has.');
  };
  return { refused };
}

/** As the store tells of one that the ERP refused. */
function parkedOriginal({ database: { db } }: Bed): Promise<void> {
  const detail = told('REFUSED_AS', { code: 'ERP_REJECTED', what: message('TAKES_NO_FILES_NOW') });
  const about = { tenant: 'illt', kind: 'invoice', number: '1', role: 'pdf', why: 'ERP_REFUSED' } as const;
  return openIncident(
    db,
    { tenantName: 'illt' },
    incident(
      'ORIGINALS_PARKED',
      { ...about, detail: keptWords(detail) },
      { severity: 'warning', fingerprint: 'illt' },
    ),
  );
}

/** Every payload in every text field: the field moves on by one with each document. */
function spoil(bed: Bed, username: string): Map<string, string[]> {
  const { control } = bed.sandbox;
  const written = new Map<string, string[]>();
  const write = (guid: string, number: number) => {
    const texts: string[] = [];
    written.set(guid, texts);
    return (place: number) => {
      const text = `${evil(number + place)} ${guid.slice(0, 4)}${String(place)}`;
      texts.push(text);
      return text;
    };
  };
  control.documents(username, { kind: 'invoice' }).forEach(({ guid }, number) => {
    const text = write(guid, number);
    const { customer, items } = control.invoice(username, guid);
    const changes: Partial<Invoice> = {
      number: text(0),
      description: text(1),
      booking: text(2),
      cost_provide: text(3),
      terms: text(4),
      customer: { ...customer, name: text(5), address: text(6), city: text(7), email: text(8) },
      items: items.map((item, line) =>
        line === 0 ? { ...item, description: text(9), item_number: text(10) } : item,
      ),
    };
    control.editInvoice(username, guid, changes);
  });
  control.documents(username, { kind: 'cost' }).forEach(({ guid }, number) => {
    const text = write(guid, number);
    const changes: Partial<Cost> = {
      description: text(0),
      project_name: text(1),
      ...(number % 3 === 0 ? { cost_code: text(2) } : {}),
      supplier_name: `${evil(number)} birgir`,
    };
    control.editCost(username, guid, changes);
  });
  return written;
}

async function documentsOf(bed: Bed, texts: ReadonlyMap<string, string[]>): Promise<HostileBed['documents']> {
  const { items } = await bed.bridge.operations.documents({ limit: 100 });
  return items.map(({ postingId, guid }) => ({
    path: `/documents/${postingId}`,
    texts: texts.get(guid) ?? [],
  }));
}

/** What an origin writes is hostile too. */
async function hostileSubmission({ prisma }: Bed['database']): Promise<string> {
  const id = newId();
  const text = (place: number) => `${evil(place)} o${String(place)}`;
  await prisma.submission.create({
    data: {
      ...{
        id,
        tenantName: 'illt',
        origin: text(0),
        kind: 'invoice',
        reference: text(1),
        key: `B${id.replaceAll('-', '').slice(-19).toUpperCase()}`,
      },
      ...{ place: text(2), state: 'received', stateSince: new Date(), receivedAt: new Date() },
      ...{ content: JSON.stringify({ description: text(3) }), contentHash: 'x', counterparty: text(4) },
    },
  });
  return id;
}

/** People write as well: a hold, a token, a replay and a comparison, each with a reason that is a payload. */
async function actAndList({ bridge: { operations }, database }: Bed) {
  const submission = await hostileSubmission(database);
  const stuck = (await operations.documents({ states: ['held', 'parked'], limit: 2 })).items;
  const [first, second] = stuck.map(({ postingId }) => postingId);
  const posted = (await operations.documents({ states: ['acknowledged'], limit: 1 })).items[0]?.postingId;
  const by = (number: number) => ({ actor: 'gudrun', reason: `${evil(number)} reason` });
  await operations.createToken({ name: 'prufa', role: 'viewer' }, by(0));
  await operations.act('hold', [second ?? ''], {}, by(1));
  const run = await operations.startReplay({ postingIds: [first ?? ''] }, by(2));
  const year = new Date().getUTCFullYear();
  await operations.reconcile('illt', { from: `${String(year - 1)}-01-01`, to: `${String(year)}-12-31` });
  const closed = { from: `${String(year - 1)}-01-01`, to: `${String(year)}-12-31` };
  const certificate = await operations.closePeriod('illt', closed, by(3));
  const [problem] = await operations.problems();
  const cause = encodeURIComponent(problem?.id ?? '');
  const [incident] = (await operations.incidents()).items;
  const written = encodeURIComponent(evil(1));
  const paths = [
    ...['/', '/problems', '/documents', '/inbox', '/incidents', '/plan', '/plan/made?tenant=illt'],
    ...['/plan?tenant=neitar', '/plan/confirm?tenant=illt', '/reconciliation', '/schedules', '/queues'],
    ...[
      '/approvals',
      '/vat?tenant=illt',
      '/reports',
      '/reports?tenant=illt&report=attendees',
      '/certificates',
      '/outgoing',
      `/outgoing/${submission}`,
      `/outgoing/${submission}/skip`,
      '/outgoing/tenants/illt/plan',
      '/outgoing/tenants/illt/pause',
      `/certificates/${certificate.id}`,
      '/rehearsal?tenant=illt',
      '/tenants',
      '/tenants/illt',
      '/tenants/neitar/check',
      '/audit',
      '/audit/verify',
      '/users',
      '/account',
      '/account/confirm',
    ],
    ...['pause', 'resume', 'sweep'].map((act) => `/tenants/illt/${act}`),
    ...[`/documents/${posted ?? ''}`, `/documents/${first ?? ''}`, `/documents/${first ?? ''}/source`],
    `/documents/${posted ?? ''}/act/reverse`,
    ...['/replays', `/replay/${run.id}`, `/replay?cause=${cause}`],
    ...(incident ? [`/incidents/${incident.id}/resolve`] : ['/incidents/x/resolve']),
    // What stands in an address is written by whoever sent the link.
    ...[`/documents?text=${written}&cause=${written}&kind=${written}&from=${written}`],
    ...[`/audit?actor=${written}&subject=${written}`, `/?tenant=${written}`, `/no-such-page?x=${written}`],
    `/documents/${written}`,
  ];
  return { paths, certificate: certificate.id };
}

function filesWith(certificate: string): string[] {
  const assets = [
    'dashboard.css',
    'pages.css',
    'dashboard.js',
    'htmx.js',
    'uplot.js',
    'uplot.css',
    'icon.svg',
  ];
  const period = `tenant=illt&period=${String(new Date().getUTCFullYear() - 1)}`;
  return [
    ...['/login', '/setup', '/documents/csv', '/reports/csv?tenant=illt&report=attendees'],
    ...['csv', 'json', 'pdf'].map((type) => `/vat/${type}?${period}`),
    ...['json', 'pdf'].map((type) => `/certificates/${certificate}/${type}`),
    ...[...assets, 'simulator.html'].map((name) => `/assets/${name}`),
    ...['', 'queue/post', 'api/queues'].map((path) => `/queues/board/${path}`),
  ];
}

async function withoutErp({ bridge: { operations } }: Bed, erp: Server): Promise<void> {
  erp.close();
  erp.closeAllConnections();
  const refused = await operations.documents({ tenant: 'neitar', states: ['parked'], limit: 20 });
  const by = { actor: 'gudrun', reason: 'once more, please' };
  await operations.startReplay({ postingIds: refused.items.map(({ postingId }) => postingId) }, by);
  const isDown = async () => {
    const { tenants } = await operations.overview('neitar');
    return tenants[0]?.breakers.some(({ side, state }) => side === 'erp' && state === 'open') ?? false;
  };
  for (const since = Date.now(); !(await isDown());) {
    if (Date.now() - since > 30_000) throw new Error('The ERP is away, and nobody noticed.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** An ERP that has no chart and refuses every journal with words of its own. */
async function refusingErp(): Promise<Server> {
  let refused = 0;
  const server = createServer((request, response) => {
    const answers: Readonly<Record<string, unknown>> = {
      '/v1/company': BOOKS,
      '/v1/accounts': { restricted: false, accounts: [], vatCodes: null, dimensions: null },
      '/v1/journals': { entries: [], hasMore: false },
    };
    const path = (request.url ?? '').split('?')[0] ?? '';
    const body = request.method === 'GET' ? answers[path] : null;
    request.resume().on('end', () => {
      response.writeHead(body ? 200 : 422, { 'content-type': 'application/json' });
      const error = { code: 'invalid', message: `${evil(refused++)} says the ERP` };
      response.end(JSON.stringify(body ?? { error }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
