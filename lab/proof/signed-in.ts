// A simulated service that wants tokens: they live for minutes, a refresh gives another pair and uses the one before up, and its answer
// may be lost like any other. Every process keeps its tokens with the real code of service/oauth, and shares the grant on record.
import { CodedError } from '../../src/domain/errors/coded-error.js';
import { Secret } from '../../src/domain/secret.js';
import type { GrantRow } from '../../src/service/grant-store.js';
import type { TokenOutcome } from '../../src/service/oauth/token-outcome.js';
import { TokenSource } from '../../src/service/oauth/token-source.js';
import type { Grants } from '../../src/service/source-services.js';
import type { Runtime } from '../../src/domain/runtime.js';
import type { Kernel } from './kernel.js';
import type { Life } from './life.js';
import type { Mutable, MemoryRecords } from './memory-records.js';

const MINUTE_MS = 60_000;
const ACCESS_MS = 12 * MINUTE_MS;
const ENDS_EARLY_MS = 3 * MINUTE_MS;
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;

/** What the service knows of a grant. */
export interface ServiceGrant {
  pair: number;
  accessUntil: number;
  /** When the latest pair was given to a refresh whose answer is not lost. */
  answeredAt: number;
}

export function newGrant({ nowMs }: Kernel): ServiceGrant {
  return { pair: 1, accessUntil: nowMs + ACCESS_MS, answeredAt: -Infinity };
}

/** A person consents: at the beginning, and again when the bridge says that it needs it. */
export function consent(records: MemoryRecords, grant: ServiceGrant): void {
  const { nowMs } = records.kernel;
  Object.assign(grant, { pair: grant.pair + 1, accessUntil: nowMs + ACCESS_MS, answeredAt: -Infinity });
  records.grant = {
    ...rowOf(grant, nowMs),
    ...{
      tenant: records.company.name,
      clientId: 'c',
      state: 'active',
      version: (records.grant?.version ?? 0) + 1,
    },
  };
  for (const breaker of records.breakers.values()) if (breaker.state === 'refused') breaker.openUntil = nowMs;
  records.kernel.note('a person consents');
}

function rowOf({ pair, accessUntil }: ServiceGrant, nowMs: number) {
  return {
    ...{ sealedAccess: `access-${pair}`, sealedRefresh: `refresh-${pair}`, keyId: 'k', scopes: [] },
    ...{ accessExpiresAt: new Date(accessUntil), refreshExpiresAt: new Date(nowMs + MONTH_MS) },
    ...{ leaseOwner: null, leaseUntil: null, updatedAt: new Date(nowMs) },
  };
}

/** The tokens of one process. */
export function tokensOf(
  records: MemoryRecords,
  grant: ServiceGrant,
  life: Life,
  { runtime, isFaulty }: { readonly runtime: Runtime; readonly isFaulty: () => boolean },
): TokenSource {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
  const waiting = { ...runtime, timers: { sleep: (ms: number) => life.step(ms) } };
  const services = { tenantName: records.company.name, runtime: waiting, log };
  return new TokenSource(
    services,
    { store: memoryGrants(records, life), keyring: PLAIN },
    {
      refresh: (token) => refresh(records, grant, life, { token: token.reveal(), isFaulty: isFaulty() }),
      close: () => Promise.resolve(),
    },
  );
}

/** Nothing is sealed here: nobody reads the records of a simulation. */
const PLAIN = {
  currentKeyId: 'k',
  seal: (_tenant: string, _what: string, secret: Secret) => secret.reveal(),
  open: (_tenant: string, _what: string, sealed: string) => new Secret(sealed),
} as unknown as Grants['keyring'];

/** Whoever takes over from one that died waits for its lease to run out. */
const ALONE_MS = 35_000;

async function refresh(
  { kernel, violations }: MemoryRecords,
  grant: ServiceGrant,
  life: Life,
  { token, isFaulty }: { token: string; isFaulty: boolean },
): Promise<TokenOutcome> {
  await life.step(kernel.between('a refresh takes', 20, 3_000));
  const luck = isFaulty ? kernel.next('what becomes of a refresh', 1) : 1;
  const error = new CodedError('SOURCE_UNREACHABLE', 'no answer');
  if (luck < 0.05) return { outcome: 'not-sent', error };
  const used = Number(token.split('-')[1]);
  if (used !== grant.pair) {
    if (kernel.nowMs - grant.answeredAt < ALONE_MS) violations.push(`19: two refresh ${token} at once`);
    kernel.note(`the source refuses a refresh: ${token} was used before`);
    return { outcome: 'refused', message: 'invalid_grant' };
  }
  grant.pair++;
  // Sooner than it says: an idle process finds its own expired, and those that another has stored since.
  grant.accessUntil = kernel.nowMs + ENDS_EARLY_MS;
  const isLost = luck < 0.1;
  grant.answeredAt = isLost ? -Infinity : kernel.nowMs;
  kernel.note(`the source gives pair ${grant.pair}`);
  await life.step(kernel.between('tokens take', 5, 500));
  if (isLost) return { outcome: 'unknown', error };
  const pair = {
    accessToken: new Secret(`access-${grant.pair}`),
    refreshToken: new Secret(`refresh-${grant.pair}`),
  };
  return { outcome: 'tokens', tokens: { ...pair, expiresInMs: ACCESS_MS, scopes: [] } };
}

/** The service looks at the token of every call. */
export function isGood(grant: ServiceGrant, token: Secret, nowMs: number): boolean {
  return token.reveal() === `access-${grant.pair}` && nowMs < grant.accessUntil;
}

function memoryGrants(records: MemoryRecords, life: Life): Grants['store'] {
  const { kernel } = records;
  const change = async (fits: (row: GrantRow) => boolean, next: Partial<GrantRow>): Promise<boolean> => {
    await life.step(kernel.between('the grant takes', 1, 5));
    const row: Mutable<GrantRow> | null = records.grant;
    if (!row || !fits(row)) return false;
    Object.assign(row, next);
    await life.step(1);
    return true;
  };
  const free = { leaseOwner: null, leaseUntil: null };
  const used: Partial<Grants['store']> = {
    read: async () => {
      await life.step(1);
      return records.grant ? { ...records.grant } : null;
    },
    acquireLease: ({ version, owner }, forMs) =>
      change(
        (row) =>
          row.version === version &&
          ['active', 'refreshing'].includes(row.state) &&
          (records.flaws.ignoreGrantLease === true ||
            row.leaseUntil === null ||
            row.leaseUntil.getTime() <= kernel.nowMs),
        { leaseOwner: owner, leaseUntil: new Date(kernel.nowMs + forMs) },
      ),
    markRefreshStarted: ({ version, owner }) =>
      change(
        (row) =>
          row.version === version && (records.flaws.ignoreGrantLease === true || row.leaseOwner === owner),
        { state: 'refreshing' },
      ),
    storeRefreshed: ({ version }, tokens) =>
      change((row) => row.version === version, { ...tokens, version: version + 1, state: 'active', ...free }),
    releaseLease: ({ version, owner }, back) =>
      change((row) => row.version === version && row.leaseOwner === owner, { state: back, ...free }),
    close: ({ version }, state) => change((row) => row.version === version, { state, ...free }),
  };
  return used as Grants['store'];
}
