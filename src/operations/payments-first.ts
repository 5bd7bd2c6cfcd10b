// A payment rests on the entry of its invoice, so it is undone first: each is a document of its own.
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { isUndone } from '../pipeline/payments/settled-journals.js';
import type { Desk } from './desk.js';

/** Asked with the invoice on the desk: from then on no payment of it is booked. */
export async function refuseWithPayments(desk: Desk): Promise<void> {
  if (desk.posting.kind !== 'invoice') return;
  const invoice = await desk.bookedInvoice();
  const open = invoice?.payments.filter(({ state }) => !isUndone(state)).length ?? 0;
  if (open > 0) throw coded('ACT_NOT_POSSIBLE', message('PAYMENTS_FIRST', { payments: open }));
}
