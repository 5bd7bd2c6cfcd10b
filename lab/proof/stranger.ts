// Somebody puts the credentials of another company into the tenant file, and puts it right some minutes later. Its documents are no
// business of this tenant, and its own look deleted meanwhile.
import type { InvoicingSource } from '../../src/service/invoicing-source.js';
import { AccountCheck } from '../../src/service/account-check.js';
import { SourceAround } from '../../src/service/source-around.js';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import { incident } from '../../src/language/incidents/incident-text.js';
import type { Kernel } from './kernel.js';
import type { Life } from './life.js';
import type { MemoryRecords } from './memory-records.js';
import { SimulatedService } from './simulated-source.js';

const STRANGER = { name: 'annad', account: '5501012420' };

export interface Stranger {
  readonly service: SimulatedService;
  /** Until when the file has its credentials, from when. */
  readonly stays: { readonly from: number; until: number }[];
}

export function strangerOf(kernel: Kernel): Stranger {
  return { service: new SimulatedService(kernel, {}, STRANGER), stays: [] };
}

/** With what a process reads in the file that long after it was edited. */
export function hasStrayed({ stays }: Stranger, readMs: number): boolean {
  return stays.some(({ from, until }) => from <= readMs && readMs < until);
}

/** As the client of the service does (service/connect-source.ts). */
export function ownAccountOnly(source: InvoicingSource, records: MemoryRecords, life: Life): InvoicingSource {
  const check = new AccountCheck({
    authorize: () => Promise.resolve({ version: 0 }),
    ask: async () => {
      const identity = await source.hello();
      await mustBe(records, life, identity.registrationNo);
      return identity;
    },
    signedInSince: () => Promise.resolve(false),
  });
  return new SourceAround(source, {
    around: async (call, act) => {
      if (call !== 'hello') await check.authorize();
      return act();
    },
  });
}

/** With the semantics of store/tenant-store.ts. */
async function mustBe({ company, incidents, flaws, kernel }: MemoryRecords, life: Life, opened: string) {
  await life.step(1);
  if (opened === company.account || flaws.ignoreAccount === true) return;
  const params = { tenant: company.name, known: company.account, opened };
  const alarm = incident('SOURCE_ACCOUNT_CHANGED', params, {
    severity: 'critical',
    fingerprint: company.name,
  });
  incidents.set(alarm.fingerprint, alarm);
  kernel.note('another account is refused');
  throw new CodedError('SOURCE_ACCOUNT_CHANGED', 'another account');
}
