// The tables of conditions, and what of them was kept as an incident.
import type { Condition } from '../../domain/condition.js';
import type { Language } from '../say.js';
import { CONDITIONS_IN_ENGLISH } from './english.js';
import { CONDITIONS_IN_ICELANDIC } from './icelandic.js';
import type { ConditionText, ConditionTexts } from './table.js';

const TEXTS: Readonly<Record<Language, ConditionTexts>> = {
  en: CONDITIONS_IN_ENGLISH,
  is: CONDITIONS_IN_ICELANDIC,
};

export type SayableCondition = Pick<Condition, 'code' | 'tenant' | 'params'>;

export function textInTable(
  language: Language,
  { code, tenant, params }: SayableCondition,
  name = tenant ?? '',
): ConditionText {
  // The compiler has checked each code against its own params where the condition was made.
  const text = TEXTS[language][code] as (params: unknown, who: object) => ConditionText;
  return text(params, { name, command: tenant ?? '' });
}

/** A condition that was kept, if it is one that this version knows. */
export function keptCondition(
  code: string,
  tenant: string | null,
  params: Readonly<Record<string, unknown>> | null,
): SayableCondition | null {
  return params !== null && Object.hasOwn(CONDITIONS_IN_ENGLISH, code)
    ? ({ code, tenant, params } as unknown as SayableCondition)
    : null;
}
