// What commands that work on tenant files share: which directory, and the one tenant that was named.
import { resolve } from 'node:path';
import { CodedError } from '../domain/errors/coded-error.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import type { Tenant } from '../tenants/tenant.js';
import type { JsonOption } from './answer.js';
import type { CliIo } from './command.js';

export interface TenantOptions extends JsonOption {
  readonly directory?: string;
}

export async function readSettings(
  io: CliIo,
  options: { readonly directory?: string },
): Promise<{ settings: BridgeSettings; directory: string }> {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const settings = readBridgeSettings(io.env, io.cwd);
  const directory =
    options.directory === undefined ? settings.tenantsDirectory : resolve(io.cwd, options.directory);
  return { settings, directory };
}

/** A tenant with errors is not "unknown": say what is wrong with its file. */
export async function findTenant(io: CliIo, directory: string, name: string): Promise<Tenant> {
  const { loadTenants } = await import('../tenants/load-tenants.js');
  const { formatProblem } = await import('../tenants/format-problem.js');
  const { nearest } = await import('../tenants/nearest.js');
  const { tenants, problems } = await loadTenants(directory);
  const found = tenants.find((tenant) => tenant.name === name);
  if (found) return found;
  const errors = problems.filter(
    ({ severity, file }) => severity === 'error' && file.endsWith(`/${name}.yaml`),
  );
  if (errors.length > 0) {
    const lines = errors.map((problem) => formatProblem(problem, io.cwd));
    throw new CodedError('TENANT_FILE_INVALID', lines.join('\n'));
  }
  const near = nearest(
    name,
    tenants.map((tenant) => tenant.name),
  );
  const hint = near === null ? '' : ` Did you mean "${near}"?`;
  throw new CodedError('TENANT_UNKNOWN', `There is no tenant "${name}" in ${directory}.${hint}`);
}
