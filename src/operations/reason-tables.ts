// Why a document rests, in words.
import { cureText, type Language, reasonSubject, say } from '../language/say.js';
import type { StoredDocumentRow } from './records.js';
import type { ReasonView } from './views/common.js';
import type { DocumentRow } from './views/document.js';

export function reasonView(language: Language, reason: StoredDocumentRow['reason']): ReasonView | null {
  if (!reason) return null;
  const { code } = reason;
  return {
    code,
    subject: reasonSubject(language, reason),
    sentence: say(language, reason),
    cure: cureText(language, code),
  };
}

export function documentView(language: Language, row: StoredDocumentRow): DocumentRow {
  return { ...row, reason: reasonView(language, row.reason) };
}
