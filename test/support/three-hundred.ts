// Three hundred records of every kind that a surface can make, from every place that needs no ERP: a folder, HTTP, receipts, and hours that
// people have logged at the service. And what of each stands at the second service afterwards, by everything that it has.
import { companyKennitala } from '../../lab/sandbox/world/names.js';
import { seededRandom } from '../../lab/sandbox/random.js';
import { SUBMISSION_KINDS, type SubmissionKind } from '../../src/domain/submission.js';
import { headOf } from '../../src/domain/source-document.js';
import { TODAY } from './outbound-bed.js';
import type { Fault, SecondService } from './second-service/index.js';

export type WideSurface = 'credential' | 'agent';
type Named = Readonly<Record<string, unknown>>;

/** How many of each; what the folder, HTTP, the receipts and the hours have comes to three hundred. */
const COUNTS: Readonly<Record<WideSurface, Readonly<Partial<Record<SubmissionKind, number>>>>> = {
  credential: {
    ...{ customer: 30, item: 25, invoice: 70, draft: 20, order: 20 },
    ...{ cost: 30, task: 20, hours: 45, subscription: 15 },
  },
  agent: {
    ...{ customer: 30, item: 35, invoice: 60, quote: 25, cost: 40 },
    ...{ task: 25, hours: 45, subscription: 15 },
  },
};
/** Bills of hours: so many customers, so many weeks. */
const [BILLED, WEEKS] = [5, 5];
const OVER_HTTP = 15;
export const RECORDS = 300;

const customerOf = (kennitala: string) => ({
  kennitala,
  name: `Prufa ${kennitala}`,
  email: 'prufa@example.is',
});
const line = (reference: string) => ({
  ...{ item_number: `V-${reference}`, description: 'Vara', qty: 2, unit_price: 1990, tax: 'S' },
});
const pdf = (text: string) => `%PDF-1.4\n${text}`;

export interface WideRecords {
  readonly folder: readonly Named[];
  readonly overHttp: readonly Named[];
  /** Name → content, with what is known of every other one beside it. */
  readonly receipts: ReadonlyMap<string, string>;
}

export function kennitalas(surface: WideSurface): string[] {
  const random = seededRandom(`three hundred, ${surface}`);
  const all = new Set<string>();
  while (all.size < (COUNTS[surface].customer ?? 0)) all.add(companyKennitala(random));
  return [...all];
}

export function recordsOf(surface: WideSurface): WideRecords {
  const counts = COUNTS[surface];
  const people = kennitalas(surface);
  const customer = (nth: number) => customerOf(people[nth % people.length]!);
  const sale = (kind: string, prefix: string) => (nth: number) => {
    const reference = `${prefix}-${String(nth)}`;
    return { kind, reference, issue_date: TODAY, customer: customer(nth), lines: [line(reference)] };
  };
  const made: Readonly<Partial<Record<SubmissionKind, (nth: number) => Named>>> = {
    customer: (nth) => ({ kind: 'customer', reference: people[nth], ...customer(nth) }),
    item: (nth) => ({
      ...{ kind: 'item', reference: `A-${String(nth)}`, description: 'Stóll', unit_price: 1990, tax: 'S' },
    }),
    // Every seventh credits the one before it, and has its customer.
    invoice: (nth) => ({
      ...sale('invoice', 'SO')(nth),
      ...(nth % 7 === 6 ? { credit_of: `SO-${String(nth - 1)}`, customer: customer(nth - 1) } : {}),
    }),
    draft: sale('draft', 'D'),
    order: sale('order', 'P'),
    quote: sale('quote', 'Q'),
    task: (nth) => ({
      ...{ kind: 'task', reference: `T-${String(nth)}`, customer: customer(nth), name: 'Ráðgjöf' },
      ...{ unit_price: 15000, tax: 'S' },
    }),
    hours: (nth) => ({
      ...{ kind: 'hours', reference: `H-${String(nth)}`, task: `T-${String(nth % (counts.task ?? 1))}` },
      ...{ date: TODAY, from: '09:00', to: '10:30' },
    }),
    subscription: (nth) => ({
      ...{ kind: 'subscription', reference: `S-${String(nth)}`, name: 'Hýsing', interval: 'monthly' },
      ...{ customer: customer(nth), lines: [line(`S-${String(nth)}`)], start_date: '2030-12-01' },
    }),
  };
  const records = Object.entries(made).flatMap(([kind, make]) =>
    Array.from({ length: counts[kind as SubmissionKind] ?? 0 }, (_none, nth) => make(nth)),
  );
  const isOverHttp = ({ kind, reference }: Named) =>
    kind === 'invoice' && Number(String(reference).slice(3)) < OVER_HTTP;
  return {
    folder: records.filter((record) => !isOverHttp(record)),
    overHttp: records.filter(isOverHttp),
    receipts: receiptsOf(counts.cost ?? 0),
  };
}

function receiptsOf(count: number): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (let nth = 0; nth < count; nth++) {
    const name = `kvittun-${String(nth)}.pdf`;
    files.set(name, pdf(String(nth)));
    const known = {
      ...{ date: TODAY, amount: 12400 + nth, how_paid: 3, vat_24: 2400, description: 'Prentun' },
      ...{ supplier_name: 'Prentsmiðjan ehf.', supplier_id: '5402696029', type: '2353' },
    };
    if (nth % 2 === 0) files.set(`${name}.json`, JSON.stringify(known));
  }
  return files;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
