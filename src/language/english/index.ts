import { ERP_ENGLISH } from '../erp-texts.js';
import { ADAPTER_OUTCOMES } from './adapter-outcomes.js';
import { ADAPTER_REFUSALS, ADAPTER_REMEDIES } from './adapter-refusals.js';
import { CLOSING, DOCUMENTS, REQUESTS, TRACE } from './trace.js';
import { CONNECTIONS, SENDING, SOURCE } from './connections.js';
import { ERRORS } from './errors.js';
import { FILE_SYNTAX, FILE_VALUES, TENANTS } from './tenants.js';
import { MAPPING_REASONS } from './mapping-reasons.js';
import { ORIGINS, OUTGOING, OUTGOING_REASONS } from './outgoing.js';
import { OUTCOMES, POSTING_REASONS, REFUSALS, WARNINGS } from './posting-reasons.js';
import { SCHEMA_TEXTS } from './schema-texts.js';

export const ENGLISH_REASONS = { ...MAPPING_REASONS, ...POSTING_REASONS, ...OUTGOING_REASONS };
export const ENGLISH = {
  ...ENGLISH_REASONS,
  ...WARNINGS,
  ...OUTCOMES,
  ...DOCUMENTS,
  ...REFUSALS,
  ...ERRORS,
  ...TRACE,
  ...TENANTS,
  ...FILE_SYNTAX,
  ...FILE_VALUES,
  ...SCHEMA_TEXTS,
  ...CLOSING,
  ...OUTGOING,
  ...SENDING,
  ...ORIGINS,
  ...CONNECTIONS,
  ...SOURCE,
  ...REQUESTS,
  ...ADAPTER_REFUSALS,
  ...ADAPTER_OUTCOMES,
  ...ADAPTER_REMEDIES,
  ...ERP_ENGLISH,
};
