import type { z } from 'zod';
import { DEFAULT_TIME_ZONE } from '../domain/local-time.js';
import { nearest } from './nearest.js';

export function checkTimeZone(name: string, context: z.RefinementCtx<string>): void {
  // Asking is slow, and nearly everybody has this one.
  if (name === DEFAULT_TIME_ZONE) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    const near = nearest(name, Intl.supportedValuesOf('timeZone'));
    const remedy = near ? `Did you mean "${near}"?` : 'Use an IANA name, for example Atlantic/Reykjavik.';
    context.addIssue({ code: 'custom', message: `"${name}" is not a time zone.`, params: { remedy } });
  }
}
