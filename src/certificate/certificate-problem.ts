// What can be wrong with a certificate.
export type CertificateProblem =
  | { readonly code: 'NOT_A_CERTIFICATE' }
  | { readonly code: 'SEAL_MISSING' }
  /** The bytes of this record are not those that were hashed. */
  | { readonly code: 'RECORD_CHANGED'; readonly line: number; readonly what: string }
  /** It was changed together with its hash. */
  | { readonly code: 'RECORD_MADE_ANEW'; readonly line: number; readonly what: string }
  | { readonly code: 'RECORD_ADDED'; readonly line: number; readonly what: string }
  | { readonly code: 'RECORD_DROPPED'; readonly place: number; readonly what: string }
  | { readonly code: 'RECORD_MOVED'; readonly place: number; readonly what: string }
  | { readonly code: 'RECORD_UNREADABLE'; readonly line: number }
  /** The list of names in the file is not the one that was sealed, so it cannot say which records differ. */
  | { readonly code: 'INDEX_CHANGED' }
  | { readonly code: 'COUNT_DIFFERS'; readonly sealed: number; readonly found: number }
  /** Between these records one was changed together with its hash, dropped, added or moved. */
  | { readonly code: 'RUN_DIFFERS'; readonly from: number; readonly to: number; readonly first: string }
  | { readonly code: 'ROOT_DIFFERS' }
  | { readonly code: 'NOT_SIGNED' }
  | { readonly code: 'SIGNATURE_WRONG' }
  | { readonly code: 'OTHER_KEY'; readonly fingerprint: string }
  | { readonly code: 'AFTER_THE_SEAL' };
