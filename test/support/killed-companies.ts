// Companies for processes that are killed: one for each place that records come from, with as many records as there are steps to die at, and
// one whose requests are under way when the process dies. The ERPs are shared: each of its companies hands over what is there. From a folder
// and from each ERP there is one more, which sends to a service of its own that was written from the API documents alone.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TenantSpec } from './bridge-bed.js';
import type { Hold } from './bridge-child.js';
import type { ErpPlace } from './erp-origin-places.js';
import { send } from './intake.js';
import { sourceAtSecond } from './killed-services.js';
import { invoice, KENNITALA, TODAY } from './outbound-bed.js';
import type { SecondService } from './second-service/index.js';

export interface Company {
  readonly name: string;
  readonly from: 'folder' | 'http' | ErpPlace;
  /** Where it sends to. */
  readonly at: 'sandbox' | 'second';
  /** `late`: the service still works on what it sent. */
  readonly part: 'main' | 'late';
  /** What it has at the end. */
  readonly records: number;
  /** What is sent late, or never answered, beside a customer. */
  readonly sends: 'create-invoice' | 'create-draft-invoice';
}

export const SHOP_SECRET = 'a secret that both sides have, and nobody else';
/** As many as there are steps at which one of a kind waits in the first run. */
const WAITING = 4;
const NEW_CUSTOMERS = ['5402692039', '5402692119', '5402692389', '5402692469'] as const;
const REFERENCES = Array.from({ length: WAITING }, (_none, index) => `SO-${String(index + 1)}`);

const pdf = (text: string) => new TextEncoder().encode(`%PDF-1.4\n${text}`);
/** As they are in the end. The last invoice has them; two of them stand beside it in every place, and one in ERPs alone. */
export const FILES: Readonly<Record<string, Uint8Array>> = {
  'skilmalar.pdf': pdf('terms'),
  'afhending.pdf': pdf('delivered'),
  'timar.pdf': pdf('hours, as they were corrected'),
};
const [TERMS, DELIVERED, HOURS] = ['skilmalar.pdf', 'afhending.pdf', 'timar.pdf'] as const;
const TAKEN_AWAY = 'drog.pdf';
const FOR_THE_HOUSE = 'innra.pdf';
const PATTERNS = ['*.pdf', '!*innra*'];

export function companiesOf(places: readonly ErpPlace[]): Company[] {
  const inSandbox = (['folder', 'http', ...places] as const).flatMap((from): Company[] => {
    const isErp = typeof from === 'object';
    const name = isErp ? from.name : from;
    const drafts = from === 'folder' ? WAITING : 0;
    const main = { records: 1 + WAITING + WAITING + 1 + drafts, sends: 'create-invoice' } as const;
    const late = isErp
      ? ({ records: 1 + WAITING + 1, sends: 'create-draft-invoice' } as const)
      : ({ records: 4, sends: 'create-invoice' } as const);
    return [
      { name: `main-${name}`, from, at: 'sandbox', part: 'main', ...main },
      { name: `late-${name}`, from, at: 'sandbox', part: 'late', ...late },
    ];
  });
  const also = inSandbox.filter(
    ({ from, part }) => from === 'folder' || (part === 'main' && typeof from === 'object'),
  );
  return [
    ...inSandbox,
    ...also.map((one): Company => ({ ...one, name: `${one.name}-second`, at: 'second' })),
  ];
}

/** What nobody can look for at the service comes from an ERP as well: its orders, as drafts. */
export function tenantOf(
  { name, from, at, part }: Company,
  books: Record<string, unknown>,
  seconds: ReadonlyMap<string, SecondService>,
): TenantSpec {
  const elsewhere = at === 'second' ? { source: sourceAtSecond(seconds.get(name)!) } : {};
  if (from === 'folder') {
    const origin = { name: 'orders', type: 'folder', directory: `../../${name}`, stableSeconds: 1 };
    return { name, account: name, erp: books, more: { ...elsewhere, outgoing: { origins: [origin] } } };
  }
  if (from === 'http') {
    const origin = { name: 'shop', type: 'http', secrets: ['env:SHOP_SECRET'], requestsPerSecond: 100 };
    return { name, account: name, erp: books, more: { outgoing: { origins: [origin] } } };
  }
  const origin = {
    ...{ name: 'erp', type: 'erp', orders: 'draft', since: TODAY, everySeconds: 2 },
    ...(part === 'late'
      ? { hands: ['customers', 'orders'] }
      : { hands: ['customers', 'invoices'], files: PATTERNS }),
  };
  return { name, account: name, erp: from.erp, more: { ...elsewhere, outgoing: { origins: [origin] } } };
}

const customer = (kennitala: string) => ({
  ...{ kind: 'customer', kennitala, name: 'Prufa ehf.', email: 'prufa@example.is' },
});

/** One known customer for each, before anybody is killed. */
export async function makeKnown(companies: readonly Company[], directory: string, url: string) {
  for (const { name, from } of companies) {
    if (from === 'http') await post(url, name, [customer(KENNITALA)]);
    if (from === 'folder') await put(join(directory, name), 'customers.jsonl', [customer(KENNITALA)]);
  }
}

const placesOf = (companies: readonly Company[]) =>
  new Set(companies.flatMap(({ from }) => (typeof from === 'object' ? [from] : [])));

