import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSignIn } from '../../../src/tenants/load-sign-in.js';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-sign-in-'))));
afterEach(() => rm(directory, { recursive: true }));

const load = async (text: string) => {
  await writeFile(join(directory, 'sign-in.yaml'), text);
  return loadSignIn(directory, { SECRET: 'between us' });
};
const RIGHT = `issuer: https://login.example.is
clientId: ledgerbridge
clientSecret: env:SECRET
roles:
  - group: bokarar
    role: operator
    companies: [hraun]
`;

it('is not needed', async () => expect(await loadSignIn(directory, {})).toBe(null));

it('is read with its secret, and with what most providers call things', async () => {
  const read = await load(RIGHT);
  expect(read).toMatchObject({ login: 'preferred_username', groups: 'groups', passwords: true });
  expect(read?.clientSecret?.reveal()).toBe('between us');
});

it.each([
  ['an address that is not https', RIGHT.replace('https:', 'http:'), /sign-in\.yaml:1: .*https/],
  ['a secret in the clear', RIGHT.replace('env:SECRET', 'hunter2'), /sign-in\.yaml:3: .*env:/],
  ['an unknown role', RIGHT.replace('operator', 'boss'), /sign-in\.yaml:6: .*viewer/],
  ['a misspelt setting', RIGHT.replace('clientId', 'clientID'), /clientI[dD]/],
  ['no rule at all', RIGHT.split('roles')[0] ?? '', /roles/],
  ['no YAML', 'roles: [', /sign-in\.yaml/],
])('stops the start with the line that is wrong: %s', async (_what, text, said) => {
  const error = await load(text).catch((one: unknown) => one);
  expect(error).toMatchObject({ code: 'SIGN_IN_INVALID' });
  expect((error as Error).message).toMatch(said);
  expect((error as Error).message).not.toContain('hunter2');
});

it('says which secret is missing, and not what others are', async () => {
  await expect(load(RIGHT.replace('env:SECRET', 'env:NOWHERE'))).rejects.toThrow('env:NOWHERE');
});
