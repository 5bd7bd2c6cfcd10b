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
} from '../service/grant-store.js';
import { wake } from './incidents.js';
import type { Grant, OauthClient } from './generated/client.js';
import { type Db, type Tx, type Sql, sql } from './db.js';

export function createGrantStore(db: Db): GrantStore & ClientStore {
  return { ...grants(db), ...clients(db) };
}

const COLUMNS = sql`tenant_name AS "tenantName", client_id AS "clientId", scope, access_token AS "accessToken",
  refresh_token AS "refreshToken", key_id AS "keyId", access_expires_at AS "accessExpiresAt", refresh_expires_at AS "refreshExpiresAt",
  state, version, lease_owner AS "leaseOwner", lease_until AS "leaseUntil", updated_at AS "updatedAt"`;

function grants(db: Db): GrantStore {
  /** Of the version that the caller has seen; with `owner`, while the lease is that one's. */
  const change = async (of: Pick<RefreshLease, 'tenant' | 'version'>, set: Sql, owner?: string) =>
    (await db.run(sql`
      UPDATE source_grant SET ${set} WHERE tenant_name = ${of.tenant} AND version = ${of.version}
        AND ${owner === undefined ? sql`true` : sql`lease_owner = ${owner}`}`)) === 1;
  return {
    read: async (tenant) => {
      const [row] = await db.rows<Grant>(
        sql`SELECT ${COLUMNS} FROM source_grant WHERE tenant_name = ${tenant}`,
      );
      return row ? toRow(row) : null;
    },
    list: async () =>
      (await db.rows<Grant>(sql`SELECT ${COLUMNS} FROM source_grant ORDER BY tenant_name`)).map(toRow),
    save: (tenant, clientId, tokens, now) =>
      db.tx(async (tx) => {
        await tx.run(sql`
          INSERT INTO source_grant AS known (tenant_name, client_id, access_token, refresh_token, key_id, scope, access_expires_at,
                                             refresh_expires_at, state, version, updated_at)
          VALUES (${tenant}, ${clientId}, ${tokens.sealedAccess}, ${tokens.sealedRefresh}, ${tokens.keyId}, ${tokens.scopes.join(',')},
                  ${tokens.accessExpiresAt}, ${tokens.refreshExpiresAt}, 'active', 1, ${now})
          ON CONFLICT (tenant_name) DO UPDATE SET client_id = ${clientId}, ${tokensOf(tokens)}, state = 'active', ${NO_LEASE},
            version = known.version + 1, updated_at = ${now}`);
        await probeAtOnce(tx, tenant);
      }),
    acquireLease: async ({ tenant, version, owner }, forMs) =>
      (await db.run`
        UPDATE source_grant
        SET lease_owner = ${owner}, lease_until = now() + ${forMs} * interval '1 millisecond', updated_at = now()
        WHERE tenant_name = ${tenant} AND version = ${version} AND state IN ('active', 'refreshing')
          AND (lease_until IS NULL OR lease_until <= now())`) === 1,
    markRefreshStarted: (lease, now) =>
      change(lease, sql`state = 'refreshing', updated_at = ${now}`, lease.owner),
    storeRefreshed: (lease, tokens, now) =>
      change(
        lease,
        sql`${tokensOf(tokens)}, version = ${lease.version + 1}, state = 'active', ${NO_LEASE}, updated_at = ${now}`,
      ),
    releaseLease: (lease, back, now) =>
      change(lease, sql`state = ${back}, ${NO_LEASE}, updated_at = ${now}`, lease.owner),
    close: (lease, state, now) =>
      change(lease, sql`state = ${STATE_COLUMN[state]}, ${NO_LEASE}, updated_at = ${now}`),
    reseal: (tenant, version, { sealedAccess, sealedRefresh, keyId }) =>
      change(
        { tenant, version },
        sql`access_token = ${sealedAccess}, refresh_token = ${sealedRefresh}, key_id = ${keyId}`,
      ),
  };
}

const NO_LEASE = sql`lease_owner = NULL, lease_until = NULL`;

/** Whoever signs in has perhaps mended what was refused: the next document tries, and so does a sweep. */
async function probeAtOnce(tx: Tx, tenant: TenantName): Promise<void> {
  const refused = await tx.run`
    UPDATE breaker SET open_until = now(), probe_id = NULL
    WHERE tenant_name = ${tenant} AND side = 'source' AND state = 'refused'`;
  if (refused > 0) await wake(tx, 'sweep', tenant, {});
}

type ClientRow = Omit<OauthClient, 'updatedAt'>;

const CLIENT_COLUMNS = sql`tenant_name AS "tenantName", client_id AS "clientId", client_secret AS "clientSecret", key_id AS "keyId", name,
  redirect_uri AS "redirectUri"`;

function clients(db: Db): ClientStore {
  return {
    readClient: async (tenant) => {
      const [row] = await db.rows<ClientRow>(
        sql`SELECT ${CLIENT_COLUMNS} FROM oauth_client WHERE tenant_name = ${tenant}`,
      );
      return row ? toClient(row) : null;
    },
    saveClient: async (client, now) => {
      const { tenant: tenantName, clientId, sealedSecret, keyId, name, redirectUri } = client;
      // Registering again returns no secret; the one we know must outlive that.
      await db.run`
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
      (await db.rows<ClientRow>(sql`SELECT ${CLIENT_COLUMNS} FROM oauth_client ORDER BY tenant_name`)).map(
        toClient,
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

function tokensOf(tokens: GrantTokens): Sql {
  const { sealedAccess, sealedRefresh, keyId, scopes, accessExpiresAt, refreshExpiresAt } = tokens;
  return sql`access_token = ${sealedAccess}, refresh_token = ${sealedRefresh}, key_id = ${keyId}, scope = ${scopes.join(',')},
    access_expires_at = ${accessExpiresAt}, refresh_expires_at = ${refreshExpiresAt}`;
}

function toRow(row: Grant): GrantRow {
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

function toClient(row: ClientRow): RegisteredClient {
  const { tenantName, clientId, clientSecret, keyId, name, redirectUri } = row;
  return { tenant: tenantName, clientId, sealedSecret: clientSecret, keyId, name, redirectUri };
}
