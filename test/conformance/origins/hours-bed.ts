// Hours that stand at the service, as a bed of the suite: a task of a customer of its own is one record.
import type { OriginBed, OriginTarget } from '../../../src/origins/conformance/target.js';
import { TELLING_TEXT } from '../../../src/origins/conformance/target.js';
import { BillableHours, type BillableTask } from '../../../src/origins/billable-hours.js';
import { kennitalaOf } from './records.js';

const LOOK_MS = 15 * 60 * 1_000;
const SETTINGS = {
  bill: 'draft',
  period: 'month',
  since: '2026-10-01',
  afterDays: 3,
  endTasks: true,
} as const;

function taskOf(record: number, version: 1 | 2, kennitala = kennitalaOf(record)): BillableTask {
  const logs = [{ guid: `log-${String(record)}`, date: '2026-10-05', hours: '2', writtenOn: '2026-10-05' }];
  return {
    ...{ guid: `task-${String(record)}`, number: String(record), name: TELLING_TEXT, kennitala },
    ...{ customerName: 'Prufa ehf.', description: '', unitPrice: '10000', tax: 'S' },
    ...{ isInvoiced: false, invoicedUntil: null },
    logs:
      version === 1
        ? logs
        : [
            ...logs,
            { guid: `more-${String(record)}`, date: '2026-10-06', hours: '1', writtenOn: '2026-10-06' },
          ],
  };
}

function hoursBed(): Promise<OriginBed> {
  const tasks = new Map<number, BillableTask>();
  let isAway = false;
  let now = Date.parse('2026-11-04T08:00:00Z');
  const source = {
    tasks: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([...tasks.values()])),
    end: () => Promise.resolve(),
  };
  const BAD = 900;
  return Promise.resolve({
    connect: () =>
      Promise.resolve(new BillableHours('billing', SETTINGS, source, { now: () => new Date(now) })),
    put: (record, version = 1) => {
      tasks.set(record, taskOf(record, version));
      return Promise.resolve(`hours 2026-10 ${kennitalaOf(record)}`);
    },
    remove: (record) => Promise.resolve(void tasks.delete(record)),
    putBad: () => Promise.resolve(void tasks.set(BAD, taskOf(BAD, 1, ''))),
    mendBad: () => Promise.resolve(void tasks.delete(BAD)),
    ripen: () => Promise.resolve(void (now += LOOK_MS)),
    outage: () => Promise.resolve(void (isAway = true)),
    heal: () => Promise.resolve(void (isAway = false)),
    toldOf: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  });
}

export const HOURS_TARGET: OriginTarget = {
  ...{ name: 'hours at the service', kind: 'draft', holds: [], open: hoursBed },
};
