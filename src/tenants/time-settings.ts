// In which time zone people are shown moments.
import * as z from 'zod';
import { DEFAULT_TIME_ZONE } from '../domain/local-time.js';
import { checkTimeZone } from './check-time-zone.js';

export const TIME_VARIABLES = {
  LEDGERBRIDGE_TIME_ZONE: z
    .string()
    .superRefine(checkTimeZone)
    .default(DEFAULT_TIME_ZONE)
    .describe(
      `IANA time zone in which the dashboard, messages and commands show moments, each with its name; JSON and the API stay in UTC. Default \`${DEFAULT_TIME_ZONE}\`.`,
    ),
};
