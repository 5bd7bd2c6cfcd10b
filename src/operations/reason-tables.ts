// Every reason a posting can rest for, whoever gave it: the mapping or the posting protocol.
import { REASONS, WARNINGS } from '../pipeline/mapping/reasons.js';
import { POSTING_REASONS } from '../pipeline/posting/reasons.js';
import type { StoredDocumentRow } from './records.js';
import type { ReasonView } from './views/common.js';
import type { DocumentRow } from './views/document.js';

const CURES: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.entries(REASONS), ...Object.entries(POSTING_REASONS)].map(([code, { cure }]) => [code, cure]),
);

export function cureOf(code: string): string {
  return CURES[code] ?? 'Look at its attempts and its audit, mend what they name, then replay it.';
}

export function reasonView(reason: StoredDocumentRow['reason']): ReasonView | null {
  return reason && { ...reason, cure: cureOf(reason.code) };
}

export function documentView(row: StoredDocumentRow): DocumentRow {
  return { ...row, reason: reasonView(row.reason) };
}

export function warningView(code: string): { code: string; sentence: string } {
  return { code, sentence: (WARNINGS as Readonly<Record<string, string>>)[code] ?? code };
}

/** The ERP's own words behind the bridge's sentence: what tells one missing thing from another. */
export function erpSubject(sentence: string): string {
  const opening = `${POSTING_REASONS.ERP_CONFIGURATION.sentence} `;
  return sentence.startsWith(opening) ? sentence.slice(opening.length) : sentence;
}

export function erpSentence(subject: string): string {
  return `${POSTING_REASONS.ERP_CONFIGURATION.sentence} ${subject}`;
}
