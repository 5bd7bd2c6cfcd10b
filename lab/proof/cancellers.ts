// People who cancel invoices with credit notes: both are handed over at once, in either order, or one of them later; now and then
// nothing answers an invoice that was cancelled.
import type { Guid } from '../../src/domain/ids.js';
import type { SimulatedDocument } from './life.js';
import { FAULTS_MS, MINUTE_MS, type World } from './world.js';

const CANCELLED = 10;
const VAT = 1.24;

const ORDERS = [
  'the invoice, then the credit note',
  'the credit note, then the invoice',
  'the credit note later',
  'the invoice later',
] as const;

export async function cancellers(world: World): Promise<void> {
  const { kernel, service } = world;
  service.listsReferences = kernel.chance('lists say what a credit note refers to', 0.7);
  for (let number = 1; number <= CANCELLED; number++) {
    await kernel.sleep(
      kernel.between('how soon an invoice is cancelled', 1_000, (FAULTS_MS * 0.8) / CANCELLED),
    );
    const net = kernel.between('an amount that is cancelled', 1, 900) * 100;
    const invoice = issued(`cancelled-${number}`, String(4000 + number), net, { status: 'Cancelled' });
    if (kernel.chance('no credit note answers it', 0.2)) handOver(world, invoice);
    else {
      const note = issued(`note-${number}`, String(5000 + number), net, { credits: invoice.guid });
      void handOverBoth(world, invoice, note);
    }
  }
}

async function handOverBoth(
  world: World,
  invoice: SimulatedDocument,
  note: SimulatedDocument,
): Promise<void> {
  const { kernel, service } = world;
  const order = kernel.pick('which of a pair is found first', ORDERS);
  const isInvoiceFirst = order === ORDERS[0] || order === 'the credit note later';
  const [first, second] = isInvoiceFirst ? [invoice, note] : [note, invoice];
  // The service knows both, and may not have handed over the second.
  second.accountingStatus = '';
  handOver(world, first);
  if (order.endsWith('later')) {
    service.documents.set(second.guid, second);
    await kernel.sleep(kernel.between('how much later the other one comes', 1, 40) * MINUTE_MS);
  }
  handOver(world, second);
  service.cancelledPairs.push({ invoice: invoice.guid, note: note.guid, at: kernel.nowMs });
}

function handOver({ kernel, service }: World, document: SimulatedDocument): void {
  document.accountingStatus = 'Created';
  service.documents.set(document.guid, document);
  const what = document.credits === undefined ? 'which is cancelled' : `which takes ${document.credits} back`;
  kernel.note(`handed over ${document.number}, ${what}`);
}

/** Nobody edits what was issued. */
function issued(
  guid: Guid,
  number: string,
  net: number,
  more: Partial<SimulatedDocument>,
): SimulatedDocument {
  const amount = net * VAT;
  return {
    ...{ guid, number, kind: 'invoice', costCode: '', issueDate: '2026-03-01', status: 'Sent' },
    ...{ accountingStatus: 'Created', deleted: false, version: 1, amount, net, amounts: [amount] },
    ...{ isMade: true, ...more },
  };
}
