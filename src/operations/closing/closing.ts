// The closing of periods, as everybody who acts sees it.
import type { TenantName } from '../../domain/ids.js';
import type { CertificateHead, CertificateSeal } from '../../certificate/certificate.js';
import type { Companies } from '../access/reach.js';
import type { Act } from '../act.js';
import type { Period } from '../connected-tenants.js';
import type { CertificateRow } from './records.js';

export interface Closed {
  readonly id: string;
  readonly path: string;
  readonly head: CertificateHead;
  readonly seal: CertificateSeal;
}

/** First the service's lists are read, then everything on record is held against them and against the books. */
export interface ClosingProgress {
  readonly stage: 'listed' | 'compared';
  readonly documents: number;
}

export interface Closing {
  close(
    tenant: TenantName,
    period: Period,
    act: Act,
    onProgress?: (progress: ClosingProgress) => void,
  ): Promise<Closed>;
  certificates(companies: Companies): Promise<readonly CertificateRow[]>;
  certificate(id: string): Promise<CertificateRow | null>;
  /** Where the file of it is, if it is on this machine. */
  fileOf(row: Pick<CertificateRow, 'file'>): string;
}

const nobody = () => Promise.reject(new Error('nobody closes periods here'));

/** Where there is nothing to close. */
export const NOBODY_CLOSES: Closing = {
  close: nobody,
  certificates: () => Promise.resolve([]),
  certificate: () => Promise.resolve(null),
  fileOf: ({ file }) => file,
};
