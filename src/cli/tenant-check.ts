// `ledgerbridge tenant check`: everything that can be known before the first document without changing anything: the
// secrets are there, the account opens, the ERP answers and has what the rules will use.
import { vatModeFindings } from '../operations/vat-mode-finding.js';
import { saidByRules, ruleAccounts } from '../pipeline/mapping/rules.js';
import { dirname, join } from 'node:path';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { ErpAdapter, ErpHealth, ErpServices, Finding } from '../erp/erp-adapter.js';
import { erpAdapter } from '../erp/registry.js';
import { findMissing } from '../erp/origins.js';
import { kindsOf } from '../origins/origin-kinds.js';
import { outboundScopes } from '../service/source-settings.js';
import { checkSource, type SourceReport } from '../service/check-source.js';
import type { SourceServices } from '../service/source-services.js';
import { createLog } from '../telemetry/log.js';
import { resolveSource } from '../tenants/resolve-source.js';
import { resolveSecret } from '../tenants/secrets.js';
import type { Tenant } from '../tenants/tenant.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';
import { answer } from './answer.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { readSettings, type TenantOptions } from './tenant-files.js';
import { VERSION } from './version.js';

export interface PartFinding extends Finding {
  readonly part: 'source' | 'erp' | 'secrets';
}

const SIGNS = { ok: '✓', warning: '▲', error: '✕' } as const;

export async function checkTenant(io: CliIo, tenant: Tenant, options: TenantOptions): Promise<void> {
  const { findings, source } = await examine(io, tenant);
  answer(io, options, { tenant: tenant.name, source, findings }, () =>
    findings
      .map(({ part, severity, message, remedy }) => {
        const next = remedy === undefined ? '' : `\n    → ${remedy}`;
        return `${SIGNS[severity]} ${part}: ${message}${next}`;
      })
      .join('\n'),
  );
  if (findings.some(({ severity }) => severity === 'error')) io.setExitCode(EXIT.problems);
}

export async function tenantFindings(io: CliIo, tenant: Tenant): Promise<readonly PartFinding[]> {
  return (await examine(io, tenant)).findings;
}

interface Examined {
  readonly findings: readonly PartFinding[];
  /** Account, clock, scopes and lists, for machines; null where the connection could not even be tried. */
  readonly source: Omit<SourceReport, 'findings'> | null;
}

/** Asks only: both ends at once, and whatever one of them throws is a finding of its own. */
async function examine(io: CliIo, tenant: Tenant): Promise<Examined> {
  const warnings: PartFinding[] = [];
  const secret = (reference: SecretReference): Secret =>
    resolveSecret(reference, {
      env: io.env,
      baseDirectory: dirname(tenant.file),
      warn: (message) => warnings.push({ part: 'secrets', severity: 'warning', message }),
    });
  const [account, erp] = await Promise.all([
    checkAccount(io, tenant, secret),
    checkLedger(io, tenant, secret),
  ]);
  return { findings: [...account.findings, ...erp, ...warnings], source: account.source };
}

type SecretOf = (reference: SecretReference) => Secret;

async function checkAccount(io: CliIo, tenant: Tenant, secret: SecretOf): Promise<Examined> {
  let source: Examined['source'] = null;
  const services = { tenantName: tenant.name, runtime: SYSTEM_RUNTIME, log: quietLog(), version: VERSION };
  const check = async (grants?: SourceServices['grants']) => {
    const settings = resolveSource(tenant.source, secret);
    const kinds = tenant.outgoing?.origins.map(kindsOf) ?? [];
    const { findings, ...report } = await checkSource(
      settings,
      { ...services, ...(grants && { grants }) },
      outboundScopes(kinds.flatMap(({ surely }) => surely)),
      outboundScopes(kinds.flatMap(({ perhaps }) => perhaps)),
    );
    source = report;
    return findings.map((finding) => ({ part: 'source' as const, ...finding }));
  };
  const isOAuth = tenant.source.auth.type === 'oauth';
  const findings = await guarded('source', () => (isOAuth ? withGrants(io, check) : check()));
  return { findings, source };
}

function noGrantYet(): CodedError {
  return new CodedError('SOURCE_NEEDS_CONSENT', 'There is no grant yet: the records are not set up.');
}

