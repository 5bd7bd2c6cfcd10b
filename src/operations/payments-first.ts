// A payment rests on the entry of its invoice, so it is undone first: each is a document of its own.
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { isUndone } from '../sync/follow-up-records.js';
import type { OperatorClaim } from './operator-claim.js';

/** Asked with the invoice on the claim: from then on no payment of it is booked. */
export async function refuseWithPayments(claim: OperatorClaim): Promise<void> {
  if (claim.posting.kind !== 'invoice') return;
  const invoice = await claim.bookedInvoice();
  const open = invoice?.payments.filter(({ state }) => !isUndone(state)).length ?? 0;
  if (open > 0) throw coded('ACT_NOT_POSSIBLE', message('PAYMENTS_FIRST', { payments: open }));
}
