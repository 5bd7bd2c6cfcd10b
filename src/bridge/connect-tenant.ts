// The two ends of one tenant's bridge, from its file: secrets are resolved here and live as long as the connection.
import { dirname, join } from 'node:path';
import type { TenantName } from '../domain/ids.js';
import { saidByRules } from '../pipeline/mapping/rules.js';
import type { TellEvent } from '../domain/bridge-event.js';
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import { connect, REDACT_SECRETS, withDeadline } from '../erp/connect.js';
import type { ErpServices } from '../erp/erp-adapter.js';
import { erpAdapter } from '../erp/registry.js';
import type { RequestGate } from '../http/adaptive-gate.js';
import { AccountShares } from '../service/account-shares.js';
import { accountTraffic } from '../service/account-traffic.js';
import { connectSource, connectTarget } from '../service/connect-source.js';
import type { OpenTarget } from '../service/invoicing-target.js';
import { keepGrantAlive } from '../service/oauth/keep-alive.js';
import { TokenKeyring } from '../service/oauth/token-keyring.js';
import { connectReports, type ServiceReports } from '../service/service-reports.js';
import type { SourceServices } from '../service/source-services.js';
import type { SourceSettings } from '../service/source-settings.js';
import { rateConnector } from '../rates/connect-rates.js';
import type { BreakerSide } from '../sync/posting-records.js';
import { POST_TIMING } from '../sync/work.js';
import {
  type ConnectionHolds,
  createAccountParts,
  createBreakerStore,
  createConnectionHolds,
} from '../store/breaker-store.js';
import type { Database } from '../store/database.js';
import { createGrantStore } from '../store/grant-store.js';
import { createAwaitedOriginals } from '../store/originals-store.js';
import { type BookedBy, createOurInvoices } from '../store/our-invoices.js';
import { createTenantStore } from '../store/tenant-store.js';
import type { Log } from '../telemetry/log.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { resolveSource } from '../tenants/resolve-source.js';
import { resolveSecret } from '../tenants/secrets.js';
import type { Tenant } from '../tenants/tenant.js';
import type { ConnectTenant } from '../worker/connections.js';
import { IDLE_TIMERS, processOwner, SYSTEM_RUNTIME } from '../worker/schedules.js';
import { openWitness, type OpenWitness } from '../store/witness.js';
import { WitnessFile } from '../store/witness-file.js';

export interface TenantConnector extends ConnectTenant {
  /** The service as it creates: the other direction. */
  target(tenant: Tenant): OpenTarget;
  /** What the service knows beside documents. */
  reports(tenant: Tenant, onProblem: (problem: string) => void): ServiceReports;
  secret(tenant: Tenant, reference: SecretReference): Secret;
  /** What its ERP is reached with. */
  erpServices(tenant: Tenant): ErpServices;
  /** A grant that nobody uses dies after thirty days: paused tenants are refreshed too. */
  keepAlive(tenant: Tenant): Promise<void>;
}

export interface ConnectorOptions {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly log: Log;
  readonly database: Database;
  /** Left out where nobody listens: a command. */
  readonly tell?: TellEvent;
}

