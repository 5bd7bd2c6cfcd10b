// One of several processes that share a grant. Told over IPC how many calls to make; answers how they went.
import { Secret } from '../../../src/domain/secret.js';
import { connectSource } from '../../../src/service/connect-source.js';
import { TokenKeyring } from '../../../src/service/oauth/token-keyring.js';
import { openDatabase } from '../../../src/store/database.js';
import { createGrantStore } from '../../../src/store/grant-store.js';
import { testServices } from './connections.js';

export interface GrantProcessTask {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly tokenKey: string;
}

const task = JSON.parse(process.argv[2] ?? '{}') as GrantProcessTask;
const database = await openDatabase({
  databaseUrl: task.databaseUrl,
  dataDirectory: '/nonexistent',
  role: 'command',
  poolSize: 2,
});
const keyring = new TokenKeyring(new Secret(task.tokenKey));
const services = testServices(undefined, {}, { store: createGrantStore(database.db), keyring });
const redirectUri = 'https://bridge.example.is/callback';
const source = connectSource(
  {
    environment: 'production',
    baseUrl: task.baseUrl,
    auth: { type: 'oauth', clientId: task.clientId, redirectUri, scopes: ['nav', 'cost'] },
  },
  services,
);

process.on('message', (message: { calls: number } | 'stop') => {
  if (message === 'stop') {
    void source
      .close()
      .then(() => database.close())
      .then(() => process.exit(0));
    return;
  }
  const count = () => source.count({ kind: 'invoice', accountingStatus: 'Created' });
  void Promise.allSettled(Array.from({ length: message.calls }, count)).then((outcomes) => {
    const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    process.send?.({ done: outcomes.length - failures.length, failures });
  });
});
process.send?.({ done: 0, failures: [] });
