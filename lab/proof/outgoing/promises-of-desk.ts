// What the other direction promises of invoices that an ERP has posted: with each go the files that stand beside it when it leaves, and one
// that was cancelled by then does not leave.
import { submissionKey } from '../../../src/domain/submission.js';
import { PRUFA } from '../memory-records.js';
import { type DeskInvoice, type ErpDesk, stoodBetween } from './erp-desk.js';
import type { OutgoingSide } from './outgoing-side.js';

export function promisesOfDesk(side: OutgoingSide): string[] {
  const { desk } = side;
  return desk === null
    ? []
    : [...desk.invoices.values()].flatMap((invoice) => ofInvoice(side, desk, invoice));
}

function ofInvoice({ records, books }: OutgoingSide, desk: ErpDesk, invoice: DeskInvoice): string[] {
  const { reference } = invoice;
  const identity = { environment: 'production', sourceAccount: PRUFA.account, series: '' } as const;
  const key = submissionKey({ ...identity, kind: 'invoice', reference });
  if (!records.rows.has(key) && desk.mayLeave(invoice)) return [`22: invoice ${reference} was never found`];
  return books.ofMark('invoice', key).flatMap(({ body }) => {
    const goes = books.filesOf(body).join(' ');
    const leaving = desk.leavings.get(reference)?.find(({ files }) => files === goes);
    if (leaving === undefined)
      return [`20: invoice ${reference} stands there, and no request of it was made`];
    const stood = stoodBetween(invoice, leaving.from, leaving.to);
    if (stood.includes(goes)) return [];
    if (stood.every((files) => files === null))
      return [`30: invoice ${reference} was sent, and was not to leave any more`];
    const isStray = (hash: string) => !stood.some((files) => files?.includes(hash) === true);
    const what = books.filesOf(body).some(isStray)
      ? 'with a file that did not stand'
      : 'without files that stood';
    return [`29: invoice ${reference} left ${what} beside it`];
  });
}
