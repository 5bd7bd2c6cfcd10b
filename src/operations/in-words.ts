// What is on record as values, in words.
import { messageFrom } from '../domain/message.js';
import { incidentText } from '../language/incidents/incident-text.js';
import { cureText, type Language, reasonSubject, say } from '../language/say.js';
import type { StoredDocumentRow } from './records.js';
import type { ReasonView } from './views/common.js';
import type { TraceEntry } from '../pipeline/mapping/outcome.js';
import type { DocumentRow, Story } from './views/document.js';
import type { IncidentRow } from './views/incident.js';

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

/** Traces from before their reasons were values have the text itself. */
export function traceView(language: Language, kept: string | null): Story['trace'] {
  const entries = kept === null ? [] : (JSON.parse(kept) as readonly (Omit<TraceEntry, 'why'> & KeptWhy)[]);
  return entries.map(({ why, ...entry }) => ({
    ...entry,
    why: typeof why === 'string' ? why : say(language, why),
  }));
}

interface KeptWhy {
  readonly why: TraceEntry['why'] | string;
}

export function incidentView(language: Language, row: IncidentRow): IncidentRow {
  const { resolution } = row;
  return {
    ...row,
    ...incidentText(language, row),
    resolution: resolution === null ? null : say(language, messageFrom(resolution)),
  };
}
