// Puts the entries of an earlier run back into the demo's ERP, in their order and so under their numbers, through its API.
import { signature } from '../../sandbox/erp-ledger/signature.js';
import type { ErpLedger } from '../../sandbox/erp-ledger/server.js';

interface SavedEntry {
  readonly key: string;
  readonly [field: string]: unknown;
}

/** What the ledger adds to a request by itself. */
const OF_THE_LEDGER = ['id', 'number', 'state', 'reversed', 'reverses', 'reversedBy', 'attachments'];

export async function restoreEntries(
  ledger: ErpLedger,
  secret: string,
  entries: readonly unknown[],
): Promise<void> {
  for (const entry of entries as readonly SavedEntry[]) {
    const request = Object.fromEntries(
      Object.entries(entry).filter(([field]) => !OF_THE_LEDGER.includes(field)),
    );
    const body = Buffer.from(JSON.stringify(request));
    const target = '/v1/journals';
    const timestamp = String(Math.floor(Date.now() / 1000));
    const answer = await fetch(new URL(target, ledger.url), {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': entry.key,
        'x-ledgerbridge-timestamp': timestamp,
        'x-ledgerbridge-signature': signature(secret, timestamp, { method: 'POST', target, body }),
      },
    });
    if (!answer.ok)
      throw new Error(`the demo's ERP did not take entry ${entry.key} back: ${await answer.text()}`);
  }
}
