import type { z } from 'zod';
import { DEFAULT_TIME_ZONE } from '../domain/local-time.js';
import { message } from '../language/messages.js';
import { nearest } from './nearest.js';
import { saidIssue } from './problem-words.js';

export function checkTimeZone(name: string, context: z.RefinementCtx<string>): void {
  // Asking is slow, and nearly everybody has this one.
  if (name === DEFAULT_TIME_ZONE) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    const near = nearest(name, Intl.supportedValuesOf('timeZone'));
    const remedy = near === null ? message('WRITE_TIME_ZONE') : message('DID_YOU_MEAN', { near });
    context.addIssue(saidIssue(message('NO_TIME_ZONE', { name }), remedy));
  }
}
