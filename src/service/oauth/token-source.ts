// Always a usable access token, and one refresh in flight per grant over all processes. The order is the protocol: lease,
// mark "refreshing", send, store, use. A crash after the mark leaves the grant in `refreshing`: the next process tries the
// stored refresh token once more, and if the service refuses it, the grant needs consent and says so.
import type { CodedError } from '../../domain/errors/coded-error.js';
import type { Message } from '../../domain/message.js';
import type { Secret } from '../../domain/secret.js';
import { coded } from '../../language/coded.js';
import { message, saidBy } from '../../language/messages.js';
import { say } from '../../language/say.js';
import type { GrantRow, GrantTokens, RefreshLease } from '../grant-store.js';
import type { Grants, SourceServices } from '../source-services.js';
import type { AgentScope } from '../source-settings.js';
import { type FreshTokens, TOKEN_DEADLINE_MS, type TokenOutcome } from './token-outcome.js';
import { openTokens, sealTokens } from './sealed-tokens.js';

export interface CurrentToken {
  readonly accessToken: Secret;
  readonly version: number;
}

/** `isRefreshed`: the service has just made it; another process stored it otherwise, and it may have expired as well. */
export interface NewerToken extends CurrentToken {
  readonly isRefreshed: boolean;
}

/** What it needs of a connection's services, and of the token endpoint. */
export type TokenServices = Pick<SourceServices, 'tenantName' | 'runtime' | 'log'>;
export interface RefreshEndpoint {
  refresh(refreshToken: Secret): Promise<TokenOutcome>;
  close(): Promise<void>;
}

/** Refreshed this long before it expires, so that no call is sent with a token that dies on the way. */
export const REFRESH_MARGIN_MS = 30_000;
const LEASE_MS = TOKEN_DEADLINE_MS + 25_000;
const WAIT_STEP_MS = 150;
const WAIT_STEPS_MAX = Math.ceil((LEASE_MS + 5_000) / WAIT_STEP_MS);
const STORE_ATTEMPTS_MAX = 10;

export class TokenSource {
  readonly #services: TokenServices;
  readonly #grants: Grants;
  readonly #endpoint: RefreshEndpoint;
  /** Read, opened and still thought to be good, so that not every call asks the store. */
  #kept: { readonly row: GrantRow; readonly token: CurrentToken } | null = null;
  readonly #renewals = new Map<string, Promise<NewerToken>>();
  #seen: readonly Secret[] = [];

  constructor(services: TokenServices, grants: Grants, endpoint: RefreshEndpoint) {
    this.#services = services;
    this.#grants = grants;
    this.#endpoint = endpoint;
  }

