// What a sandbox can be told. `choices` are the places where the API documents are silent or contradict themselves:
// each has a name, a default and a sentence, and docs/reference/sandbox.md lists them all.
import type { FaultOptions } from './faults/fault-plan.js';
import type { AccountData, AccountProfile } from './model.js';
import type { DifficultyName } from './world/working-days.js';
import type { TradeName } from './world/trades.js';

export interface Choices {
  /** Credit notes on read: amounts, totals and quantities. Document 1 shows no sign. */
  readonly creditSign: 'positive' | 'negative';
  /** total_24vat, total_11vat, total_0vat: "totals of lines subject to" that VAT, so the lines without their VAT. */
  readonly vatTotals: 'net' | 'gross' | 'vat';
  /** Whether an invoice in Error or Skipped can be updated again. Only Posted is called terminal and locked. */
  readonly invoiceErrorCanChange: boolean;
  /** Which costs move-cost-to-new reopens: the refusal says "approved, non-Posted", the state table says Created. */
  readonly moveToNewFrom: 'approved' | 'created';
  /** HTTP status of failed credentials. */
  readonly badCredentialsStatus: number;
  /** HTTP status of a handled failure: "may still carry HTTP 200". */
  readonly handledFailureStatus: number;
  /** Largest `limit` honoured; larger ones are cut to it. 0: none. */
  readonly pageSizeMax: number;
  /** Page size of product sales when none is asked for: "system setting". */
  readonly productSalePageSize: number;
  /** expires_in of access tokens: one form shows 3600, another 86400. */
  readonly accessTokenSeconds: number;
  /** Paging fields beside the lists of Document 1 that do not show any. */
  readonly listPaging: 'none' | 'fields';
  /** Counts of the agent surface other than costs: `result.count`, or `result` itself. */
  readonly agentCounts: 'object' | 'integer';
  /** Answer of agent creates: the envelope, the shape shown (success, invoice_id), or one body with both. */
  readonly agentCreates: 'both' | 'envelope' | 'as-shown';
  /** GET /customers of the agent surface: free search, or the form that requires a kennitala and matches it partially. */
  readonly agentCustomers: 'search' | 'by-kennitala';
  /** Whether draft invoices are handed to bookkeeping as Created. */
  readonly draftsInAccounting: boolean;
  /** What becomes of a credited original: "marked credited". */
  readonly creditedOriginal: 'kept' | 'cancelled';
  /** Whether `amount` is the lines and their VAT alone, or also less the invoice discount and with the payment fee. */
  readonly invoiceAmount: 'lines' | 'lines-discount-fee';
  /** Seconds a cost read by AI stays invisible, and any other newly created cost. */
  readonly aiSeconds: number;
  readonly newCostSeconds: number;
  /** Seconds between a cost's approval and its XML. */
  readonly xmlSeconds: number;
  /** Redirect URIs "must be an https URL"; http on loopback can be let in for trying a flow by hand. */
  readonly redirectUris: 'https' | 'https-or-loopback';
  /** Whether the development environment wants its code on the consent page too, which a browser opens. */
  readonly maintenanceOnConsent: boolean;
}

export const DEFAULT_CHOICES: Choices = {
  creditSign: 'positive',
  vatTotals: 'net',
  invoiceErrorCanChange: true,
  moveToNewFrom: 'approved',
  badCredentialsStatus: 401,
  handledFailureStatus: 200,
  pageSizeMax: 0,
  productSalePageSize: 25,
  accessTokenSeconds: 3600,
  listPaging: 'none',
  agentCounts: 'object',
  agentCreates: 'both',
  agentCustomers: 'search',
  draftsInAccounting: false,
  creditedOriginal: 'kept',
  invoiceAmount: 'lines',
  aiSeconds: 3,
  newCostSeconds: 0,
  xmlSeconds: 0,
  redirectUris: 'https',
  maintenanceOnConsent: false,
};

/** What the choices that are words can be. */
export const CHOICE_WORDS = {
  creditSign: ['positive', 'negative'],
  vatTotals: ['net', 'gross', 'vat'],
  moveToNewFrom: ['approved', 'created'],
  listPaging: ['none', 'fields'],
  agentCounts: ['object', 'integer'],
  agentCreates: ['both', 'envelope', 'as-shown'],
  agentCustomers: ['search', 'by-kennitala'],
  creditedOriginal: ['kept', 'cancelled'],
  invoiceAmount: ['lines', 'lines-discount-fee'],
  redirectUris: ['https', 'https-or-loopback'],
} as const satisfies { [Name in keyof Choices]?: readonly Choices[Name][] };

export interface AccountOptions {
  readonly name?: string;
  readonly username?: string;
  readonly apiKey?: string;
  readonly password?: string;
  readonly registrationNo?: string;
  readonly seed?: string | number;
  /** How many to generate. */
  readonly invoices?: number;
  readonly costs?: number;
  /** Issue dates lie between these days. */
  readonly from?: string;
  readonly to?: string;
  readonly trade?: TradeName;
  readonly difficulty?: DifficultyName;
  readonly customers?: number;
  /** Documents issued before this day are Posted already. */
  readonly postedBefore?: string;
  readonly costAi?: boolean;
  readonly scopes?: readonly string[];
  /** Anything else about the account: subscriptions, web-service access, … */
  readonly profile?: Partial<AccountProfile>;
  /** Ready-made records instead of generated ones. */
  readonly data?: AccountData;
}

export interface SandboxOptions {
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  readonly environment?: 'production' | 'development';
  /** The code the development environment wants, and production remembers as an offence. */
  readonly maintCode?: string;
  readonly seed?: string | number;
  /** One entry an account; left out: two believable ones. */
  readonly accounts?: readonly AccountOptions[];
  readonly choices?: Partial<Choices>;
  readonly faults?: readonly FaultOptions[];
  /** Starts the clock here (ISO 8601) instead of now. */
  readonly now?: string;
  readonly frozen?: boolean;
  /** Requests remembered. */
  readonly journalSize?: number;
  /** A call that comes this soon after a Retry-After may have left before it was read, and breaks no rule; 0 unless given. */
  readonly onItsWayMs?: number;
  /** Hears of every status that is written through the API, in the moment in which it stands there. */
  readonly onStatus?: (guid: string, status: string) => void;
}
