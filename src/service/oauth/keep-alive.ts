// An idle grant dies after thirty days. A tenant that polls refreshes daily anyhow; this is for those that are paused. Apart from the source of
// tokens, which the simulation runs without HTTP.
import type { SourceServices } from '../source-services.js';
import type { SourceSettings } from '../source-settings.js';
import { TokenEndpoint } from './token-endpoint.js';
import { TokenSource } from './token-source.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Refreshed when less than this is left: three weeks of outage can pass before a grant is lost. */
const KEEP_ALIVE_LEFT_MS = 23 * DAY_MS;

/** Call it about daily for every tenant, paused ones too. Throws SOURCE_NEEDS_CONSENT when it is too late. */
export async function keepGrantAlive(
  settings: SourceSettings,
  services: SourceServices,
): Promise<'not-oauth' | 'fresh' | 'refreshed'> {
  const { auth } = settings;
  const { grants } = services;
  if (auth.type !== 'oauth' || grants === undefined) return 'not-oauth';
  const row = await grants.store.read(services.tenantName);
  const leftMs = row === null ? 0 : row.refreshExpiresAt.getTime() - services.runtime.clock.now().getTime();
  if (row !== null && row.state === 'active' && leftMs > KEEP_ALIVE_LEFT_MS) return 'fresh';
  const tokens = new TokenSource(services, grants, new TokenEndpoint(settings, auth, services, grants));
  try {
    await tokens.newerThan(row?.version ?? 0);
    return 'refreshed';
  } finally {
    await tokens.close();
  }
}
