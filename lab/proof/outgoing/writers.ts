// The people at the origins of a simulated run: they put customers, invoices, credit notes, drafts, subscriptions, tasks, hours and
// receipts there, change some of them before they were sent and some after, and take hours back.
import type { Kernel } from '../kernel.js';
import { FAULTS_MS, MINUTE_MS } from '../world.js';
import type { OutgoingSide } from './outgoing-side.js';
import { namedFile, type Shelf } from './shelf.js';

export const KENNITALAS = ['5402696029', '4101212040', '4504013150', '5501012040'] as const;
const DAYS = ['2026-02-03', '2026-02-05', '2026-02-10', '2026-02-12'] as const;
const CITIES = ['Reykjavík', 'Akureyri', 'Selfoss', 'Ísafjörður'] as const;

interface Desk {
  readonly kernel: Kernel;
  readonly shop: Shelf;
  readonly sheet: Shelf;
}

export async function writers(side: OutgoingSide, kernel: Kernel, records: number): Promise<void> {
  const [shop, sheet] = side.shelves;
  if (!shop || !sheet) return;
  const desk = { kernel, shop, sheet };
  side.billsFrom = kernel.nowMs + kernel.between('when hours are billed', 20, 70) * MINUTE_MS;
  const ways = [
    invoice,
    invoice,
    invoice,
    customer,
    credit,
    task,
    hours,
    hours,
    hours,
    receipt,
    receipt,
    subscription,
    draft,
  ];
  for (let number = 1; number <= records; number++) {
    await kernel.sleep(kernel.between('how soon a record comes', 1_000, (FAULTS_MS * 0.7) / records));
    kernel.pick('what comes', ways)(desk, number);
  }
}

/** The catalogue of the shop; not in every run, so that a seed without it stays the run that it was. */
export async function cataloguers(side: OutgoingSide, kernel: Kernel, items: number): Promise<void> {
  const [shop] = side.shelves;
  for (let number = 1; number <= items; number++) {
    await kernel.sleep(kernel.between('how soon an item comes', 1_000, (FAULTS_MS * 0.7) / items));
    shop?.put('item', `A-${String(number)}`, { ...somePrice(kernel), tax: 'S' });
  }
}

/** A colleague has other records under the same references: in another file of the shop, or in the other place. */
export async function colleagues(side: OutgoingSide, kernel: Kernel, shared: number): Promise<void> {
  const [shop, sheet] = side.shelves;
  if (!shop || !sheet) return;
  for (let number = 1; number <= shared; number++) {
    await kernel.sleep(kernel.between('how soon a reference comes twice', 1_000, (FAULTS_MS * 0.7) / shared));
    const all = [...shop.records.values()].filter(({ slot, kind }) => slot === shop.name && kind !== 'item');
    if (all.length === 0) continue;
    const { kind, reference, content } = kernel.pick('which reference comes twice', all);
    const { files: _none, ...value } = JSON.parse(content) as Record<string, unknown>;
    const other = corrected(kernel, kind, value);
    if (kernel.chance('it is in the other place', 0.3)) sheet.put(kind, reference, other);
    else shop.put(kind, reference, other, { slot: 'colleague.csv' });
  }
}

/** What is there already is changed: now while nothing of it was sent, and then when it stands at the service. */
export async function correctors(side: OutgoingSide, kernel: Kernel): Promise<void> {
  for (let acts = 0; acts < 12; acts++) {
    await kernel.sleep(kernel.between('how soon a record changes', 1, 9) * MINUTE_MS);
    const shelf = kernel.pick('where one changes', side.shelves);
    const all = [...shelf.records.values()].filter(({ kind }) => kind !== 'task');
    if (all.length === 0) continue;
    const { kind, reference, content, place, slot } = kernel.pick('which record changes', all);
    const value = JSON.parse(content) as Record<string, unknown>;
    const files = value['files'] === undefined ? {} : { files: someFiles(kernel, shelf, reference) };
    shelf.put(kind, reference, { ...corrected(kernel, kind, value), ...files }, { place, slot });
  }
}

function corrected(kernel: Kernel, kind: string, value: Record<string, unknown>): Record<string, unknown> {
  if (kind === 'customer') return { ...value, ...someField(kernel) };
  if (kind === 'item') return { ...value, ...somePrice(kernel) };
  if (kind === 'cost')
    return { ...value, description: `Kvittun ${String(kernel.between('a receipt is called', 1, 9))}` };
  if (kind === 'hours')
    return kernel.chance('hours are taken back', 0.3)
      ? { ...value, deleted: true }
      : { ...value, ...someHours(kernel) };
  return { ...value, lines: someLines(kernel) };
}

function someField(kernel: Kernel): Record<string, string> {
  return kernel.chance('they move', 0.5)
    ? { city: kernel.pick('where they move', CITIES) }
    : { email: `post${String(kernel.between('an address', 1, 9))}@example.is` };
}