/** Everything that they sell. The folders come last: the process that takes the others in dies when it has seen them. */
export async function sellEverywhere(
  companies: readonly Company[],
  directory: string,
  url: string,
): Promise<void> {
  for (const place of placesOf(companies)) await sellIn(place);
  const late = [customer(NEW_CUSTOMERS[0]), invoice('SO-1')];
  const [given, beside] = [givenFiles(), [TERMS, DELIVERED]].map((files) => invoice('SO-F', { files }));
  const main = [...NEW_CUSTOMERS.map(customer), ...REFERENCES.map((reference) => invoice(reference))];
  for (const { name, part } of companies.filter(({ from }) => from === 'http'))
    await post(url, name, [...(part === 'late' ? late : main), given!]);
  for (const { name, part } of companies.filter(({ from }) => from === 'folder')) {
    const at = join(directory, name);
    for (const file of [TERMS, DELIVERED]) await writeFile(join(at, file), FILES[file]!);
    const drafts = REFERENCES.map((reference) => invoice(`D-${reference}`, { kind: 'draft' }));
    await put(at, 'a.jsonl', [...(part === 'late' ? late : [...main, ...drafts]), beside!]);
  }
}

const givenFiles = () =>
  [TERMS, DELIVERED].map((name) => ({ name, content: Buffer.from(FILES[name]!).toString('base64') }));

async function put(directory: string, file: string, records: readonly object[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, file);
  await writeFile(`${path}.part`, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  await rename(`${path}.part`, path);
}

const keyOf = (record: Readonly<Record<string, unknown>>) =>
  `key-${String(record['reference'] ?? record['kennitala'])}`;

async function post(url: string, name: string, records: readonly Record<string, unknown>[]): Promise<void> {
  for (const record of records) {
    const about = { url: `${url}/intake/v1/${name}/shop`, secret: SHOP_SECRET, key: keyOf(record) };
    const { status, answer } = await send({ ...about, body: JSON.stringify(record) });
    if (status !== 202) throw new Error(`the door of ${name} says ${JSON.stringify(answer)}`);
  }
}

/** What whoever sent it over HTTP is told of it. */
export async function askAtDoor(url: string, name: string, reference: string) {
  const key = `key-${reference}`;
  const { answer } = await send({
    ...{ url: `${url}/intake/v1/${name}/shop/${key}`, secret: SHOP_SECRET, key, method: 'GET' },
  });
  return answer;
}

/** What its origin was told, where that keeps it. */
export async function notesOf({ name, from }: Company, directory: string): Promise<string[]> {
  if (from === 'http') return [];
  if (from !== 'folder') return from.notes();
  const results = join(directory, name, 'results');
  const files = await readdir(results);
  const texts = await Promise.all(files.map((file) => readFile(join(results, file), 'utf8')));
  return texts.flatMap((text) => text.trim().split('\n'));
}

const withFiles = new WeakMap<ErpPlace, string>();

async function sellIn(place: ErpPlace): Promise<void> {
  for (const kennitala of NEW_CUSTOMERS) await place.addCustomer(kennitala);
  for (let each = 0; each < WAITING; each++) await place.addInvoice(TODAY);
  const last = await place.addInvoice(TODAY);
  withFiles.set(place, last);
  for (const name of [TERMS, DELIVERED]) await place.attach(last, name, FILES[name]!);
  await place.attach(last, HOURS, pdf('hours'));
  await place.attach(last, TAKEN_AWAY, pdf('a draft'));
  await place.attach(last, FOR_THE_HOUSE, pdf('for us alone'));
  await place.addOrder(TODAY);
}

/** Of the files that were listed with an invoice, one is another by now, and one is gone. */
export async function changeFiles(companies: readonly Company[]): Promise<void> {
  for (const place of placesOf(companies)) {
    await place.attach(withFiles.get(place)!, HOURS, FILES[HOURS]!);
    await place.detach(withFiles.get(place)!, TAKEN_AWAY);
  }
}

/** What goes with the invoice that has files; what is late of an ERP are orders, which have none. */
export function filesOf({ from, part }: Company): string[] {
  if (typeof from !== 'object') return [TERMS, DELIVERED];
  return part === 'main' ? [TERMS, DELIVERED, HOURS] : [];
}

const heldAt = (companies: readonly Company[], points: readonly string[], kinds: readonly string[]) =>
  companies.flatMap(({ name: tenant }): Hold[] =>
    points.flatMap((point) => kinds.map((kind) => ({ point, tenant, kind }))),
  );

const BOTH = ['customer', 'invoice'];

/** Where records wait when a process dies, run by run. Each waits at the first step that nobody else of its kind and company waits at. */
export function holdsOf(companies: readonly Company[]) {
  const main = companies.filter(({ part }) => part === 'main');
  const folders = main.filter(({ from }) => from === 'folder');
  const steps = [
    ...['after-submission-claim', 'after-submission-intent'],
    ...['after-submission-sent', 'after-submission-created'],
  ];
  return {
    takenIn: companies.map(({ name }): Hold => ({ point: 'after-taken-in', tenant: name, kind: null })),
    first: [
      ...heldAt(main, steps, BOTH),
      ...heldAt(folders, steps, ['draft']),
      ...heldAt(main, ['after-file-uploaded'], ['invoice']),
    ],
    // What waited at its claim is sent, and its answer lost; what waited before its origin was told is told.
    next: heldAt(main, ['after-submission-sent', 'after-origin-told'], BOTH),
  };
}
