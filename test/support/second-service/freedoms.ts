/**
 * Where the two API documents leave freedom, this service has a will of its own, and by default the awkward one.
 * Each freedom says which words of the documents leave it open, so that a test can also try the other reading.
 */
export interface Freedoms {
  /** "Development … every server-side call must append en4_maint_code"; null is production, which must never see it. */
  readonly maintenanceCode: string | null;
  /** get-costs answers `limit` and `hasMore`: a page may be smaller than was asked for. null: as asked. */
  readonly costPageCap: number | null;
  /** "the yearly value spelled `yearly` in one place and `annuall` in another": a service knows at least one. */
  readonly yearlySpellings: readonly string[];
  /** The `qty` of a line is an integer in every table, also where hours (HUR) are invoiced. */
  readonly wholeQuantities: boolean;
  /** `item_number` of an inline line: "any unique SKU string", but unique among what is not said. */
  readonly inlineNumbers: 'unique-in-invoice' | 'unique-ever';
  /** "Create-invoice response as shown: {success, invoice_id: integer, action_id}" or the envelope of all others. */
  readonly agentCreateReply: 'as-shown' | 'envelope';
  /** "unless cost AI is enabled": create-cost then queues, and the cost is not listed, counted or deletable. */
  readonly costAi: boolean;
  readonly aiMs: number;
  /** "re-fetch to read extracted values": whether the description that was sent survives is not said. */
  readonly aiRewritesDescription: boolean;
  /** "retry after about 1 s if newly created": so long is any new cost still being processed. */
  readonly processingMs: number;
  /** "Needs an active payment-link subscription." */
  readonly paymentLinks: boolean;
  /** "One form shows 3600, another states 1 day": the client goes by `expires_in`. */
  readonly tokenSeconds: number;
  /** `search` "results include deactivated profiles"; of the look-up by kennitala nothing is said. */
  readonly kennitalaFindsDeactivated: boolean;
  /** "One form of the endpoint makes kennitala required, matches partially and defaults limit to all." */
  readonly kennitalaForm: 'exact' | 'partial';
  /** "HTTP status codes for credential failures: not shown." */
  readonly credentialFailureStatus: number;
  /** Table of Customer: name is "used in create/update bodies and in the invoice-customer shape". */
  readonly customersShowName: boolean;
  /** "Totals of lines subject to 24 %, 11 %, 0 % VAT": with or without that VAT is not said. */
  readonly vatTotals: 'net' | 'gross';
}

export const AWKWARD: Freedoms = {
  maintenanceCode: null,
  costPageCap: 4,
  yearlySpellings: ['annuall'],
  wholeQuantities: true,
  inlineNumbers: 'unique-in-invoice',
  agentCreateReply: 'as-shown',
  costAi: false,
  aiMs: 300,
  aiRewritesDescription: false,
  processingMs: 50,
  paymentLinks: true,
  tokenSeconds: 3600,
  kennitalaFindsDeactivated: false,
  kennitalaForm: 'partial',
  credentialFailureStatus: 200,
  customersShowName: true,
  vatTotals: 'net',
};
