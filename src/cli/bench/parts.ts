// The other processes of a benchmark, each started by it with `--part`: the service, the ERP and the bare loop. What a part
// has to say goes to its parent as one message.
import { startErpLedger } from '../../sandbox/erp-ledger/server.js';
import { startSandbox } from '../../sandbox/start-sandbox.js';
import { generateAccount } from '../../sandbox/world/generate-account.js';
import { type BareLoopOptions, runBareLoop } from './bare-loop.js';
import type { PeerOptions } from './peer.js';
import { runPeer } from './peers.js';

export interface AccountSpec {
  readonly username: string;
  readonly documents: number;
}

export type PartSpec =
  | { readonly part: 'service'; readonly accounts: readonly AccountSpec[] }
  | { readonly part: 'erp'; readonly company: string; readonly ledger: string; readonly secret: string }
  | ({ readonly part: 'bare' } & BareLoopOptions)
  | ({ readonly part: 'peer' } & PeerOptions);

export interface ServiceStarted {
  readonly url: string;
  readonly maintCode: string;
  readonly accounts: readonly {
    readonly username: string;
    readonly apiKey: string;
    readonly registrationNo: string;
  }[];
}

const INVOICES_SHARE = 0.6;
const YEAR = { from: '2026-01-01', to: '2026-10-31', now: '2026-11-01 00:00:00' };

export async function runPart(spec: PartSpec, signal: AbortSignal): Promise<unknown> {
  switch (spec.part) {
    case 'service': {
      const sandbox = await startSandbox({
        environment: 'development',
        seed: 'bench',
        journalSize: 100,
        accounts: spec.accounts.map(({ username, documents }) => {
          const invoices = Math.ceil(documents * INVOICES_SHARE);
          const data = generateAccount({
            seed: `bench:${username}`,
            companyName: `Bekkur ${username} ehf.`,
            invoices,
            costs: documents - invoices,
            difficulty: 'tidy',
            ...YEAR,
          });
          return { username, name: `Bekkur ${username} ehf.`, data };
        }),
      });
      signal.addEventListener('abort', () => void sandbox.close());
      const { url, maintCode, accounts } = sandbox;
      return { url, maintCode, accounts } satisfies ServiceStarted;
    }
    case 'erp': {
      const ledger = await startErpLedger({
        company: spec.company,
        ledger: spec.ledger,
        secret: spec.secret,
      });
      signal.addEventListener('abort', () => void ledger.close());
      return { url: ledger.url };
    }
    case 'bare':
      return runBareLoop(spec);
    case 'peer':
      return runPeer(spec);
  }
}
