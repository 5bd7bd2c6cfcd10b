// OAuth grants and registered clients on PostgreSQL. Every change is one statement with its condition in WHERE, so the
// row itself is the lock: whoever matched it has changed it, and nobody else.
import type { TenantName } from '../domain/ids.js';
import type {
  ClientStore,
  GrantRow,
  GrantState,
  GrantStore,
  GrantTokens,
  RefreshLease,
  RegisteredClient,
} from '../invoicing/grant-store.js';
import { type Transaction, wake } from './incidents.js';
import type { Grant, OauthClient, Prisma, PrismaClient } from './generated/client.js';

export function createGrantStore(prisma: PrismaClient): GrantStore & ClientStore {
  return { ...grants(prisma), ...clients(prisma) };
}

const NO_LEASE = { leaseOwner: null, leaseUntil: null };

function grants(prisma: PrismaClient): GrantStore {
  const change = async (where: Prisma.GrantWhereInput, data: Prisma.GrantUpdateManyMutationInput) =>
    (await prisma.grant.updateMany({ where, data })).count === 1;
  const at = (lease: RefreshLease) => ({ tenantName: lease.tenant, version: lease.version });
  return {
    read: async (tenant) => toRow(await prisma.grant.findUnique({ where: { tenantName: tenant } })),
    list: async () =>
      (await prisma.grant.findMany({ orderBy: { tenantName: 'asc' } })).flatMap((row) => toRow(row) ?? []),
    save: async (tenant, clientId, tokens, now) => {
      const fresh = { clientId, ...toColumns(tokens), state: 'active', ...NO_LEASE, updatedAt: now };
      await prisma.$transaction(async (tx) => {
        await tx.grant.upsert({
          where: { tenantName: tenant },
          create: { tenantName: tenant, ...fresh, version: 1 },
          update: { ...fresh, version: { increment: 1 } },
        });
        await probeAtOnce(tx, tenant);
      });
    },
    acquireLease: async ({ tenant, version, owner }, forMs) =>
      (await prisma.$executeRaw`
        UPDATE source_grant
        SET lease_owner = ${owner}, lease_until = now() + ${forMs} * interval '1 millisecond', updated_at = now()
        WHERE tenant_name = ${tenant} AND version = ${version} AND state IN ('active', 'refreshing')
          AND (lease_until IS NULL OR lease_until <= now())`) === 1,
    markRefreshStarted: (lease, now) =>
      change({ ...at(lease), leaseOwner: lease.owner }, { state: 'refreshing', updatedAt: now }),
    storeRefreshed: (lease, tokens, now) =>
      change(at(lease), {
        ...toColumns(tokens),
        version: lease.version + 1,
        state: 'active',
        ...NO_LEASE,
        updatedAt: now,
      }),
    releaseLease: (lease, back, now) =>
      change({ ...at(lease), leaseOwner: lease.owner }, { state: back, ...NO_LEASE, updatedAt: now }),
    close: (lease, state, now) =>
      change(at(lease), { state: STATE_COLUMN[state], ...NO_LEASE, updatedAt: now }),
    reseal: (tenant, version, sealed) =>
      change(
        { tenantName: tenant, version },
        { accessToken: sealed.sealedAccess, refreshToken: sealed.sealedRefresh, keyId: sealed.keyId },
      ),
  };
}

/** Whoever signs in has perhaps mended what was refused: the next document tries, and so does a sweep. */
async function probeAtOnce(tx: Transaction, tenant: TenantName): Promise<void> {
  const refused = await tx.$executeRaw`
    UPDATE breaker SET open_until = now(), probe_id = NULL
    WHERE tenant_name = ${tenant} AND side = 'source' AND state = 'refused'`;
  if (refused > 0) await wake(tx, 'sweep', tenant, {});
}

function clients(prisma: PrismaClient): ClientStore {
  return {
    readClient: async (tenant) =>
      toClient(await prisma.oauthClient.findUnique({ where: { tenantName: tenant } })),
    saveClient: async (client, now) => {
      const { tenant: tenantName, clientId, sealedSecret, keyId, name, redirectUri } = client;
      // Registering again returns no secret; the one we know must outlive that.
      await prisma.$executeRaw`
        INSERT INTO oauth_client AS known
          (tenant_name, client_id, client_secret, key_id, name, redirect_uri, updated_at)
        VALUES (${tenantName}, ${clientId}, ${sealedSecret}, ${keyId}, ${name}, ${redirectUri}, ${now})
        ON CONFLICT (tenant_name) DO UPDATE SET
          client_secret = CASE WHEN excluded.client_secret IS NULL AND known.client_id = excluded.client_id
            THEN known.client_secret ELSE excluded.client_secret END,
          key_id = CASE WHEN excluded.client_secret IS NULL AND known.client_id = excluded.client_id
            THEN known.key_id ELSE excluded.key_id END,
          client_id = excluded.client_id, name = excluded.name, redirect_uri = excluded.redirect_uri,
          updated_at = excluded.updated_at`;
    },
    listClients: async () =>
      (await prisma.oauthClient.findMany({ orderBy: { tenantName: 'asc' } })).flatMap(
        (row) => toClient(row) ?? [],
      ),
  };
}

const STATE_COLUMN: Readonly<Record<GrantState, string>> = {
  active: 'active',
  refreshing: 'refreshing',
  'needs-consent': 'needs_consent',
  revoked: 'revoked',
};

/** A state that this version does not know is treated as the safe one: ask a person. */
function toState(column: string): GrantState {
  const known = Object.entries(STATE_COLUMN).find(([, written]) => written === column);
  return (known?.[0] as GrantState | undefined) ?? 'needs-consent';
}

function toColumns(tokens: GrantTokens) {
  const { sealedAccess, sealedRefresh, keyId, scopes, accessExpiresAt, refreshExpiresAt } = tokens;
  return {
    accessToken: sealedAccess,
    refreshToken: sealedRefresh,
    keyId,
    scope: scopes.join(','),
    accessExpiresAt,
    refreshExpiresAt,
  };
}

function toRow(row: Grant | null): GrantRow | null {
  if (row === null) return null;
  const { tenantName, clientId, accessToken, refreshToken, scope, state, ...rest } = row;
  return {
    ...rest,
    tenant: tenantName,
    clientId,
    sealedAccess: accessToken,
    sealedRefresh: refreshToken,
    scopes: scope.split(',').filter((one) => one !== ''),
    state: toState(state),
  };
}

function toClient(row: OauthClient | null): RegisteredClient | null {
  if (row === null) return null;
  const { tenantName, clientId, clientSecret, keyId, name, redirectUri } = row;
  return { tenant: tenantName, clientId, sealedSecret: clientSecret, keyId, name, redirectUri };
}
