// `ledgerbridge tenant init`: a starter file that says by itself what to fill in. It never overwrites.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import * as z from 'zod';
import { CodedError } from '../domain/errors/coded-error.js';
import type { ErpAdapterDefinition } from '../erp/erp-adapter.js';
import { isPluginName, loadPlugin } from '../erp/plugins.js';
import { erpAdapter } from '../erp/registry.js';
import { tenantName } from '../tenants/tenant-schema.js';
import type { CliIo } from './command.js';
import { readSettings } from './tenant-files.js';
import type { ErpSchema } from '../tenants/check-erp.js';
import { isObject } from '../tenants/schema-walk.js';

export interface InitRequest {
  readonly name: string;
  readonly title?: string;
  readonly adapter: string;
  readonly environment: string;
  readonly registrationNo?: string;
  readonly baseUrl?: string;
  readonly directory?: string;
  /** For `ledgerbridge sandbox` on this machine: nothing has to be filled in. */
  readonly sandbox?: boolean;
}

export async function initTenant(io: CliIo, request: InitRequest): Promise<void> {
  const { name, environment } = request;
  if (!tenantName.safeParse(name).success) {
    throw new CodedError(
      'CLI_USAGE',
      `"${name}" is not a tenant name: 1 to 40 of a–z, 0–9 and "-", a letter first.`,
    );
  }
  if (environment !== 'production' && environment !== 'development') {
    throw new CodedError('CLI_USAGE', `"${environment}" is not an environment: production or development.`);
  }
  if (request.sandbox) return initForSandbox(io, request);
  const { directory } = await readSettings(io, request);
  const adapter = await adapterNamed(request.adapter, directory);
  const file = join(directory, `${name}.yaml`);
  const text = starterFile({
    name,
    title: request.title ?? name,
    environment,
    adapter,
    registrationNo: request.registrationNo,
    baseUrl: request.baseUrl,
    schemaPath: schemaPath(file),
  });
  await mkdir(directory, { recursive: true });
  await writeNew(file, text);
  io.out(`Wrote ${relative(io.cwd, file)}.\n`);
  io.out(
    'Next: fill in what stands as <…>, write the secrets into the files it names, then run `ledgerbridge tenant validate`.\n',
  );
}

/** Of generated companies; any number that passes the check would do. */
const SANDBOX = { baseUrl: 'http://127.0.0.1:4010', registrationNo: '540269-6029' } as const;
const BOOKED_FROM = '2020-01-01';

/** A file that works as it is, the secret it names, and the command that starts the other side. */
async function initForSandbox(io: CliIo, request: InitRequest): Promise<void> {
  const { name, title = name } = request;
  const { directory } = await readSettings(io, request);
  const file = join(directory, `${name}.yaml`);
  const starter = starterFile({
    ...{ name, title, ...SANDBOX, environment: 'production', schemaPath: schemaPath(file) },
    baseUrl: request.baseUrl ?? SANDBOX.baseUrl,
    adapter: await adapterNamed(request.adapter, directory),
  });
  const apiKey = `sandbox-${name}`;
  const secret = join(directory, '../secrets', name, 'api_key');
  await mkdir(directory, { recursive: true });
  await writeNew(file, starter.replace(/^# cutOver: .*$/m, `cutOver: ${BOOKED_FROM}`));
  await mkdir(dirname(secret), { recursive: true, mode: 0o700 });
  await writeFile(secret, `${apiKey}\n`, { mode: 0o600 });
  const account = `username=${name},apiKey=${apiKey},registrationNo=${SANDBOX.registrationNo.replace('-', '')}`;
  io.out(`Wrote ${relative(io.cwd, file)} and ${relative(io.cwd, secret)}.\n`);
  io.out(`Next, in a window of its own: ledgerbridge sandbox --account '${account},name=${title}'\n`);
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new CodedError('TENANT_EXISTS', `${file} exists already and was left as it is.`);
    }
    throw error;
  }
}

/** The schema beside the configuration when there is one, else the one that came with the program. */
/** In the starter a package stands under its own name, as a tenant file has to call it. */
async function adapterNamed(name: string, directory: string): Promise<ErpAdapterDefinition> {
  if (!isPluginName(name)) return erpAdapter(name);
  const plugin = await loadPlugin(name, directory);
  if (plugin.outcome === 'loaded') return { ...plugin.definition, name };
  throw new CodedError('ERP_ADAPTER_MODULE_INVALID', `${plugin.message} ${plugin.remedy}`.trim());
}

function schemaPath(file: string): string {
  const beside = resolve(dirname(file), '../tenant.schema.json');
  const bundled = fileURLToPath(new URL('../../config/tenant.schema.json', import.meta.url));
  return relative(dirname(file), existsSync(beside) ? beside : bundled);
}

// The file that `tenant init` writes: complete, commented, and as short as the adapter allows. What a person has to fill in
// stands as <…>; `tenant validate` finds whatever was left so.

export interface Starter {
  readonly name: string;
  readonly title: string;
  readonly environment: 'production' | 'development';
  readonly adapter: ErpSchema;
  /** Where they are not given, a person fills them in. */
  readonly registrationNo?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Path of tenant.schema.json as seen from the tenant file. */
  readonly schemaPath: string;
}

export function starterFile(starter: Starter): string {
  const { name, title, environment, adapter, schemaPath } = starter;
  const secrets = `file:../secrets/${name}`;
  const maintenance =
    environment === 'development'
      ? `  maintenanceCode: ${secrets}/maintenance_code # development only\n`
      : '';
  return `# yaml-language-server: $schema=${schemaPath}
# One tenant of ledgerbridge. Check it with: ledgerbridge tenant validate
name: ${name} # never changes: records and logs name the tenant by it
title: ${stringify(title).trim()}

source: # the account at the invoicing service
  environment: ${environment} # or ${environment === 'production' ? 'development' : 'production'}
  baseUrl: ${starter.baseUrl ?? '<the address of the invoicing service>'} # without /api/v1
  registrationNo: '${starter.registrationNo ?? '<the kennitala of the company>'}' # the bridge refuses any other account
${maintenance}  auth:
    type: credentials # or oauth: clientId, redirectUri
    username: ${name}
    apiKey: ${secrets}/api_key # secrets by reference only: file:path, which needs no restart, or env:NAME

# The first issue date that is booked here. Without it the tenant connects but posts nothing.
# cutOver: 2026-01-01

erp: # where the books are
  adapter: ${adapter.name}
${settingsOf(adapter)}
rules: # what differs from the rules it extends; docs/reference/mapping.md lists them all
  extends: [default]
  # accounts:
  #   receivable: '1500'

# schedule:
#   cron: '*/5 * * * *' # every five minutes
#   timeZone: Atlantic/Reykjavik
# limits:
#   source: { requestsPerSecond: 20, concurrency: 4 }
# notifications:
#   webhooks:
#     - url: ${secrets}/webhook
# paused: true
`;
}

function settingsOf({ configuration }: ErpSchema): string {
  const schema: unknown = z.toJSONSchema(configuration, { io: 'input', unrepresentable: 'any' });
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const required =
    isObject(schema) && Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const lines = Object.entries(properties).map(([key, property]) => {
    const about =
      isObject(property) && typeof property['description'] === 'string'
        ? ` # ${property['description']}`
        : '';
    return required.includes(key) ? `    ${key}: <the ${key}>${about}` : `    # ${key}:${about}`;
  });
  const hasRequired = required.length > 0;
  if (lines.length === 0) return '';
  return `${hasRequired ? '  settings:' : '  # settings:'}\n${lines.join('\n')}\n`;
}
