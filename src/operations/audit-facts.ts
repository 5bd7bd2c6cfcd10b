// The facts of an audit entry in one line, as they are called in its JSON.
import type { AuditEntryView } from './views/audit.js';

const CHARACTERS_MAX = 300;

export function auditFacts({ details }: Pick<AuditEntryView, 'details'>): string {
  const told = Object.entries(details).filter(([, value]) => value !== null && value !== '');
  const text = told.map(([name, value]) => `${name}: ${textOf(value)}`).join(', ');
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
