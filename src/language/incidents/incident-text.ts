// Incidents in words, in the language of whoever reads: those that follow a condition and those that were opened by hand.
import type { Params } from '../../domain/message.js';
import { keptCondition, textInTable } from '../conditions/english.js';
import { type Language, say } from '../say.js';
import type { Say } from '../table.js';
import { INCIDENTS as ENGLISH, type IncidentText } from './english.js';
import { INCIDENTS as ICELANDIC } from './icelandic.js';

export type IncidentCode = keyof typeof ENGLISH;
export type IncidentParams<Code extends IncidentCode> = Parameters<(typeof ENGLISH)[Code]>[0];

export interface NewIncident {
  readonly code: IncidentCode;
  /** Repeats of the same are counted, not added. */
  readonly fingerprint: string;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly params: Params;
}

export function incident<Code extends IncidentCode>(
  code: Code,
  params: IncidentParams<Code>,
  about: { readonly severity: NewIncident['severity']; readonly fingerprint: string },
): NewIncident {
  return {
    code,
    params: params as Params,
    severity: about.severity,
    fingerprint: `${code}:${about.fingerprint}`,
  };
}

const TABLES = { en: ENGLISH, is: ICELANDIC } as unknown as Readonly<
  Record<Language, Readonly<Record<string, (params: unknown, say: Say) => IncidentText>>>
>;

export function newIncidentText(language: Language, { code, params }: Pick<NewIncident, 'code' | 'params'>) {
  return (TABLES[language][code] as (params: unknown, say: Say) => IncidentText)(params, (inner) =>
    say(language, inner),
  );
}

interface KeptIncident extends IncidentText {
  readonly code: string;
  readonly tenantName: string | null;
  readonly params: Readonly<Record<string, unknown>> | null;
}

/** What was kept without values, or with those of another version, is shown as it was written. */
export function incidentText(language: Language, kept: KeptIncident, title?: string): IncidentText {
  const { code, tenantName, params, details, nextStep } = kept;
  const asWritten = { title: kept.title, details, nextStep };
  try {
    const condition = keptCondition(code, tenantName, params);
    if (condition) return textInTable(language, condition, title);
    const isKnown = params !== null && Object.hasOwn(ENGLISH, code);
    return isKnown
      ? newIncidentText(language, { code: code as IncidentCode, params: params as Params })
      : asWritten;
  } catch {
    return asWritten;
  }
}
