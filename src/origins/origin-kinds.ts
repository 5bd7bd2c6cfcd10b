// Which kinds of records an origin may hand over, from its settings alone: the scopes of a grant are asked for by them.
import { SUBMISSION_KINDS, type SubmissionKind } from '../domain/submission.js';
import type { ErpOriginSettings, OriginSettings } from './origin-settings.js';

export interface OriginKinds {
  /** It hands these over. */
  readonly surely: readonly SubmissionKind[];
  /** It may hand these over as well; nobody has said. */
  readonly perhaps: readonly SubmissionKind[];
}

/** Where a tenant file does not name the kinds, these are expected: each of the others wants to be named. */
const USUAL: readonly SubmissionKind[] = ['invoice', 'customer'];

export function kindsOf(settings: OriginSettings): OriginKinds {
  switch (settings.type) {
    case 'folder':
    case 'http':
      return settings.kinds === undefined
        ? { surely: USUAL, perhaps: SUBMISSION_KINDS }
        : { surely: settings.kinds, perhaps: [] };
    case 'receipts':
      return { surely: ['cost'], perhaps: [] };
    case 'hours':
      // What is billed is read from the hours of the service.
      return { surely: ['hours', settings.bill], perhaps: [] };
    case 'erp': {
      const handed = settings.hands.map((hand) => ofHand(hand, settings));
      // The customer of whatever is sold comes with it.
      const customers = settings.hands.some((hand) => hand !== 'items') ? (['customer'] as const) : [];
      return { surely: [...new Set<SubmissionKind>([...customers, ...handed])], perhaps: [] };
    }
  }
}

function ofHand(
  hand: ErpOriginSettings['hands'][number],
  { orders, quotes }: ErpOriginSettings,
): SubmissionKind {
  switch (hand) {
    case 'customers':
      return 'customer';
    case 'items':
      return 'item';
    case 'invoices':
      return 'invoice';
    case 'orders':
      return orders;
    case 'quotes':
      return quotes;
  }
}
