// The end of an original's time. Bookkeeping law (145/1994, art. 20) wants originals kept for seven years from the end of their year; what is
// older leaves the store when a person says so, and never by itself. What was attached stays at its entry in the ERP.
import type { TenantName } from '../domain/ids.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { RETENTION_YEARS } from '../domain/original.js';
import type { Vault } from '../originals/vault.js';
import type { Clock } from '../domain/runtime.js';
import type { Tenant } from '../tenants/tenant.js';
import { type Act, checkedAct } from './act.js';
import type { ConnectedTenants } from './connected-tenants.js';
import { unknownTenant } from './known-tenant.js';

export interface ExpiryWish {
  readonly tenant: TenantName;
  readonly years: number;
  /** First day that is kept. */
  readonly before: string;
  /** Also what is in no certificate that is green and still true. */
  readonly alsoUncertified: boolean;
}

export interface ExpiryPreview {
  readonly originals: number;
  readonly bytes: number;
  /** Old enough, and kept: on their way, in doubt, or waiting for a person, or their document is. */
  readonly unsettled: number;
  /** Old enough, and kept: in no certificate that is green and still true. */
  readonly uncertified: number;
}

export interface ExpiryRecords {
  preview(wish: ExpiryWish): Promise<ExpiryPreview>;
  /** The next ones after this id, decided and in the audit; their ids, in order. */
  expire(wish: ExpiryWish, act: Act, after: string | null, limit: number): Promise<readonly string[]>;
  /** Files that nothing needs any more and that are perhaps still there. */
  toRemove(after: string, limit: number): Promise<readonly string[]>;
  isNeeded(sha256: string): Promise<boolean>;
  removed(sha256: string): Promise<void>;
}

export interface ExpiryRequest {
  /** Left out: every tenant that has a file. */
  readonly tenant?: string | undefined;
  /** Left out: what each tenant's file says. */
  readonly years?: number | undefined;
  /** Fewer years than the law or the tenant's file wants. */
  readonly shorter: boolean;
  readonly alsoUncertified: boolean;
}

export interface TenantExpiry extends ExpiryPreview, ExpiryWish {}

export interface OriginalsExpiry {
  /** By tenant, before anything is decided. */
  preview(request: ExpiryRequest): Promise<readonly TenantExpiry[]>;
  run(
    request: ExpiryRequest,
    act: Act,
    onProgress?: (originals: number) => void,
  ): Promise<{ readonly originals: number; readonly files: number }>;
  /** Removes the files of what was decided before, here or elsewhere; how many went. */
  finish(): Promise<number>;
}

export interface ExpiryDeps {
  readonly records: ExpiryRecords;
  readonly vault: Pick<Vault, 'read' | 'put' | 'remove'>;
  readonly connections: Pick<ConnectedTenants, 'names' | 'tenant'>;
  readonly clock: Clock;
}

const BATCH = 500;

export function createOriginalsExpiry(deps: ExpiryDeps): OriginalsExpiry {
  const { records } = deps;
  return {
    preview: async (request) => {
      const previews: TenantExpiry[] = [];
      for (const wish of wishesOf(deps, request))
        previews.push({ ...wish, ...(await records.preview(wish)) });
      return previews;
    },
    run: async (request, act, onProgress = () => undefined) => {
      const answerable = checkedAct(act);
      let originals = 0;
      for (const wish of wishesOf(deps, request)) {
        let after: string | null = null;
        for (;;) {
          const ids: readonly string[] = await records.expire(wish, answerable, after, BATCH);
          originals += ids.length;
          onProgress(originals);
          after = ids.at(-1) ?? null;
          if (ids.length < BATCH || after === null) break;
        }
      }
      return { originals, files: await removeAll(deps) };
    },
    finish: () => removeAll(deps),
  };
}

/** One for each tenant that was meant. Throws RETENTION_TOO_SHORT. */
export function wishesOf(
  { connections, clock }: Pick<ExpiryDeps, 'connections' | 'clock'>,
  request: ExpiryRequest,
): ExpiryWish[] {
  const names = request.tenant === undefined ? connections.names() : [request.tenant];
  return names.map((name) => {
    const tenant = connections.tenant(name);
    if (!tenant) throw unknownTenant(name, connections.names());
    return wishOf(tenant, request, clock.now());
  });
}

function wishOf(tenant: Tenant, { years, shorter, alsoUncertified }: ExpiryRequest, now: Date): ExpiryWish {
  const { retentionYears } = tenant.originals;
  const kept = years ?? retentionYears;
  const least = Math.max(RETENTION_YEARS, retentionYears);
  if (kept < least && !shorter)
    throw new CodedError(
      'RETENTION_TOO_SHORT',
      `${tenant.name}: originals are kept for ${String(least)} years; ${String(kept)} is fewer.`,
    );
  // Seven years from the end of the year: what is of a year is kept through the seventh that follows.
  return {
    tenant: tenant.name,
    years: kept,
    before: `${String(now.getUTCFullYear() - kept)}-01-01`,
    alsoUncertified,
  };
}

/** What an earlier run decided and did not come to is removed as well. */
async function removeAll(deps: ExpiryDeps): Promise<number> {
  let files = 0;
  let after = '';
  for (;;) {
    const hashes = await deps.records.toRemove(after, BATCH);
    for (const sha256 of hashes) if (await removeOne(deps, sha256)) files += 1;
    after = hashes.at(-1) ?? '';
    if (hashes.length < BATCH) return files;
  }
}

/**
 * The same bytes may come anew in this very moment, and whoever stores them finds them there. So the records are asked again once
 * the file is gone: if they name it by now, it is put back; if they will in a moment, whoever wrote the row finds no file and fetches
 * it again (sync/originals.ts).
 */
async function removeOne({ records, vault }: ExpiryDeps, sha256: string): Promise<boolean> {
  const reading = await vault.read(sha256);
  await vault.remove(sha256);
  if (reading.outcome === 'whole' && (await records.isNeeded(sha256))) {
    await vault.put(reading.content);
    return false;
  }
  await records.removed(sha256);
  return true;
}