export function tenantConnector(options: ConnectorOptions): TenantConnector {
  const { settings, env, log } = options;
  const grants = grantsOf(settings, options.database);
  const { db } = options.database;
  const tenants = createTenantStore(db, 'bridge');
  const holds = createConnectionHolds(db, createBreakerStore(db, options.tell));
  const secret = (tenant: Tenant, reference: SecretReference) =>
    resolveSecret(reference, {
      env,
      baseDirectory: dirname(tenant.file),
      warn: (message) => log.warn({ tenant: tenant.name }, message),
    });
  const trafficOf = accountTraffic(sharesOf(options.database));
  const sourceOf = (tenant: Tenant): [SourceSettings, SourceServices] => {
    const source = resolveSource(tenant.source, (reference) => secret(tenant, reference));
    const services: SourceServices = {
      tenantName: tenant.name,
      runtime: SYSTEM_RUNTIME,
      log: log.child({ tenant: tenant.name, side: 'source' }),
      version: options.version,
      limits: tenant.limits.source,
      ownAccount: { mustBe: (registrationNo) => tenants.learnAccount(tenant.name, registrationNo) },
      ...(grants ? { grants } : {}),
    };
    const traffic = trafficOf(
      source,
      services,
      gateOf(holds, { tenantName: tenant.name, side: 'source', log }),
    );
    return [source, { ...services, traffic }];
  };
  const erpServices = (tenant: Tenant): ErpServices => ({
    clock: SYSTEM_RUNTIME.clock,
    secret: (reference) => secret(tenant, reference),
    dataDirectory: join(settings.dataDirectory, 'tenants', tenant.name),
    tenantName: tenant.name,
    configDirectory: dirname(tenant.file),
    log: log.child({ tenant: tenant.name, side: 'erp' }),
    gate: gateOf(holds, { tenantName: tenant.name, side: 'erp', log }),
    ...saidByRules(tenant.rules),
  });
  const connectRates = rateConnector({
    clock: SYSTEM_RUNTIME.clock,
    userAgent: `ledgerbridge/${options.version}`,
  });
  return {
    secret,
    erpServices,
    awaited: createAwaitedOriginals(db),
    source: (tenant) => connectSource(...sourceOf(tenant)),
    target: (tenant) => connectTarget(...sourceOf(tenant)),
    reports: (tenant, onProblem) => connectReports(...sourceOf(tenant), onProblem),
    ours: (tenant) => createOurInvoices(db, tenant.name, bookedBy(tenant)),
    keepAlive: async (tenant) => {
      if (tenant.source.auth.type === 'oauth') await keepGrantAlive(...sourceOf(tenant));
    },
    rates: (tenant) => connectRates(tenant.rules.fx, dirname(tenant.file)),
    erp: async (tenant) => {
      const definition = await erpAdapter(tenant.erp.adapter);
      const adapter = definition.create(tenant.erp.settings, erpServices(tenant));
      const callMsMax = definition.callMsMax?.(tenant.erp.settings) ?? POST_TIMING.erpTimeoutMs;
      return connect(adapter, [REDACT_SECRETS, withDeadline(callMsMax)], { callMsMax });
    },
  };
}

function sharesOf({ db }: Database): AccountShares {
  return new AccountShares({
    records: createAccountParts(db),
    owner: processOwner(),
    timers: IDLE_TIMERS,
    monotonicMs: () => performance.now(),
  });
}

/** An ERP that is an origin says of each record whether it has it in its books. */
function bookedBy({ outgoing }: Tenant): BookedBy {
  const says = outgoing?.origins.some(({ type }) => type === 'erp') ?? false;
  return { unlessSaid: outgoing?.booked ?? 'bridge', originsSay: says };
}

/** A pause that could not be put on record still holds in this process. */
function gateOf(holds: ConnectionHolds, { tenantName, side, log }: Gated): RequestGate {
  return {
    heldMs: () => holds.heldMs(tenantName, side),
    hold: async (ms, why) => {
      log.debug({ tenant: tenantName, side, ms }, why);
      await holds.hold(tenantName, side, ms, why).catch((error: unknown) => {
        log.warn({ tenant: tenantName, side, error: String(error) }, 'a pause is not on record');
      });
    },
  };
}

interface Gated {
  readonly tenantName: TenantName;
  readonly side: BreakerSide;
  readonly log: Log;
}

/** Without a key no grant can be read; a tenant that needs one says so when it connects. */
function grantsOf(settings: BridgeSettings, database: Database) {
  if (settings.key === null) return null;
  const keyring = new TokenKeyring(settings.key, settings.previousKey === null ? [] : [settings.previousKey]);
  return { store: createGrantStore(database.db), keyring };
}

// The witness that notices a database which went back in time; of every process that sends.

export function callWitness(
  { settings, log }: { readonly settings: BridgeSettings; readonly log: Log },
  database: Database,
  owner: string,
): Promise<OpenWitness> {
  const now = () => SYSTEM_RUNTIME.clock.now().getTime();
  return openWitness({
    database,
    now,
    file: new WitnessFile(join(settings.dataDirectory, 'witness'), owner, now()),
    onWentBack: (missing) =>
      log.error(
        { missing },
        'the database went back in time; every post looks into the ERP first from now on',
      ),
  });
}