  async current(): Promise<CurrentToken> {
    const kept = this.#kept;
    if (kept !== null && this.#remainingMs(kept.row) > REFRESH_MARGIN_MS) return kept.token;
    const row = await this.#read();
    if (this.#remainingMs(row) > REFRESH_MARGIN_MS) return this.#open(row);
    return this.#renew(row.version, this.#remainingMs(row) > 0);
  }

  /** After a 401 that said expired: whatever is newer than what failed, refreshing if nothing is. */
  async newerThan(failedVersion: number): Promise<NewerToken> {
    return this.#renew(failedVersion, false);
  }

  /**
   * What the store has now, whatever we keep: after a refusal that is no expiry, since `auth login` in another process is the
   * remedy for those and nobody tells us about it.
   */
  async stored(): Promise<CurrentToken> {
    return this.#open(await this.#read());
  }

  /** What the person consented to. A scope that is missing may have been granted since: then the store is asked. */
  async allows(scope: AgentScope): Promise<boolean> {
    if (this.#kept !== null && hasScope(this.#kept.row, scope)) return true;
    const row = await this.#read();
    this.#open(row);
    return hasScope(row, scope);
  }

  /** The tokens in use, so that they can be cut out of texts from outside. */
  seen(): readonly Secret[] {
    return this.#seen;
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }

  /**
   * Callers in this process share one renewal; processes share one through the lease. Whoever was told that a version
   * expired does not join those who may still settle for it.
   */
  #renew(version: number, stillValid: boolean): Promise<NewerToken> {
    const key = `${String(version)} ${String(stillValid)}`;
    const underWay = this.#renewals.get(key);
    if (underWay !== undefined) return underWay;
    const renewal = this.#renewOverProcesses(version, stillValid).finally(() => this.#renewals.delete(key));
    this.#renewals.set(key, renewal);
    return renewal;
  }

  async #renewOverProcesses(version: number, stillValid: boolean): Promise<NewerToken> {
    for (let step = 0; step < WAIT_STEPS_MAX; step++) {
      const row = await this.#read();
      if (row.version !== version) return { ...this.#open(row), isRefreshed: false };
      const lease = { tenant: row.tenant, owner: this.#services.runtime.random.uuid(), version };
      if (await this.#grants.store.acquireLease(lease, LEASE_MS))
        return { ...(await this.#refresh(row, lease)), isRefreshed: true };
      // Somebody else is at it; what we have still works for a moment.
      if (stillValid && this.#remainingMs(row) > 0) return { ...this.#open(row), isRefreshed: false };
      await this.#services.runtime.timers.sleep(WAIT_STEP_MS);
    }
    throw coded('SOURCE_GRANT_BUSY', message('REFRESH_BUSY'));
  }

  async #refresh(row: GrantRow, lease: RefreshLease): Promise<CurrentToken> {
    const { store, keyring } = this.#grants;
    const { refreshToken } = openTokens(keyring, row);
    if (!(await store.markRefreshStarted(lease, this.#now()))) {
      throw coded('SOURCE_GRANT_BUSY', message('REFRESH_LEASE_LOST'));
    }
    const answer = await this.#endpoint.refresh(refreshToken);
    switch (answer.outcome) {
      case 'tokens':
        return this.#keep(row, lease, answer.tokens);
      case 'refused':
        await store.close(lease, 'needs-consent', this.#now());
        this.#kept = null;
        throw this.#needsConsent(refreshRefused(row, answer.message));
      case 'client-refused':
      case 'not-sent':
        await store.releaseLease(lease, row.state === 'refreshing' ? 'refreshing' : 'active', this.#now());
        throw answer.error;
      case 'unknown':
        await store.releaseLease(lease, 'refreshing', this.#now());
        this.#warn('a token refresh was sent and not clearly answered; the grant may be lost');
        throw coded('SOURCE_NO_ANSWER', message('REFRESH_UNANSWERED', { why: saidBy(answer.error) }), {
          cause: answer.error,
        });
    }
  }

  /** Stored before it is used: a token that only this process knows would be lost with it. */
  async #keep(row: GrantRow, lease: RefreshLease, fresh: FreshTokens): Promise<CurrentToken> {
    const { keyring } = this.#grants;
    const scopes = fresh.scopes.length > 0 ? fresh.scopes : row.scopes;
    const tokens = sealTokens(keyring, row.tenant, { ...fresh, scopes }, this.#now());
    const stored = await this.#storePatiently(lease, tokens);
    const now = await this.#read();
    if (stored) this.#services.log.info({ tenant: row.tenant, version: now.version }, 'tokens refreshed');
    return this.#open(now);
  }

  async #storePatiently(lease: RefreshLease, tokens: GrantTokens): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#grants.store.storeRefreshed(lease, tokens, this.#now());
      } catch (error) {
        if (attempt === STORE_ATTEMPTS_MAX) {
          this.#warn('new tokens were received and could not be stored; the grant may need consent');
          throw error;
        }
        await this.#services.runtime.timers.sleep(WAIT_STEP_MS * attempt);
      }
    }
  }

  async #read(): Promise<GrantRow> {
    const row = await this.#grants.store.read(this.#services.tenantName);
    if (row === null) throw this.#needsConsent(message('NOBODY_CONSENTED'));
    if (row.state === 'needs-consent') throw this.#needsConsent(message('GRANT_LOST'));
    if (row.state === 'revoked') throw this.#needsConsent(message('GRANT_REVOKED'));
    return row;
  }

  #open(row: GrantRow): CurrentToken {
    const { accessToken, refreshToken } = openTokens(this.#grants.keyring, row);
    const token = { accessToken, version: row.version };
    this.#kept = { row, token };
    this.#seen = [accessToken, refreshToken];
    return token;
  }

  #remainingMs(row: GrantRow): number {
    return row.accessExpiresAt.getTime() - this.#now().getTime();
  }

  #now(): Date {
    return this.#services.runtime.clock.now();
  }

  #warn(message: string): void {
    this.#services.log.warn({ tenant: this.#services.tenantName }, message);
  }

  #needsConsent(why: Message): CodedError {
    const tenant = this.#services.tenantName;
    this.#warn(`needs consent: ${say('en', why)}`);
    return coded('SOURCE_NEEDS_CONSENT', message('NEEDS_CONSENT', { tenant, why }), { details: { tenant } });
  }
}

/** A grant without any on record is one whose scopes nobody told us: the service decides. */
function hasScope({ scopes }: GrantRow, scope: AgentScope): boolean {
  return scopes.length === 0 || scopes.includes(scope);
}

function refreshRefused(row: GrantRow, answer: string): Message {
  return message('REFRESH_REFUSED', { answer, wasLost: row.state === 'refreshing' });
}
