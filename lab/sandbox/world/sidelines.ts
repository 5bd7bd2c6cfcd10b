// The rest of an account: a few tasks with their hours, selling pages, orders and recurring invoices.
import { addDays } from '../clock.js';
import {
  PRODUCT_SALE_TYPES,
  RECURRING_INTERVALS,
  type AccountData,
  type Attendee,
  type InvoiceLine,
  type Item,
  type PreparedInvoice,
  type ProductSale,
  type RecurringInvoice,
  type Task,
  type TaskLog,
} from '../model.js';
import { totalsOf } from '../money.js';
import type { Random } from '../random.js';
import type { Buyer } from './buyers.js';
import { between, happens, pick, officeHour, type WorkingDays } from './working-days.js';
import { personKennitala, personName, plainLetters, PLACES, STREETS } from './names.js';

export interface SidelineSource {
  readonly buyers: readonly Buyer[];
  readonly catalogue: readonly Item[];
  readonly days: WorkingDays;
  readonly projects: readonly string[];
}

type Sidelines = Pick<AccountData, 'tasks' | 'product_sales' | 'orders' | 'recurring'>;

const TASKS = 6;
const PREPARED = 4;
const ATTENDEES_MAX = 24;
const SALE_NAMES = {
  STAND: 'Gjafabréf',
  SUB: 'Mánaðaráskrift',
  DONA: 'Styrktu starfið',
  EVENT: 'Opið hús og fyrirlestur',
} as const;

export function sidelinesOf(random: Random, source: SidelineSource): Sidelines {
  return {
    tasks: Array.from({ length: TASKS }, (_, index) => task(random, source, index)),
    product_sales: PRODUCT_SALE_TYPES.map((type) => productSale(random, type)),
    orders: Array.from({ length: PREPARED }, (_, index) =>
      prepared(random, source, index % 2 === 0 ? 'order' : 'draft'),
    ),
    recurring: [recurring(random, source), recurring(random, source)],
  };
}

function lineOf(random: Random, catalogue: readonly Item[]): InvoiceLine {
  const { guid, item_number, description, uom, tax, unit_price } = pick(random, catalogue);
  const qty = between(random, 1, 4);
  return { guid, item_number, description, qty, uom, tax, unit_price, discount: '0', discount_type: true };
}

function task(random: Random, { buyers, catalogue, days, projects }: SidelineSource, index: number): Task {
  const { guid, description, uom, tax, unit_price, category } = pick(random, catalogue);
  const buyer = pick(random, buyers);
  const createdAt = officeHour(random, pick(random, days.draw(random, 1)));
  return {
    guid: random.guid(),
    number: String(index + 1),
    name: `${description} fyrir ${buyer.printed.name}`,
    status: index < 4 ? 'open' : 'closed',
    item: { guid, description, uom, tax, unit_price, category },
    customer: buyer.printed,
    running_since: null,
    created_at: createdAt,
    invoices: [],
    logs: Array.from({ length: between(random, 1, 5) }, () => log(random, createdAt)),
    project_name: happens(random, 0.5) ? pick(random, projects) : '',
  };
}

function log(random: Random, createdAt: string): TaskLog {
  const day = createdAt.slice(0, 10);
  return {
    guid: random.guid(),
    manual: true,
    creation_date: createdAt,
    quantity: between(random, 1, 32) * 25,
    description: pick(random, ['Undirbúningur', 'Vinna á staðnum', 'Frágangur']),
    advanced: false,
    count_of_workers: 1,
    hours_worked_per_day: 0,
    from_date: day,
    to_date: day,
    image: '',
  };
}

function productSale(random: Random, type: ProductSale['type']): ProductSale {
  const guid = random.guid();
  return {
    guid,
    status: 1,
    type,
    url: `/sala/${guid.slice(0, 8)}`,
    terms: 'Kaup eru endanleg við staðfestingu.',
    name: SALE_NAMES[type],
    description: 'Selt á vefnum',
    amount: between(random, 10, 200) * 10_000,
    inventory_control: type === 'STAND' || type === 'EVENT',
    inventory_count: type === 'STAND' || type === 'EVENT' ? between(random, 5, 80) : 0,
    attendees:
      type === 'EVENT'
        ? Array.from({ length: between(random, 6, ATTENDEES_MAX) }, (_, index) => attendee(random, index))
        : [],
  };
}

function attendee(random: Random, index: number): Attendee {
  const name = personName(random);
  const [zip, city] = pick(random, PLACES);
  return {
    attendee: `${name} ${plainLetters(name).replaceAll('-', '.')}@postur.example`,
    phone_number: String(between(random, 6_000_000, 8_999_999)),
    qty: between(random, 1, 4),
    invoice_number: `V-${index + 1}`,
    kennitala: personKennitala(random),
    invoice_status: happens(random, 0.9) ? 'Paid' : 'Not paid on time',
    name,
    zip,
    city,
    address: `${pick(random, STREETS)} ${between(random, 1, 90)}`,
    message: happens(random, 0.2) ? 'Hlakka til!' : '',
    attended: happens(random, 0.5) ? 'true' : 'false',
    fields: [{ label: 'Fæðuofnæmi', value: pick(random, ['Nei', 'Nei', 'Hnetur', 'Glúten']) }],
  };
}

function prepared(random: Random, source: SidelineSource, kind: PreparedInvoice['kind']): PreparedInvoice {
  const items = [lineOf(random, source.catalogue)];
  return {
    guid: random.guid(),
    kind,
    amount: totalsOf(items).amount,
    currency: 'ISK',
    settlement_date: 14,
    description: kind === 'order' ? 'Pöntun' : 'Drög',
    booking: '',
    cost_provide: '',
    terms: '',
    delivery_date: null,
    is_claim: false,
    is_discount: false,
    discount_type: true,
    discount_value: '0',
    mark_paid: false,
    kennitala: pick(random, source.buyers).printed.registration_no,
    items,
  };
}

/** Starts after the account's period: the service writes its invoices when the clock gets there. */
function recurring(random: Random, { buyers, catalogue, days }: SidelineSource): RecurringInvoice {
  const items = [lineOf(random, catalogue)];
  const domestic = buyers.filter(({ customer }) => customer.currency === 'ISK' && !customer.tax_exempt);
  return {
    guid: random.guid(),
    recurring_name: 'Föst þjónusta',
    recurring_max_invoice: null,
    recurring_interval: pick(random, RECURRING_INTERVALS),
    recurring_start_date: addDays(days.to, between(random, 10, 40)),
    recurring_link_national: 0,
    amount: totalsOf(items).amount,
    currency: 'ISK',
    description: 'Samkvæmt samningi',
    booking: '',
    cost_provide: '',
    terms: '',
    due_days: 14,
    settlement_days: 24,
    items,
    customer: pick(random, domestic.length > 0 ? domestic : buyers).printed,
    issued: 0,
  };
}
