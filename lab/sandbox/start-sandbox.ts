// The invoicing service, simulated: both API surfaces, several accounts, faults on demand and a journal of what clients
// do. Written from the two API documents alone and importing nothing from the bridge, so that one misreading cannot pass
// on both sides. Everything lives in memory and ends with close().
import { backstage } from './backstage.js';
import {
  accountOf,
  sandboxControl,
  type SandboxAccount,
  type SandboxControl,
  openAccount,
} from './control/sandbox-control.js';
import { listen } from './http/server.js';
import type { AccountOptions, SandboxOptions } from './options.js';
import { costReceipt } from './render/cost-receipt.js';
import { costUbl } from './render/cost-ubl.js';
import { invoicePdf } from './render/invoice-pdf.js';
import { SandboxState } from './state.js';

export interface Sandbox {
  readonly url: string;
  readonly environment: 'production' | 'development';
  /** What the development environment wants as en4_maint_code. */
  readonly maintCode: string;
  readonly accounts: readonly SandboxAccount[];
  readonly control: SandboxControl;
  close(): Promise<void>;
}

const DEFAULT_ACCOUNTS: readonly AccountOptions[] = [{}, {}];

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const state = new SandboxState(options, { invoicePdf, costUbl, costReceipt });
  for (const account of options.accounts ?? DEFAULT_ACCOUNTS) state.addAccount(openAccount(state, account));
  const control = sandboxControl(state);
  const { server, url } = await listen(
    state,
    backstage(state, control),
    options.host ?? '127.0.0.1',
    options.port ?? 0,
  );
  state.listenAt(url);
  return {
    url,
    environment: state.environment,
    maintCode: state.maintCode,
    get accounts() {
      return [...state.accounts.values()].map(({ profile }) => accountOf(profile));
    },
    control,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
