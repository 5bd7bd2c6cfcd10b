// The people at the ERP of a simulated run: they post invoices with files beside them, and change, add and take away files while those wait
// to leave and after; now and then one puts a link there, or cancels an invoice.
import type { Kernel } from '../kernel.js';
import { FAULTS_MS, MINUTE_MS } from '../world.js';
import type { DeskInvoice, ErpDesk } from './erp-desk.js';
import { KENNITALAS } from './writers.js';

const NAMES = ['skilmalar.pdf', 'timar.pdf', 'innra.pdf'] as const;

/** Of one length, so that no size tells two apart. */
function someBytes(kernel: Kernel, name: string): Uint8Array {
  return new TextEncoder().encode(`${name} ${String(kernel.between('what a paper says', 1, 9))}`);
}

export async function bookkeepersAtDesk(desk: ErpDesk, invoices: number): Promise<void> {
  const { kernel } = desk;
  for (let number = 1; number <= invoices; number++) {
    await kernel.sleep(kernel.between('how soon one is posted', 1_000, (FAULTS_MS * 0.5) / invoices));
    const kennitala = kernel.pick('whom it is posted to', KENNITALAS);
    const price = String(kernel.between('what it comes to', 1, 90) * 100);
    const invoice = desk.post(`INV-${String(number)}`, {
      ...{ customer: { kennitala, name: `Félag ${kennitala}` }, issue_date: '2026-03-01' },
      lines: [{ item_number: 'V1', description: 'Vara', qty: '1', unit_price: price, tax: 'S' }],
    });
    const papers = kernel.between('how many papers it has', 0, NAMES.length);
    for (const name of NAMES.slice(0, papers)) desk.attach(invoice, name, someBytes(kernel, name));
  }
}

/** Often soon after an invoice was posted, when it is about to leave. */
export async function changePapers(desk: ErpDesk, invoices: number): Promise<void> {
  const { kernel } = desk;
  for (let acts = 0; acts < invoices * 4; acts++) {
    await kernel.sleep(kernel.between('how soon papers change', 5_000, 5 * MINUTE_MS));
    if (!desk.faulty) return;
    const all = [...desk.invoices.values()].filter(({ isCancelled }) => !isCancelled);
    if (all.length === 0) continue;
    const some = kernel.chance('papers of the newest change', 0.6) ? all.slice(-1) : all;
    act(desk, kernel.pick('whose papers change', some));
  }
}

function act(desk: ErpDesk, invoice: DeskInvoice): void {
  const { kernel } = desk;
  const [first] = invoice.files;
  const link = invoice.files.find(({ bytes }) => bytes === null);
  // A link is mended before anything else is done.
  if (link) desk.attach(invoice, link.name, someBytes(kernel, link.name));
  else if (kernel.chance('an invoice is cancelled there', 0.1)) desk.cancel(invoice);
  else if (first && kernel.chance('a paper is taken away', 0.3)) desk.detach(invoice, first);
  else {
    const name = kernel.pick('which paper', NAMES);
    const isLink = kernel.chance('a link is put there', 0.08);
    desk.attach(invoice, name, isLink ? null : someBytes(kernel, name));
  }
}

/** When all is well it answers, and nobody leaves a link where a file is to be. */
export function tidyDesk(desk: ErpDesk): void {
  desk.faulty = false;
  for (const invoice of desk.invoices.values())
    for (const { name, bytes } of invoice.files)
      if (bytes === null) desk.attach(invoice, name, someBytes(desk.kernel, name));
}
