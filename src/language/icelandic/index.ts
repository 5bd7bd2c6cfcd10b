import { ERP_ICELANDIC } from '../erp-texts.js';
import { ADAPTER_OUTCOMES } from './adapter-outcomes.js';
import { ADAPTER_REFUSALS } from './adapter-refusals.js';
import { ADAPTER_REMEDIES } from './adapter-remedies.js';
import { CLOSING } from './closing.js';
import { CONNECTIONS } from './connections.js';
import { DOCUMENTS } from './documents.js';
import { ERRORS } from './errors.js';
import { FILE_SYNTAX } from './file-syntax.js';
import { FILE_VALUES } from './file-values.js';
import { MAPPING_REASONS } from './mapping-reasons.js';
import { ORIGINS } from './origins.js';
import { OUTCOMES } from './outcomes.js';
import { OUTGOING, OUTGOING_REASONS } from './outgoing.js';
import { POSTING_REASONS } from './posting-reasons.js';
import { REFUSALS } from './refusals.js';
import { REQUESTS } from './requests.js';
import { SCHEMA_TEXTS } from './schema-texts.js';
import { SENDING } from './sending.js';
import { SOURCE } from './source.js';
import { TENANTS } from './tenants.js';
import { TRACE } from './trace.js';
import { WARNINGS } from './warnings.js';

export const ICELANDIC = {
  ...MAPPING_REASONS,
  ...POSTING_REASONS,
  ...OUTGOING_REASONS,
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
  ...ERP_ICELANDIC,
};
