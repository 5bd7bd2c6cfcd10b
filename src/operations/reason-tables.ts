// Every reason a posting can rest for, whoever gave it, in words.
import { cureText, noteText, say } from '../language/say.js';
import type { StoredDocumentRow } from './records.js';
import type { ReasonView } from './views/common.js';
import type { DocumentRow } from './views/document.js';

export function reasonView(reason: StoredDocumentRow['reason']): ReasonView | null {
  if (!reason) return null;
  const { code, subject } = reason;
  return { code, subject, sentence: say('en', reason), cure: cureText('en', code) };
}

export function documentView(row: StoredDocumentRow): DocumentRow {
  return { ...row, reason: reasonView(row.reason) };
}

export function warningView(code: string): { code: string; sentence: string } {
  return { code, sentence: noteText('en', code) };
}
