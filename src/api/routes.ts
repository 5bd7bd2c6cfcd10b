// Every route of the operator API: what it takes, what it answers, who may.
import type { Route } from './route.js';
import { APPROVALS } from './routes/approvals.js';
import { CERTIFICATES } from './routes/certificates.js';
import { ON_DOCUMENTS } from './routes/on-documents.js';
import { ON_TENANTS } from './routes/on-tenants.js';
import { OUTGOING } from './routes/outgoing.js';
import { SERVICE_REPORTS } from './routes/reports.js';
import { READING } from './routes/reading.js';
import { TOKENS } from './routes/tokens.js';

export const ROUTES: readonly Route[] = [
  ...READING,
  ...ON_DOCUMENTS,
  ...ON_TENANTS,
  ...CERTIFICATES,
  ...OUTGOING,
  ...SERVICE_REPORTS,
  ...APPROVALS,
  ...TOKENS,
];
