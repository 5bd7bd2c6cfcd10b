// A tenant as the protocol sees it: its source, its ERP and its rules. The worker builds it from the tenant file.
import type { Guid, IsoDate } from '../domain/ids.js';
import type { RateSource } from '../domain/rate-source.js';
import type { ErpAdapter } from '../erp/erp-adapter.js';
import type { InvoicingSource } from '../service/invoicing-source.js';
import type { TenantRules } from '../pipeline/mapping/rules.js';

export interface TenantContext {
  readonly name: string;
  readonly environment: 'production' | 'development';
  /** Registration number of the account at the source; part of every posting key. */
  readonly sourceAccount: string;
  readonly cutOver: IsoDate | null;
  readonly rules: TenantRules;
  readonly rulesVersion: string;
  readonly source: InvoicingSource;
  readonly erp: ErpAdapter;
  /** Where rates come from that the table of the rules lacks; absent: nowhere. */
  readonly rates?: RateSource;
  /** The tenant wants the source told only when the originals are where they belong; absent: nobody waits for them. */
  readonly awaited?: AwaitedOriginals;
  /** Knows what we made at the source, and whether it is in the books of its origin already; absent: nothing is made there. */
  readonly ours?: OurInvoices;
}

export interface Recognised {
  /** `another`: it only carries a mark of ours. */
  readonly verdict: 'ours' | 'another' | 'in-doubt';
  /** Of the origin. */
  readonly reference: string;
}

export interface OurInvoices {
  /** One that a template of ours made is tied to its subscription. */
  recognise(
    invoice: { readonly guid: Guid; readonly number: string },
    marks: readonly string[],
  ): Promise<Recognised>;
}

export interface AwaitedOriginals {
  /** One of this entry is still on its way, or waits for a person. */
  areOpen(postingId: string, generation: number): Promise<boolean>;
}
