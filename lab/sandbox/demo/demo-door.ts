// The way into the demo's dashboard: a free port, and somebody who can sign in with a password that is new every time.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Secret } from '../../../src/domain/secret.js';
import { createUserAccounts } from '../../../src/operations/users/user-accounts.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import type { Database } from '../../../src/store/database.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';

/** The port that was asked for, or 0 (any) when somebody has it already. */
export function portOrAny(host: string, port: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(port, host, () => probe.close(() => resolve(port)));
  });
}

const LOGIN = 'demo';
const SYLLABLES = [
  'fjör',
  'hraun',
  'stein',
  'vík',
  'foss',
  'lund',
  'holt',
  'nes',
  'brú',
  'dal',
  'sker',
  'tun',
];
const SYLLABLES_USED = 5;

export async function demoVisitor(database: Database): Promise<{ login: string; password: string }> {
  const users = createUserAccounts(createUserStore(database.prisma), SYSTEM_RUNTIME.clock);
  const words = Array.from({ length: SYLLABLES_USED }, () => SYLLABLES[randomInt(SYLLABLES.length)] ?? '');
  const password = `${words.join('-')}-${randomInt(100, 1_000)}`;
  const known = (await users.list()).some(({ login }) => login === LOGIN);
  if (known) await users.setPassword(LOGIN, new Secret(password), LOGIN);
  else await users.create(LOGIN, 'admin', new Secret(password), LOGIN);
  return { login: LOGIN, password };
}
