// The documented rules a client can break, by name. The journal and every refusal speak of them, so that an integrator
// reads which sentence of which document they missed. "D1" and "D2" are the two API documents.

export const RULES = {
  credentials:
    'D1 Authentication 1: every call carries the username and its api_key, as fields or as HTTP Basic.',
  'credentials-in-post-query':
    'D1 Endpoints: credentials go into the form fields of a POST; only upload-file takes them in the query.',
  endpoint: 'D1/D2 Endpoints: only the listed paths exist.',
  method: 'D1/D2 Endpoints: each path has its method.',
  'form-body': 'D1 Endpoints: POST bodies are form fields, multipart or urlencoded.',
  'json-body': 'D2 Endpoints: requests with a body use JSON; PUT bodies must be application/json.',
  'data-field': 'D1 Write rule 1: the resource is read from the field `data`, a JSON-encoded string.',
  'unknown-field': 'D1/D2 Endpoints: this field is not listed for this endpoint and was ignored.',
  'required-field': 'D1/D2 Endpoints: a required field is missing.',
  'field-format': 'D1 Conventions: dates are Y-m-d, numbers are numbers, enumerations have listed values.',
  'body-size': 'D1 Limits: an attachment has at most 5 MB.',
  'maintenance-code': 'D1 Environments: development wants en4_maint_code on every server-side call.',
  'maintenance-code-to-production': 'D1 Environments: never send the maintenance code to production.',
  'accounting-status-filter': 'D1 Errors 3: the accounting_status filter takes only its listed values.',
  'accounting-status-value': 'D1 Costs, Invoices: accounting_status is set to Posted, Skipped or Error.',
  'accounting-message-length': 'D1 Limits: accounting_message has at most 500 characters.',
  'cost-not-created': 'D1 States: only costs with accounting_status Created can be updated.',
  'invoice-locked': 'D1 States: a Posted invoice is terminal and locked.',
  'invoice-update-fields': 'D1 Invoices: update-invoice takes accounting_status and accounting_message only.',
  'move-to-new': 'D1 States: only approved, non-Posted costs can be moved to New.',
  'cost-delete': 'D1 States: a cost that is Posted or still being processed cannot be deleted.',
  amount: 'D1 Write rule 2: amount equals Σ(line items) + VAT, rounded to 2 decimals.',
  'dates-in-order': 'D1 Write rule 3: issue_date ≤ due_date ≤ settlement_date; settlement_date is required.',
  'line-shape': 'D1 Write rule 4: a line is an existing item (guid + qty) or a new one with all its fields.',
  'credit-reference': 'D1 Write rule 5: a credit note names an original of type invoice of the same user.',
  'customer-delivery':
    'D1 Write rule 6: e-mail unless output_select is 4; trading_partner_id, a bare kennitala, when it is 2.',
  kennitala: 'D1 Conventions: a kennitala has 10 digits and a valid mod-11 checksum.',
  'cost-amount': 'D1 Write rule 8: the amount of a cost stays positive, credit notes included.',
  'cost-code': 'D1 Cost: only the listed numeric cost codes are accepted.',
  'flags-conflict': 'D1 Invoice (create): is_claim, mark_paid and is_payment_link exclude each other.',
  subscription: 'D1 Invoice (create): a payment link needs an active subscription.',
  attachment: 'D1 Limits: attachments are jpg, jpeg, png, gif or pdf of at most 5 MB.',
  'invoice-not-changeable': 'D1 States: do-paid-invoice needs an invoice that can be changed.',
  'summary-period': 'D1 Summaries: exactly one period mode.',
  'task-state': 'D1 Task: canStart, canStop and canDeactive say what a task allows.',
  'event-sale': 'D1 Product sales: attendees exist for event-type sales only.',
  'unknown-record': 'D1: the guid names nothing that this account owns.',
  scope: 'D2 Authentication 8: a call outside the granted scopes returns 403.',
  bearer: 'D2 Authentication 1: Authorization: Bearer with a living access token.',
  'token-expired': 'D2 Authentication 2: the client refreshes before expiry.',
  'refresh-without-expiry':
    'D2 Errors: a client refreshes after a 401 only when it says that the token expired.',
  'refresh-replaced': 'D2 Authentication 5: a replaced refresh token is invalid at once; store the new one.',
  'client-or-redirect': 'D2 Authentication 3: client and redirect_uri must match the registration exactly.',
  'redirect-https': 'D2 Authentication 3: redirect_uri must be an https URL.',
  pkce: 'D2 Authentication 1: PKCE with S256 only; a code with a challenge needs its verifier.',
  'code-lifetime': 'D2 Limits: an authorization code is valid for 10 minutes, once.',
  'management-basic': 'D2 Authentication 6: agent management endpoints use Basic credentials.',
  'retry-after': 'HTTP: the client came back before Retry-After had passed.',
} as const;

export type RuleId = keyof typeof RULES;

export interface BrokenRule {
  readonly rule: RuleId;
  readonly detail: string;
}
