// Conditions in words, in the language of whoever reads.
import type { ConditionParams } from '../../domain/condition.js';
import { incidentText } from '../incidents/incident-text.js';
import type { Language } from '../say.js';
import { keptCondition, type SayableCondition, textInTable } from './english.js';
import type { ConditionText } from './table.js';

export type { ConditionText } from './table.js';
export type { SayableCondition } from './english.js';

export function conditionText(
  language: Language,
  condition: SayableCondition,
  name = condition.tenant ?? '',
): ConditionText {
  if (condition.code !== 'INCIDENT_OPEN') return textInTable(language, condition, name);
  const kept = condition.params as ConditionParams['INCIDENT_OPEN'];
  const incident = { ...kept, code: kept.incident, params: kept.values, tenantName: condition.tenant };
  const said = incidentText(language, incident, name);
  // It ends by itself, when what it follows is over.
  if (keptCondition(kept.incident, condition.tenant, kept.values)) return said;
  return textInTable(language, { ...condition, params: { ...kept, ...said } }, name);
}
