// A tenant that signs in with OAuth at a sandbox: registered, consented, tokens stored.
import { randomBytes } from 'node:crypto';
import { Secret } from '../../../src/domain/secret.js';
import { connectApi } from '../../../src/service/connect-source.js';
import type { ClientStore, GrantStore } from '../../../src/service/grant-store.js';
import { beginLogin, finishLogin, readCallback } from '../../../src/service/oauth/login.js';
import { registerClient } from '../../../src/service/oauth/register.js';
import { TokenKeyring } from '../../../src/service/oauth/token-keyring.js';
import type { SourceServices } from '../../../src/service/source-services.js';
import {
  AGENT_SCOPES,
  type AgentScope,
  type OAuthAuth,
  type SourceSettings,
} from '../../../src/service/source-settings.js';
import type { Sandbox } from '../../../lab/sandbox/start-sandbox.js';
import { credentials, type SearchableLog, testServices } from './connections.js';
import { consentAsAPerson } from './consent.js';

export interface OAuthTenant {
  readonly settings: SourceSettings;
  readonly auth: OAuthAuth;
  readonly services: SourceServices;
  readonly keyring: TokenKeyring;
}

export const tokenKey = (): Secret => new Secret(randomBytes(32).toString('base64'));

export async function signInAtSandbox(
  sandbox: Sandbox,
  store: GrantStore & ClientStore,
  options: { scopes?: readonly AgentScope[]; log?: SearchableLog; key?: Secret } = {},
): Promise<OAuthTenant> {
  const account = sandbox.accounts[0]!;
  const keyring = new TokenKeyring(options.key ?? tokenKey());
  const services = testServices(options.log, {}, { store, keyring });
  const redirectUri = 'https://bridge.example.is/callback';
  const basic = credentials(sandbox.url, { username: account.username, apiKey: new Secret(account.apiKey) });
  const client = connectApi(basic, services);
  const asked = { tenant: 'acme', name: 'ledgerbridge', redirectUri, rotateSecret: false };
  const { clientId } = await registerClient(client, store, keyring, asked, new Date());
  await client.close();
  const scopes = options.scopes ?? AGENT_SCOPES;
  const auth: OAuthAuth = { type: 'oauth', clientId, redirectUri, scopes };
  const settings: SourceSettings = { environment: 'production', baseUrl: sandbox.url, auth };
  const attempt = beginLogin(settings, auth);
  const callback = await consentAsAPerson(attempt.address, account);
  await finishLogin(settings, auth, services, attempt, readCallback(attempt, auth, callback));
  return { settings, auth, services, keyring };
}
