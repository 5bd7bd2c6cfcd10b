// What follows a document rests on its entry, so it is undone first: each is a document of its own.
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { isSourceKind } from '../domain/source-document.js';
import type { KnownRelease } from '../pipeline/releases/records.js';
import { isUndone } from '../pipeline/payments/settled-journals.js';
import type { Desk } from './desk.js';

/** Asked with the invoice on the desk: from then on no payment of it is booked. */
export async function refuseWithPayments(desk: Desk): Promise<void> {
  if (desk.posting.kind !== 'invoice') return;
  const invoice = await desk.bookedInvoice();
  const open = invoice?.payments.filter(({ state }) => !isUndone(state)).length ?? 0;
  if (open > 0) throw coded('ACT_NOT_POSSIBLE', message('PAYMENTS_FIRST', { payments: open }));
}

/** Asked with the document on the desk: from then on none is booked. One that is under way, or waits, is not known to be undone. */
export async function releasesToUndo(desk: Desk): Promise<readonly KnownRelease[]> {
  if (!isSourceKind(desk.posting.kind)) return [];
  const document = await desk.bookedDocument();
  const open = document?.releases.filter(({ state }) => !isUndone(state)) ?? [];
  const unfinished = open.filter(({ state, isBooked }) => !isBooked || state === 'posting').length;
  if (unfinished > 0) throw coded('ACT_NOT_POSSIBLE', message('RELEASES_FIRST', { releases: unfinished }));
  return open;
}
