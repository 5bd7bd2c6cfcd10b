// A real identity provider on a loopback port: oidc-provider with its own sign-in pages. Whoever writes a name is that
// person; what their groups are the test says.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface TestIdentity {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Name → groups; others are known, and in no group. */
  readonly groups: Map<string, readonly string[]>;
  /** Once it is known where browsers are sent back to; until then it is out of order. */
  serve(redirectUri: string): void;
  close(): Promise<void>;
}

export async function testIdentity(): Promise<TestIdentity> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${String(port)}`;
  const client = { clientId: 'ledgerbridge', clientSecret: 'a-secret-between-the-two' };
  const groups = new Map<string, readonly string[]>();
  return {
    issuer,
    ...client,
    groups,
    serve: (redirectUri) => (answer = providerOf(issuer, client, redirectUri, groups)),
    close: () => closed(server),
  };
}

function providerOf(
  issuer: string,
  { clientId, clientSecret }: Pick<TestIdentity, 'clientId' | 'clientSecret'>,
  redirectUri: string,
  groups: TestIdentity['groups'],
) {
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    scopes: ['openid', 'profile', 'groups'],
    // As with most providers, only the answer of the userinfo endpoint has them.
    claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
    cookies: { keys: ['a key for the cookies of a test'] },
    findAccount: (_context, name) => ({
      accountId: name,
      claims: () => ({
        sub: `id-of-${name}`,
        preferred_username: name,
        groups: [...(groups.get(name) ?? [])],
      }),
    }),
  });
  return provider.callback();
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
