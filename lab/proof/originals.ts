// Originals in a simulated run: the keeper of each replica carries them with the real code of sync/originals.ts, while its
// process dies and sleeps, the service and the ERP are down, answers are lost and files arrive late.
import type { Guid } from '../../src/domain/ids.js';
import { createHash } from 'node:crypto';
import type { Attachment, AttachOutcome, ErpReference } from '../../src/erp/erp-adapter.js';
import type { OriginalsOutcome } from '../../src/service/invoicing-source.js';
import { advanceOriginal, type OriginalsDeps, type OriginalVault } from '../../src/sync/originals.js';
import type { TenantContext } from '../../src/sync/tenant-context.js';
import type { Life, SimulatedDocument } from './life.js';
import { areOpen, claimOriginal, wantOriginals } from './memory-originals.js';
import type { MemoryRecords } from './memory-records.js';
import type { SimulatedLedger } from './simulated-ledger.js';

const WISH = { attach: true, bytesMax: 1_000_000 };
const ROUNDS_MAX = 20_000;

/** One that leads, as far as it knows; another may think the same of itself. */
export async function keepOriginals(
  records: MemoryRecords,
  stage: OriginalsDeps,
  tenant: TenantContext,
  pause: () => Promise<void>,
): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await pause();
    wantOriginals(records);
    // Its tenant's sides are left alone while a breaker is open.
    if ([...records.breakers.values()].some(({ openUntil }) => openUntil > records.kernel.nowMs)) continue;
    for (let taken = 0; taken < 4; taken++) {
      const claimed = claimOriginal(records, 2 * stage.timing.leaseMs);
      if (claimed === null) break;
      await advanceOriginal(stage, tenant, WISH, claimed);
    }
  }
}

/** Files by their hash; it forgets nothing, for what the disk does is not what this is about. */
export function memoryVault(files: Map<string, Uint8Array>, life: Life): OriginalVault {
  return {
    put: async (content) => {
      await life.step(1);
      const sha256 = createHash('sha256').update(content).digest('hex');
      files.set(sha256, content);
      return { sha256, size: content.byteLength };
    },
    read: async (sha256) => {
      await life.step(1);
      const content = files.get(sha256);
      return content ? { outcome: 'whole', content } : { outcome: 'missing' };
    },
  };
}

/** An invoice has its PDF; of costs, some have a receipt, some an e-invoice with it, some nothing. */
export function filesOf({ kind, number, guid }: SimulatedDocument): OriginalsOutcome {
  const pdf = Buffer.from(`%PDF-1.4 ${number}`);
  if (kind === 'invoice')
    return { outcome: 'found', files: [{ role: 'pdf', fileName: '../../x.pdf', content: pdf }] };
  const choice = guid.charCodeAt(guid.length - 1) % 3;
  const file = { role: 'file', fileName: 'kvittun.pdf', content: pdf } as const;
  const ubl = { role: 'ubl', fileName: 'r.xml', content: Buffer.from(`<?xml?><Invoice>${number}`) } as const;
  return { outcome: 'found', files: [[], [file], [file, ubl]][choice] ?? [] };
}

const LATE_MS_MAX = 25_000;

/** As every adapter must: it looks at what is there, then attaches. Between the two, and on the way back, anything happens. */
export async function simulatedAttach(
  ledger: SimulatedLedger,
  records: MemoryRecords,
  life: Life,
  [{ id }, { fileName }]: readonly [ErpReference, Attachment],
): Promise<AttachOutcome> {
  const { kernel } = ledger;
  const isIntended = [...records.originals.values()].some(
    (row) => row.state === 'attaching' && row.reference.id === id,
  );
  if (!isIntended) ledger.violations.push(`14: sent ${fileName} to ${id} without an intent on record`);
  await life.step(kernel.between('an original is looked for', 5, 40));
  if (ledger.outage) {
    ledger.outage.attaches.push(`${id} ${fileName}`);
    return ledger.outage.how === 'refuses'
      ? { outcome: 'auth', message: 'the password is wrong' }
      : { outcome: 'transient', message: 'cannot be reached' };
  }
  const place = `${id} ${fileName}`;
  if ((ledger.files.get(place) ?? 0) > 0) return { outcome: 'attached' };
  const arrive = () => {
    kernel.note(`erp takes ${fileName} at ${id}`);
    ledger.files.set(place, (ledger.files.get(place) ?? 0) + 1);
  };
  const luck = ledger.faulty ? kernel.next('what becomes of an original', 1) : 1;
  if (luck < 0.05) return { outcome: 'transient', message: 'busy' };
  if (luck < 0.07) return { outcome: 'rejected', code: 'invalid', message: 'no such file' };
  if (luck < 0.1) return { outcome: 'unknown', message: 'reset; nothing arrived' };
  if (luck < 0.22) {
    void kernel.sleep(kernel.between('how late an original is', 10, LATE_MS_MAX)).then(arrive);
    await life.step(kernel.between('giving up on an original takes', 5, 1_000));
    return { outcome: 'unknown', message: 'timed out; arrives later' };
  }
  const transit = kernel.sleep(kernel.between('an original takes its time', 5, 50)).then(arrive);
  await life.step(60);
  await transit;
  if (luck < 0.35) return { outcome: 'unknown', message: 'answer lost' };
  return { outcome: 'attached' };
}

/** Told Posted although the tenant wants its originals first. */
export function noteEarlyWord(records: MemoryRecords, guid: Guid): void {
  const posting = records.byGuid.get(guid)?.posting;
  if (posting && posting.reference !== null && areOpen(records, posting.id, posting.generation))
    records.violations.push(`15: ${posting.documentNumber} was told before its originals were there`);
}
