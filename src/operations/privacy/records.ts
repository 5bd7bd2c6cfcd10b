// What the records are asked about personal data, and what may be taken out of them.
import type { TenantName } from '../../domain/ids.js';
import type { Act } from '../act.js';
import type { ExpiryWish } from '../originals-expiry.js';

/** Whose documents: those of this kennitala, and those whose contents name it. Ten digits. */
export interface ContentsWish extends ExpiryWish {
  readonly kennitala?: string | undefined;
}

/** What goes with one document, counted. */
export interface ContentsCount {
  readonly documents: number;
  /** Requests to the ERP, with what it answered. */
  readonly requests: number;
  /** Originals that are still kept. */
  readonly originals: number;
  /** Closed incidents. */
  readonly incidents: number;
}

export interface ContentsPreview extends ContentsCount {
  /** Old enough, and kept: something of it is not finished. */
  readonly unsettled: number;
  /** Old enough, and kept: in no certificate that is green and still true. */
  readonly uncertified: number;
  /** Kept, since they are younger than the period; only where a person was asked for. */
  readonly withinPeriod: number;
}

/** Where something of a person is, as the table is called, and how many rows. */
export interface FoundAt {
  readonly place: string;
  readonly rows: number;
}

export interface DocumentsOf {
  readonly tenant: TenantName;
  readonly documents: number;
  /** Of those whose contents are there. */
  readonly first: string;
  readonly last: string;
}

/** What goes with the age of network addresses. */
export interface AddressCount {
  /** Of sign-ins and tries in the audit, which names them by marks. */
  readonly addresses: number;
  /** Of browsers, that are over. */
  readonly sessions: number;
  /** Counts of tries at a password. */
  readonly tries: number;
}

/** By table, in rows. */
type Rows = Readonly<Record<string, number>>;

export interface OperatorErasure {
  readonly pseudonym: string;
  readonly removed: Rows;
  /** They have the pseudonym in the place of the name. */
  readonly changed: Rows;
  readonly stays: Rows;
}

export interface PrivacyRecords {
  operatorFoundAt(login: string): Promise<readonly FoundAt[]>;
  isOperator(login: string): Promise<'enabled' | 'disabled' | 'unknown'>;
  /** Without an act: what it would do. */
  eraseOperator(login: string, pseudonym: string, act: Act | null): Promise<OperatorErasure>;
  countAddresses(before: Date): Promise<AddressCount>;
  removeAddresses(before: Date, act: Act): Promise<AddressCount>;
  previewContents(wish: ContentsWish): Promise<ContentsPreview>;
  /** The next batch; zero documents: there is nothing more. */
  removeContents(wish: ContentsWish, act: Act, limit: number): Promise<ContentsCount>;
  documentsOf(kennitala: string): Promise<readonly DocumentsOf[]>;
  foundAt(kennitala: string): Promise<readonly FoundAt[]>;
}

export const NOTHING: ContentsCount = { documents: 0, requests: 0, originals: 0, incidents: 0 };

export function added(one: ContentsCount, other: ContentsCount): ContentsCount {
  return {
    documents: one.documents + other.documents,
    requests: one.requests + other.requests,
    originals: one.originals + other.originals,
    incidents: one.incidents + other.incidents,
  };
}
