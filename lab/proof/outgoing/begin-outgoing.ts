// Everybody who acts in the other direction of a simulated world.
import { type World, FAULTS_MS, MINUTE_MS, type Phase } from '../world.js';
import { clerks, stewards } from './clerks.js';
import { bookkeepersAtDesk, changePapers } from './desk-people.js';
import type { OutgoingSide } from './outgoing-side.js';
import { cataloguers, colleagues, correctors, writers, KENNITALAS } from './writers.js';
import type { Kernel } from '../kernel.js';

interface Coming {
  readonly records?: number;
  readonly items?: number;
  /** Records that have the reference of another one. */
  readonly shared?: number;
  /** Invoices of an ERP, with files beside them. */
  readonly posted?: number;
  /** Tasks whose hours people invoice at the service. */
  readonly invoiced?: number;
}

export function beginOutgoing(world: World, side: OutgoingSide, coming: Coming): void {
  const { records = 24, items = 0, shared = 0, posted = 0, invoiced = 0 } = coming;
  const { kernel, phase } = world;
  void writers(side, kernel, records);
  void cataloguers(side, kernel, items);
  void colleagues(side, kernel, shared);
  void correctors(side, kernel);
  if (side.desk) void bookkeepersAtDesk(side.desk, posted);
  if (side.desk) void changePapers(side.desk, posted);
  void peopleAtService(side, kernel, phase);
  void invoicers(side, kernel, invoiced);
  void stewards(world, side);
  void clerks(world, side);
}

// The people at the service: they change customers, make one a second time by hand, deactivate another, and approve costs. Templates make
// their invoices by themselves.

async function peopleAtService(side: OutgoingSide, kernel: Kernel, phase: Phase): Promise<void> {
  if (kernel.chance('somebody is there twice', 0.4)) makeTwice(side, kernel);
  for (let acts = 0; phase.isFaulty; acts++) {
    await kernel.sleep(kernel.between('how soon somebody at the service acts', 2, 8) * MINUTE_MS);
    const act = kernel.pick('what somebody at the service does', [
      change,
      change,
      approve,
      approve,
      invoiceAgain,
      deactivate,
    ]);
    act(side, kernel);
  }
}

/** Before the bridge was there: only one of the two profiles is the right one, and people know which. */
function makeTwice({ books, meant }: OutgoingSide, kernel: Kernel): void {
  const registration_no = kernel.pick('who is there twice', KENNITALAS);
  const [first, second] = [1, 2].map(() =>
    books.make('customer', { registration_no, name: 'Tvisvar ehf.' }, 'people'),
  );
  const right = kernel.chance('the first is the right one', 0.5) ? first : second;
  meant.set(registration_no, right?.guid ?? '');
}

/** Only what the bridge has seen and written at rest: a change that comes before its first look is nobody's to keep. */
function change({ books, records }: OutgoingSide, kernel: Kernel): void {
  const rows = [...records.rows.values()].filter(
    ({ record: { kind, state, agreed, guid } }) =>
      kind === 'customer' && state === 'acknowledged' && agreed !== null && guid !== null,
  );
  if (rows.length === 0) return;
  const { record } = kernel.pick('whom they change', rows);
  const known = books.byGuid(record.guid ?? '');
  if (!known || known.goneAt !== null) return;
  const field = kernel.pick('what they change', ['email', 'city']);
  const value = `${field} ${String(kernel.between('to what they change it', 1, 9))}`;
  books.change(known, { [field]: value });
  books.changedHere.set(`${known.guid} ${field}`, value);
  kernel.note(`somebody at the service sets ${field} of ${known.guid} to ${value}`);
}

function approve({ books }: OutgoingSide, kernel: Kernel): void {
  const costs = books
    .live('cost')
    .filter(({ document, queuedUntil }) => document === undefined && queuedUntil <= kernel.nowMs);
  if (costs.length > 0) books.approve(kernel.pick('which cost is approved', costs));
}

/** A template makes the next of its invoices, with its mark. */
function invoiceAgain({ books }: OutgoingSide, kernel: Kernel): void {
  const templates = books.live('subscription');
  if (templates.length === 0) return;
  const { body } = kernel.pick('which template makes an invoice', templates);
  books.make('invoice', { ...body, type: 'invoice' }, 'template');
}

function deactivate({ books }: OutgoingSide, kernel: Kernel): void {
  const customers = books.live('customer').filter(({ by }) => by === 'us');
  if (customers.length === 0 || !kernel.chance('somebody is deactivated', 0.2)) return;
  const customer = kernel.pick('who is deactivated', customers);
  books.remove(customer);
  kernel.note(`${customer.guid} is deactivated`);
}

/** They invoice hours on the page of a task; not in every run, so that a seed without it stays the run that it was. */
async function invoicers({ books }: OutgoingSide, kernel: Kernel, invoiced: number): Promise<void> {
  for (let number = 1; number <= invoiced; number++) {
    await kernel.sleep(kernel.between('how soon a task is invoiced', 1_000, FAULTS_MS / invoiced));
    const worked = new Set(books.live('hours').map(({ task }) => task));
    const tasks = books.live('task').filter((task) => worked.has(task.guid) && task.invoiced === undefined);
    if (tasks.length === 0) continue;
    const task = kernel.pick('which task is invoiced', tasks);
    task.invoiced = { at: kernel.nowMs, isWhole: kernel.chance('nothing more is worked on it', 0.5) };
    kernel.note(`somebody at the service invoices task ${task.number}`);
  }
}