/** Tokens of OAuth tenants are in the records, so these have to be opened for them. */
async function withGrants<Answer>(
  io: CliIo,
  check: (grants: NonNullable<SourceServices['grants']>) => Promise<Answer>,
): Promise<Answer> {
  const { settings } = await readSettings(io, {});
  if (settings.key === null) {
    throw new CodedError(
      'SETTINGS_INVALID',
      'LEDGERBRIDGE_KEY is not set, and OAuth tokens are encrypted with it.',
    );
  }
  const { areThereRecords, withRecords } = await import('../bridge/care-for-records.js');
  const { TokenKeyring } = await import('../service/oauth/token-keyring.js');
  const { key, previousKey } = settings;
  // Looking makes no records; without any there is no grant in them.
  if (!areThereRecords(settings)) throw noGrantYet();
  return withRecords(settings, {}, async (care) => {
    if ((await care.migrations()).pending.length > 0) throw noGrantYet();
    const keyring = new TokenKeyring(key, previousKey === null ? [] : [previousKey]);
    return check({ store: care.grants(), keyring });
  });
}

async function checkLedger(io: CliIo, tenant: Tenant, secret: SecretOf): Promise<readonly PartFinding[]> {
  const { settings } = await readSettings(io, {});
  return guarded('erp', async () => {
    const definition = await erpAdapter(tenant.erp.adapter);
    const services: ErpServices = {
      clock: SYSTEM_RUNTIME.clock,
      secret,
      dataDirectory: join(settings.dataDirectory, 'tenants', tenant.name),
      configDirectory: dirname(tenant.file),
      tenantName: tenant.name,
      log: quietLog(),
      ...saidByRules(tenant.rules),
    };
    const adapter = definition.create(tenant.erp.settings, services);
    try {
      const { isHealthy, findings } = await ledgerFindings(adapter, tenant);
      return isHealthy ? [...findings, ...(await originFindings(tenant, services))] : findings;
    } finally {
      await adapter.close();
    }
  });
}

/** Whether the ERP has what it is to hand over as an origin. */
async function originFindings(
  { erp, outgoing }: Tenant,
  services: ErpServices,
): Promise<readonly PartFinding[]> {
  const findings: PartFinding[] = [];
  for (const origin of outgoing?.origins ?? [])
    if (origin.type === 'erp') {
      const missing = await findMissing(origin, { ...erp, services: () => services });
      findings.push(...missing.map((finding) => ({ part: 'erp' as const, ...finding })));
    }
  return findings;
}

interface LedgerFindings {
  readonly isHealthy: boolean;
  readonly findings: readonly PartFinding[];
}

async function ledgerFindings(adapter: ErpAdapter, tenant: Tenant): Promise<LedgerFindings> {
  const health = await adapter.health();
  if (health.outcome !== 'healthy') {
    const remedy = remedyFor(health);
    return {
      isHealthy: false,
      findings: [{ part: 'erp', severity: 'error', message: health.message, remedy }],
    };
  }
  const findings = [
    ...vatModeFindings(adapter.capabilities, tenant.rules.vat.mode),
    ...(await adapter.validate(ruleAccounts(tenant.rules))),
  ];
  const open: PartFinding = {
    part: 'erp',
    severity: 'ok',
    message: `the books of ${health.company} are open`,
  };
  const all = [open, ...findings.map((finding) => ({ part: 'erp' as const, ...finding }))];
  return { isHealthy: true, findings: all };
}

function remedyFor(health: Exclude<ErpHealth, { outcome: 'healthy' }>): string {
  switch (health.outcome) {
    case 'auth':
      return 'Check the credentials in erp.settings and the rights of that user.';
    case 'transient':
      return 'Check the address in erp.settings and that the ERP runs, then try again.';
    case 'rejected':
      return 'Correct erp.settings as the message says.';
  }
}

/** What an adapter or a client throws is a finding here, so that one broken end does not hide the other. */
async function guarded(
  part: PartFinding['part'],
  check: () => Promise<readonly PartFinding[]>,
): Promise<readonly PartFinding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return [
      {
        part,
        severity: 'error',
        message: `${error.message} (${error.code})`,
        remedy: error.definition.remedy,
      },
    ];
  }
}

function quietLog() {
  return createLog({ level: 'silent', format: 'json', isTty: false });
}
