// invoice-summaries takes exactly one of four ways of naming a period (Document 1, "Dashboard and summaries").
import { broken, type Breach } from './breach.js';

const MODES = ['year', 'year+month', 'year+from_month+to_month', 'from_date+to_date'];
const FIELDS = ['year', 'month', 'from_month', 'to_month', 'from_date', 'to_date'] as const;

type Period = Readonly<Partial<Record<(typeof FIELDS)[number], unknown>>>;

export function periodRule(period: Period): readonly Breach[] {
  const given = FIELDS.filter((field) => period[field] !== undefined).join('+');
  if (MODES.includes(given)) return [];
  return [broken('period', 'ONE_PERIOD', { modes: MODES.join('; '), given })];
}
