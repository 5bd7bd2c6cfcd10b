// Every tenant: its file, its secrets, both ends of its bridge. A few at a time, each with a deadline, so that one ERP that
// does not answer keeps nobody waiting for the rest.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { loadTenants } from '../../tenants/load-tenants.js';
import type { Tenant, TenantProblem } from '../../tenants/tenant.js';
import type { CliIo } from '../command.js';
import { tenantFindings } from '../tenant-check.js';
import { type DoctorFinding, failure, ok, warning } from './finding.js';

const AT_ONCE = 4;
const TENANT_MS_MAX = 60_000;

export interface TenantCheckOptions {
  /** Only these; empty: all. */
  readonly names: readonly string[];
  /** Ask nobody on the network. */
  readonly offline: boolean;
}

export async function checkTenants(
  io: CliIo,
  settings: BridgeSettings,
  { names, offline }: TenantCheckOptions,
): Promise<DoctorFinding[]> {
  const { tenants, problems, files } = await loadTenants(settings.tenantsDirectory, io.env);
  const wanted = names.length === 0 ? tenants : tenants.filter((tenant) => names.includes(tenant.name));
  const findings = [
    ...problems.map(fromProblem),
    ...unknownNames(names, tenants),
    ...checkKey(settings, wanted),
  ];
  if (files.length === 0 && problems.length === 0) {
    const message = `There are no tenant files in ${settings.tenantsDirectory}.`;
    findings.push(warning('tenants', message, 'Write one with `ledgerbridge tenant init <name>`.'));
  } else findings.push(ok('tenants', `${tenants.length} of ${files.length} tenant files can be used`));
  return offline ? findings : [...findings, ...(await checkEnds(io, wanted))];
}

function fromProblem({ severity, file, line, message, remedy }: TenantProblem): DoctorFinding {
  const place = `${file}:${line}: ${message}`;
  return severity === 'error' ? failure('tenants', place, remedy) : warning('tenants', place, remedy);
}

function unknownNames(names: readonly string[], tenants: readonly Tenant[]): DoctorFinding[] {
  return names
    .filter((name) => !tenants.some((tenant) => tenant.name === name))
    .map((name) =>
      failure('tenants', `There is no usable tenant "${name}".`, 'See `ledgerbridge tenant list`.'),
    );
}

function checkKey({ key }: BridgeSettings, tenants: readonly Tenant[]): DoctorFinding[] {
  const oauth = tenants.filter((tenant) => tenant.source.auth.type === 'oauth').map(({ name }) => name);
  if (oauth.length === 0 || key !== null) return [];
  const message = `LEDGERBRIDGE_KEY is not set, and ${oauth.slice(0, 5).join(', ')} sign in with OAuth.`;
  return [
    failure('settings', message, 'Make one with `openssl rand -base64 32` and keep it with the backups.'),
  ];
}

async function checkEnds(io: CliIo, tenants: readonly Tenant[]): Promise<DoctorFinding[]> {
  const found: DoctorFinding[][] = [];
  const waiting = tenants.map((tenant, place) => ({ tenant, place }));
  const work = async () => {
    for (let next = waiting.shift(); next && !io.signal.aborted; next = waiting.shift())
      found[next.place] = await checkOne(io, next.tenant);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found.flat();
}

async function checkOne(io: CliIo, tenant: Tenant): Promise<DoctorFinding[]> {
  const area = `tenant ${tenant.name}`;
  const late = new AbortController();
  const deadline = sleep(TENANT_MS_MAX, null, { signal: late.signal }).catch(() => null);
  const findings = await Promise.race([tenantFindings(io, tenant), deadline]).finally(() => late.abort());
  if (findings === null) {
    const message = `Neither end of the bridge answered within ${TENANT_MS_MAX / 1000} s.`;
    return [failure(area, message, 'Check the network, then run `ledgerbridge tenant check` on it.')];
  }
  return findings.map(({ part, severity, message, remedy }) => ({
    area,
    severity,
    message: `${part}: ${message}`,
    ...(remedy === undefined ? {} : { remedy }),
  }));
}