export const daysAgo = (days: number) =>
  new Date(Date.parse(TODAY) - days * DAY_MS).toISOString().slice(0, 10);
export const BILLED_SINCE = daysAgo(7 * (WEEKS + 2));

/** Hours of weeks that are over: each customer is billed for each week. */
export function logByHand({ desk }: SecondService, surface: WideSurface): void {
  for (const kennitala of kennitalas(surface).slice(0, BILLED)) {
    const { name, email } = customerOf(kennitala);
    const { guid } = desk.customer({ registration_no: kennitala, name, email });
    const item = { guid: '', description: 'Ráðgjöf', uom: 'HUR', tax: 'S', unit_price: 15000, category: '' };
    const task = desk.task({ customer_guid: guid, name: 'Handskráð', item });
    for (let week = 1; week <= WEEKS; week++) desk.hours(task, daysAgo(7 * week), 2);
  }
}

/** One after the other of every operation that makes or shows something, never so many in a row that a client takes the service for away. */
export function planFaults({ faults }: SecondService, surface: WideSurface): void {
  const rules: readonly Fault[] = [
    ...[{ kind: 'lose-reply' } as const, { kind: 'late', ms: 150 } as const],
    ...[{ kind: 'break-after', status: 502 } as const, { kind: 'refuse', status: 500 } as const],
    ...[{ kind: 'refuse', status: 429, retryAfter: 0 } as const],
  ];
  for (const operation of OPERATIONS[surface].making)
    for (const [nth, fault] of rules.entries()) faults.plan(operation, fault, { after: 2 * nth });
  for (const operation of OPERATIONS[surface].showing)
    for (const [nth, fault] of [rules[0]!, rules[3]!].entries())
      faults.plan(operation, fault, { after: 2 * nth });
}

const OPERATIONS: Readonly<Record<WideSurface, { making: readonly string[]; showing: readonly string[] }>> = {
  credential: {
    making: [
      ...['create-customer', 'create-item', 'create-invoice', 'create-draft-invoice', 'create-order-invoice'],
      ...['create-cost', 'create-cost-adv', 'create-task', 'log-task', 'create-recurring-invoice'],
    ],
    showing: [
      ...['get-customers-by-kennitala', 'get-items', 'get-item', 'get-invoice', 'get-invoices'],
      ...['get-costs', 'get-cost', 'get-task'],
    ],
  },
  agent: {
    making: [
      ...['POST /customers', 'POST /items', 'POST /invoices', 'POST /quotes', 'POST /costs'],
      ...['POST /costs/advanced', 'POST /tasks', 'POST /tasks/{id}/end', 'POST /recurring-invoices'],
    ],
    showing: [
      ...['GET /customers', 'GET /items', 'GET /items/{id}', 'GET /invoices', 'GET /invoices/{id}'],
      ...['GET /costs', 'GET /costs/{id}'],
    ],
  },
};

/** Everything that the service has of a kind, each by what ties it to its record: its mark, its kennitala, the head of its text. */
function everyName({ world }: SecondService, kind: SubmissionKind): readonly string[] {
  switch (kind) {
    case 'customer':
      return world.customers.map(({ registrationNo }) => registrationNo);
    // A task leaves an item of its own behind, without a number at its head.
    case 'item':
      return world.items.flatMap(({ description }) => headOf(description) ?? []);
    case 'invoice':
      return world.invoices.map(({ booking }) => booking ?? '');
    case 'quote':
      return world.quotes.map(({ booking }) => booking ?? '');
    case 'draft':
      return world.drafts.map(({ body }) => body.booking ?? '');
    case 'order':
      return world.orders.map(({ body }) => body.booking ?? '');
    case 'subscription':
      return world.templates.map(({ booking }) => booking ?? '');
    case 'cost':
      return world.costs.map(({ description }) => description ?? '');
    case 'task':
      return world.tasks.map(({ name }) => name);
    case 'hours':
      return world.tasks.flatMap(({ logs }) => logs.map(({ description }) => description ?? ''));
  }
}

interface Row {
  readonly kind: string;
  readonly reference: string;
  readonly key: string;
}

/** What stands there that people have made by hand. */
export const BY_HAND = [
  ...Array.from({ length: BILLED }, () => 'task Handskráð'),
  ...Array.from({ length: BILLED * WEEKS }, () => 'hours '),
];

/** How often each record stands there, by its mark; and what stands there that is nobody's. */
export function standing(service: SecondService, rows: readonly Row[]) {
  const counts = new Map(rows.map(({ key }) => [key, 0]));
  const nobodys: string[] = [];
  for (const kind of SUBMISSION_KINDS) {
    const known = new Map(
      rows
        .filter((row) => row.kind === kind)
        .map(({ reference, key }) => [['customer', 'item'].includes(kind) ? reference : key, key]),
    );
    for (const name of everyName(service, kind)) {
      const key = known.get(name) ?? known.get(name.split(' ').at(-1) ?? '');
      if (key === undefined) nobodys.push(`${kind} ${name}`);
      else counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return { counts, nobodys };
}
