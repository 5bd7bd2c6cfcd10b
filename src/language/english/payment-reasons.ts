// Why what follows a document that is in the books is not booked: the payment of an invoice, or a release.
import type { ReasonTable } from '../table.js';

export const PAYMENT_REASONS = {
  NOTHING_TO_SETTLE: {
    says: 'The invoice shows no payment that is not in the books.',
    cure: 'Nothing: it was taken back, or booked otherwise, before the bridge came to it.',
  },
  NOTHING_TO_RELEASE: {
    says: 'Nothing of the document waits for this day.',
    cure: 'Nothing: its entry was reversed, or booked anew, before the bridge came to it.',
  },
  PAYMENT_AMOUNTS_MISMATCH: {
    says: 'The amounts of the claim do not add up, so the payment is not booked.',
    detail: ({ owed, deposited }: { owed: string; deposited: string }) =>
      `It should bring ${owed} ISK, bank_transaction_amount is ${deposited}.`,
    cure: 'Correct the claim in the invoicing service; it is looked at again daily. Or book the payment by hand and skip this one.',
  },
} satisfies ReasonTable;
