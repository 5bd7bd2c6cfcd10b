// The original of a document: the PDF of an invoice, the file of a cost and its e-invoice. Where one may be on its way from
// the source into the store of originals and on to the entry in the ERP.
export const ORIGINAL_ROLES = ['pdf', 'file', 'ubl'] as const;
/** `pdf`: of an invoice. `file`: receipt or bill of a cost. `ubl`: the e-invoice of a cost. */
export type OriginalRole = (typeof ORIGINAL_ROLES)[number];

/**
 * wanted: not yet fetched. absent: the source has none. fetched: in the store. kept: in the store, and this ERP takes no files.
 * attaching: about to be sent, or sent. unknown: it may be at the entry. attached: it is. parked: a person decides.
 */
export const ORIGINAL_STATES = [
  'wanted',
  'absent',
  'fetched',
  'kept',
  'attaching',
  'unknown',
  'attached',
  'parked',
] as const;
export type OriginalState = (typeof ORIGINAL_STATES)[number];

const MOVES: Readonly<Record<OriginalState, readonly OriginalState[]>> = {
  wanted: ['fetched', 'absent', 'parked'],
  absent: ['wanted'],
  fetched: ['attaching', 'kept', 'parked', 'wanted'],
  kept: ['fetched'],
  attaching: ['attached', 'unknown', 'fetched', 'parked'],
  unknown: ['attaching', 'parked'],
  attached: [],
  parked: ['wanted', 'fetched', 'unknown', 'kept'],
};

export function isLegalOriginalMove(from: OriginalState, to: OriginalState): boolean {
  return from === to || MOVES[from].includes(to);
}

/** Nothing more happens to it by itself. */
export function isSettled(state: OriginalState): boolean {
  return state === 'absent' || state === 'kept' || state === 'attached' || state === 'parked';
}

/** Why one is absent, waits or is parked; the texts are in the language tables. */
export const ORIGINAL_REASONS = [
  'NONE_AT_SOURCE',
  'NO_PDF_ON_SURFACE',
  'DOCUMENT_GONE',
  'TOO_LARGE',
  'TYPE_NOT_TAKEN',
  'NOT_BASE64',
  'ERP_REFUSED',
  'STORE_CHANGED',
  'STORE_AWAY',
  'TRIES_EXHAUSTED',
] as const;
export type OriginalReason = (typeof ORIGINAL_REASONS)[number];

export const RETENTION_YEARS = 7;
