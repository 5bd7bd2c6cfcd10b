// The services that companies send to whose processes are killed: the sandbox, and the one that was written from the API documents alone.
// Both outlive every process, and say afterwards what they have.
import { Secret } from '../../src/domain/secret.js';
import type { SourceSettings } from '../../src/service/source-settings.js';
import type { Sandbox } from '../../lab/sandbox/start-sandbox.js';
import { credentialsAt } from './second-service-bed.js';
import type { Fault, SecondService } from './second-service/index.js';

/** Shorter than a request may be on its way (`QUICK` of those who are killed). */
const SLOW = { kind: 'latency', delayMs: 2_000, times: 1 } as const;

/** Of one company there. */
export interface KilledService {
  readonly settings: SourceSettings;
  /** The reply to the next call of this endpoint is lost; whether it has been. */
  lose(endpoint: string): () => boolean;
  /** It works on the next call of this endpoint until long after whoever sent it has died; whether it has heard it. */
  slow(endpoint: string): () => boolean;
  /** What stands with the invoice: name and text. */
  filesOf(guid: string | null): string[];
  draftsSent(): number;
  uploads(): number;
}

export function inSandbox({ accounts, control, maintCode, url }: Sandbox, name: string): KilledService {
  const apiKey = new Secret(accounts.find(({ username }) => username === name)?.apiKey ?? '');
  const auth = { type: 'credentials', username: name, apiKey, surface: 'credential' } as const;
  return {
    settings: { environment: 'development', baseUrl: url, auth, maintenanceCode: new Secret(maintCode) },
    lose: (endpoint) => {
      const fault = control.addFault({ kind: 'reset-after', times: 1, endpoint, account: name });
      return () => fault.hits > 0;
    },
    slow: (endpoint) => {
      const fault = control.addFault({ ...SLOW, endpoint, account: name });
      return () => fault.hits > 0;
    },
    filesOf: (guid) =>
      control.invoice(name, guid ?? '').files.map((id) => {
        const file = control.uploads(name).get(id);
        return `${file?.file_name ?? ''} ${file?.content?.toString('utf8') ?? ''}`;
      }),
    draftsSent: () => control.journal({ endpoint: 'create-draft-invoice', account: name }).length,
    uploads: () => control.uploads(name).size,
  };
}

/** All of them have the same key. */
export const envOfSecond = ({ account }: SecondService) => ({ SECOND_KEY: account.apiKey });

/** As a tenant file has it. */
export function sourceAtSecond({ url: baseUrl, account: { username } }: SecondService) {
  const auth = { type: 'credentials', username, apiKey: 'env:SECOND_KEY' };
  return { environment: 'production', baseUrl, auth };
}

/** It has one account, and so one company. */
export function atSecond(service: SecondService): KilledService {
  const { faults, world, url } = service;
  return {
    settings: { environment: 'production', baseUrl: url, auth: credentialsAt(service) },
    lose: (endpoint) => {
      faults.plan(endpoint, { kind: 'lose-reply' });
      return () => !faults.unmet().includes(`${endpoint}: lose-reply`);
    },
    // An upload is swallowed there: its bytes were under way, and come to nothing.
    slow: (endpoint) => {
      const fault: Fault = endpoint === 'upload-file' ? { kind: 'hang' } : { kind: 'slow', ms: SLOW.delayMs };
      faults.plan(endpoint, fault);
      return () => !faults.unmet().includes(`${endpoint}: ${fault.kind}`);
    },
    filesOf: (guid) => {
      const ids = world.invoices.find((invoice) => invoice.guid === guid)?.files ?? [];
      return ids.map((id) => {
        const file = world.files.find((one) => one.guid === id);
        return `${file?.name ?? ''} ${file?.bytes.toString('utf8') ?? ''}`;
      });
    },
    draftsSent: () => service.callsOf('create-draft-invoice').length,
    uploads: () => world.files.length,
  };
}
