// The certificate of a period: a file of lines. The first says whose and what it found; then one line a document with
// everything that belongs to it; the last is the seal, signed. Each line between begins with the hash of what follows, so a
// changed one is named; and the seal holds the Merkle root over all of them, so nothing can be dropped, added or made anew. After
// every run of records stands a line with their names (the index), so that what was dropped can be named too.
import type { Message } from '../domain/message.js';

export const CERTIFICATE_FORMAT = 'ledgerbridge-certificate/1';

export interface CertificateHead {
  readonly format: typeof CERTIFICATE_FORMAT;
  readonly tenant: string;
  readonly title: string;
  readonly account: string;
  readonly ledger: string;
  readonly from: string;
  readonly to: string;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly program: string;
  /** The certificate before this one of the same tenant; null: this is the first. */
  readonly previous: { readonly root: string; readonly to: string } | null;
}

/** Count and sum of the same things, as three parties see them; null: that party cannot say. */
export interface Compared {
  readonly subject: string;
  readonly source: Tally | null;
  readonly bridge: Tally | null;
  readonly erp: Tally | null;
  readonly agrees: boolean;
}

export interface Tally {
  readonly count: number;
  readonly sum: string;
}

export interface AccountLine {
  readonly account: string;
  readonly bridge: { readonly debit: string; readonly credit: string };
  readonly erp: { readonly debit: string; readonly credit: string } | null;
  readonly agrees: boolean;
}

export interface VatLine {
  readonly vatCode: string;
  /** In percent, by the rules in force; several where a code serves several rates. Empty: no rule says. */
  readonly rates?: readonly string[];
  readonly lines: number;
  readonly debit: string;
  readonly credit: string;
  /** null: the ERP shows no VAT codes. Those made before it was asked have none of these. */
  readonly erp?: { readonly debit: string; readonly credit: string } | null;
  readonly agrees?: boolean;
}

/** One that is not in the books: why, and who decided it. */
export interface SetAside {
  readonly kind: string;
  readonly number: string;
  readonly guid: string;
  readonly state: string;
  readonly amount: string;
  readonly currency: string;
  readonly code: string;
  readonly why: Message | null;
  readonly decidedBy: string;
}

export interface CertificateSummary {
  readonly verdict: 'green' | 'red';
  /** Every one makes it red. */
  readonly differences: readonly Message[];
  readonly documents: readonly Compared[];
  readonly accounts: readonly AccountLine[];
  readonly vat: readonly VatLine[];
  readonly entries: { readonly bridge: number; readonly erp: number | null };
  readonly numbers: {
    readonly first: string;
    readonly last: string;
    readonly missing: readonly string[];
  } | null;
  readonly setAside: readonly SetAside[];
  readonly originals: Readonly<Record<string, number>>;
  readonly audit: { readonly length: string; readonly head: string; readonly whole: boolean };
  /** What nobody here can see. */
  readonly limits: readonly Message[];
}

export interface CertificateSeal {
  readonly records: number;
  readonly root: string;
  readonly runs: readonly string[];
  /** SHA-256 over the lines of the index; those made before there was one have none. */
  readonly index?: string;
  readonly summary: CertificateSummary;
  /** null: no key was set when it was made. */
  readonly publicKey: string | null;
  readonly signature: string | null;
}

/** What is signed: the first line, and everything of the seal but the signature. */
export function signedText(headLine: string, seal: Omit<CertificateSeal, 'signature'>): string {
  return `${headLine}\n${JSON.stringify(seal)}`;
}
