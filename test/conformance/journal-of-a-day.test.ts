// The journal of a day has many parties, two lines of one of them, and no party of its own: each adapter books it, makes whom it may
// make, and reads it back; and undoes the part of one document by an entry of its own, while the rest stands.
import { expect, test } from 'vitest';
import { compareEntry } from '../../src/erp/compare-entry.js';
import { freshCustomer, freshKey, sale } from '../../lab/kit/conformance/journals.js';
import type { ConformanceTarget } from '../../lab/kit/conformance/target.js';
import type { ErpAdapter } from '../../src/erp/erp-adapter.js';
import type { Journal } from '../../src/domain/journal.js';
import { partUndone } from '../../src/operations/undo-part.js';
import { openRuleBook } from '../../src/pipeline/mapping/rules.js';
import { summarise } from '../../src/pipeline/mapping/make-journal.js';
import { sampleRules } from '../unit/mapping/build.js';
import { businessCentralTarget } from './targets/business-central.js';
import { dkPlusTarget } from './targets/dkplus.js';
import { fileTarget } from './targets/file.js';
import { httpTarget } from './targets/http.js';
import { odooTarget } from './targets/odoo.js';
import { xeroTarget } from './targets/xero.js';

const TARGETS: readonly ConformanceTarget[] = [
  businessCentralTarget,
  dkPlusTarget,
  fileTarget,
  httpTarget(),
  odooTarget,
  xeroTarget,
];

async function book(erp: ErpAdapter, key: string, journal: Journal): Promise<readonly string[]> {
  const ready = await erp.prepare({ key, journal });
  if (ready.outcome !== 'prepared') throw new Error(JSON.stringify(ready));
  const posted = await erp.post(ready.prepared);
  if (posted.outcome !== 'posted') throw new Error(JSON.stringify(posted));
  const found = await erp.findByKey(key);
  if (found.outcome !== 'one') throw new Error(JSON.stringify(found));
  expect(found.entry.reversed ?? false).toBe(false);
  return compareEntry(journal, found.entry, erp.capabilities);
}

test.each(TARGETS.map((target) => [target.name, target] as const))('%s', async (_name, target) => {
  const bed = await target.open();
  const { chart } = bed;
  const erp = await bed.connect();
  const fresh = freshCustomer(chart);
  const documents = [
    sale(chart),
    sale(chart, { net: '500', vat: '120' }),
    sale(chart, { customer: fresh }),
  ].map((journal) => ({ key: freshKey('I'), journal }));
  const name = { kind: 'invoice', day: chart.openDate, serial: 1 } as const;
  const key = `D${freshKey('I').slice(1)}`;
  try {
    expect(await book(erp, key, summarise(name, documents, openRuleBook(sampleRules)))).toEqual([]);
    expect(await bed.count(key)).toEqual({ posted: 1, drafts: 0 });
    if (bed.countParties) expect(await bed.countParties(fresh.kennitala)).toBe(1);
    const undone = partUndone(sale(chart), { date: chart.reversalDate, reason: 'rangt' });
    expect(await book(erp, freshKey('R'), undone)).toEqual([]);
    const whole = await erp.findByKey(key);
    expect(whole).toMatchObject({ outcome: 'one' });
    expect(whole.outcome === 'one' && whole.entry.reversed === true).toBe(false);
  } finally {
    await erp.close();
    await bed.close();
  }
});
