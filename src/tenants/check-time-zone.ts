import type { z } from 'zod';
import { nearest } from './nearest.js';

export function checkTimeZone(name: string, context: z.RefinementCtx<string>): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    const near = nearest(name, Intl.supportedValuesOf('timeZone'));
    const remedy = near ? `Did you mean "${near}"?` : 'Use an IANA name, for example Atlantic/Reykjavik.';
    context.addIssue({ code: 'custom', message: `"${name}" is not a time zone.`, params: { remedy } });
  }
}
