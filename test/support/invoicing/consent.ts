// A person at the sandbox's sign-in page: opens the authorize address, signs in, consents, and says where the browser
// was sent. Plain HTTP, as a browser would do it.
import type { SandboxAccount } from '../../../lab/sandbox/control/sandbox-control.js';

export async function consentAsAPerson(
  authorize: URL,
  account: SandboxAccount,
  decision: 'allow' | 'deny' = 'allow',
): Promise<string> {
  const signedIn = await fetch(authorize, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ step: 'sign-in', username: account.username, password: account.password }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(authorize, { headers: { cookie } })).text();
  const formToken = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const scopes = [...page.matchAll(/name="(scope_\w+)"/g)].map((match): [string, string] => [
    match[1] ?? '',
    '1',
  ]);
  const consented = await fetch(authorize, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams([
      ['step', 'consent'],
      ['form_token', formToken],
      ['decision', decision],
      ...scopes,
    ]),
  });
  const location = consented.headers.get('location');
  if (location === null) throw new Error(`no redirect after consent: ${String(consented.status)}`);
  return location;
}