function someHours(kernel: Kernel): Record<string, string> {
  const from = kernel.between('when work begins', 8, 12);
  const to = from + kernel.between('how long they work', 1, 6);
  return {
    date: kernel.pick('on which day they work', DAYS),
    from: `${String(from).padStart(2, '0')}:00`,
    to: `${String(to).padStart(2, '0')}:00`,
  };
}

function someLines(kernel: Kernel): Record<string, string>[] {
  const price = String(kernel.between('a price', 1, 90) * 100);
  return [{ item_number: 'V1', description: 'Vara', qty: '1', unit_price: price, tax: 'S' }];
}

function someCustomer(kernel: Kernel): Record<string, string> {
  const kennitala = kernel.pick('whose it is', KENNITALAS);
  return { kennitala, name: `Félag ${kennitala}` };
}

type Way = (desk: Desk, number: number) => void;

const invoice: Way = ({ kernel, shop }, number) => {
  const reference = `SO-${String(number)}`;
  shop.put('invoice', reference, {
    ...{ customer: someCustomer(kernel), issue_date: '2026-03-01', lines: someLines(kernel) },
    ...(kernel.chance('files go with an invoice', 0.4) ? { files: someFiles(kernel, shop, reference) } : {}),
  });
};

/** They stand beside the record; a corrected one has its old name. */
function someFiles(kernel: Kernel, shelf: Shelf, reference: string) {
  const count = kernel.between('how many files', 1, 2);
  return Array.from({ length: count }, (_none, index) => {
    const name = `${reference}-${String(index + 1)}.pdf`;
    const bytes = new TextEncoder().encode(`${name} ${String(kernel.between('what a file says', 1, 9))}`);
    shelf.files.set(name, bytes);
    return namedFile(name, bytes);
  });
}

const customer: Way = ({ kernel, shop }) => {
  const who = someCustomer(kernel);
  const before = shop.recordOf('customer', who['kennitala'] ?? '')?.content ?? '{}';
  shop.put('customer', who['kennitala'] ?? '', {
    ...{ ...who, city: 'Reykjavík', email: 'post@example.is' },
    ...(JSON.parse(before) as object),
    ...someField(kernel),
  });
};

const credit: Way = (desk, number) => {
  const { kernel, shop } = desk;
  const credited = [...shop.records.values()].filter(
    ({ kind, content }) => kind === 'invoice' && !content.includes('credit_of'),
  );
  if (credited.length === 0) {
    invoice(desk, number);
    return;
  }
  const { reference, content } = kernel.pick('which is credited', credited);
  const { lines } = JSON.parse(content) as { lines: object[] };
  shop.put('invoice', `CR-${String(number)}`, { issue_date: '2026-03-01', credit_of: reference, lines });
};

function somePrice(kernel: Kernel): Record<string, string> {
  const price = kernel.between('what an item costs', 1, 90);
  return { unit_price: String(price * 100), description: `Vara ${String(price)}` };
}

const draft: Way = ({ kernel, shop }, number) =>
  shop.put('draft', `DR-${String(number)}`, {
    ...{ customer: someCustomer(kernel), issue_date: '2026-03-01', lines: someLines(kernel) },
  });

const subscription: Way = ({ kernel, shop }, number) =>
  shop.put('subscription', `S-${String(number)}`, {
    ...{ customer: someCustomer(kernel), name: 'Vefhýsing', interval: 'monthly', start_date: '2026-03-01' },
    lines: someLines(kernel),
  });

const task: Way = ({ kernel, sheet }, number) =>
  sheet.put('task', `T-${String(number)}`, {
    ...{ customer: someCustomer(kernel), name: 'Ráðgjöf', unit_price: '1000', tax: 'S' },
  });

const hours: Way = (desk, number) => {
  const { kernel, sheet } = desk;
  const tasks = [...sheet.records.values()].filter(({ kind }) => kind === 'task');
  if (tasks.length === 0) {
    task(desk, number);
    return;
  }
  const { reference } = kernel.pick('which task they work on', tasks);
  sheet.put('hours', `H-${String(number)}`, { task: reference, ...someHours(kernel), description: 'Vinna' });
};

/** Some come twice, under another name; some with everything that is known of them. */
const receipt: Way = ({ kernel, sheet }, number) => {
  const [copied] = kernel.chance('a receipt is copied', 0.3) ? [...sheet.files.values()] : [];
  const bytes = copied ?? new TextEncoder().encode(`receipt ${String(number)}`);
  const amount = String(kernel.between('what was paid', 1, 90) * 124);
  const known = kernel.chance('it is known what it is', 0.5) ? { amount, how_paid: '1' } : {};
  sheet.putFile(`receipt-${String(number)}.pdf`, bytes, { date: '2026-03-01', ...known });
};
