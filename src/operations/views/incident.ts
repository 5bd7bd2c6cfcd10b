// Something a person should know, until somebody says that it is settled.
import * as z from 'zod';
import { instant, pageOf, uuid } from './common.js';

export const incident = z
  .object({
    id: uuid,
    tenantName: z.string().nullable(),
    postingId: uuid.nullable(),
    code: z.string(),
    severity: z.enum(['info', 'warning', 'critical']),
    title: z.string(),
    details: z.string(),
    nextStep: z.string(),
    params: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What the texts say, as values; null where the texts are all there is.'),
    state: z.enum(['open', 'acknowledged', 'resolved']),
    count: z.int(),
    firstSeenAt: instant,
    lastSeenAt: instant,
    resolvedAt: instant.nullable(),
    resolvedBy: z.string().nullable(),
    resolution: z.string().nullable(),
  })
  .meta({ id: 'Incident' });
export type IncidentRow = z.infer<typeof incident>;
export const incidentPage = pageOf(incident).meta({ id: 'IncidentPage' });
