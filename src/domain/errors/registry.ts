// Every coded error of the bridge, one table a room. docs/errors.md is generated from here and a test keeps them equal.
import { CLI_ERRORS } from './cli.js';
import { DASHBOARD_ERRORS } from './dashboard.js';
import type { ErrorDefinition, ErrorTable } from './definition.js';
import { ERP_ERRORS } from './erp.js';
import { INTAKE_ERRORS } from './intake.js';
import { INVOICING_ERRORS } from './invoicing.js';
import { MAPPING_ERRORS } from './mapping.js';
import { OPERATIONS_ERRORS } from './operations.js';
import { SANDBOX_ERRORS } from './sandbox.js';
import { STORE_ERRORS } from './store.js';
import { TENANT_ERRORS } from './tenants.js';
import { WORKER_ERRORS } from './worker.js';

const TABLES = {
  ...CLI_ERRORS,
  ...DASHBOARD_ERRORS,
  ...ERP_ERRORS,
  ...INTAKE_ERRORS,
  ...INVOICING_ERRORS,
  ...MAPPING_ERRORS,
  ...OPERATIONS_ERRORS,
  ...SANDBOX_ERRORS,
  ...STORE_ERRORS,
  ...TENANT_ERRORS,
  ...WORKER_ERRORS,
} as const;

export type ErrorCode = keyof typeof TABLES;
export const ERROR_REGISTRY: Readonly<Record<ErrorCode, ErrorDefinition>> = TABLES;

/** The same tables by room, for docs/errors.md. A code stands in one room only; a test sees to it. */
export const ERROR_ROOMS: Readonly<Record<string, ErrorTable>> = {
  'Command line': CLI_ERRORS,
  Tenants: TENANT_ERRORS,
  'Invoicing service': INVOICING_ERRORS,
  Mapping: MAPPING_ERRORS,
  ERP: ERP_ERRORS,
  Records: STORE_ERRORS,
  Worker: WORKER_ERRORS,
  Operations: OPERATIONS_ERRORS,
  Dashboard: DASHBOARD_ERRORS,
  'Records over HTTP': INTAKE_ERRORS,
  Sandbox: SANDBOX_ERRORS,
};
