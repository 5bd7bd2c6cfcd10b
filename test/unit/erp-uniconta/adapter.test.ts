// What is particular to an ERP that only its own people can post in: lines wait, are found there, and are found again when posted.
import { describe, expect, it } from 'vitest';
import { freshKey, purchase, sale } from '../../../lab/kit/conformance/journals.js';
import { compareEntry } from '../../../src/erp/compare-entry.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { collect } from '../../support/fakes/fake-services.js';
import { connected } from './connected.js';

describe('Uniconta adapter', () => {
  it('shows a document as a draft until people post the journal, and then as it was sent', async () => {
    const { fake, adapter } = await connected();
    for (const journal of [sale(FAKE_CHART), purchase(FAKE_CHART)]) {
      const key = freshKey();
      const prepared = await adapter.prepare({ key, journal });
      if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
      expect(await adapter.post(prepared.prepared)).toMatchObject({ outcome: 'draft' });
      expect(await adapter.findByKey(key)).toMatchObject({ outcome: 'one', entry: { state: 'draft' } });
      fake.postJournal();
      const found = await adapter.findByKey(key);
      if (found.outcome !== 'one') throw new Error(JSON.stringify(found));
      expect(found.entry.state).toBe('posted');
      expect(compareEntry(journal, found.entry, adapter.capabilities)).toEqual([]);
      expect(await adapter.post(prepared.prepared)).toMatchObject({ outcome: 'posted' });
      const again = await adapter.findByReference(found.entry.reference.id);
      expect(again).toMatchObject({ outcome: 'one', entry: { key } });
    }
    const listed = await collect(adapter.entries({ from: FAKE_CHART.openDate, to: FAKE_CHART.openDate }));
    expect(listed.map(({ state }) => state)).toEqual(['posted', 'posted']);
    expect(fake.lines).toEqual([]);
  });

  it('sees a list that was taken twice as two, also when one of the two is posted', async () => {
    const { fake, adapter } = await connected();
    const key = freshKey();
    const prepared = await adapter.prepare({ key, journal: sale(FAKE_CHART) });
    if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
    await adapter.post(prepared.prepared);
    fake.lines.push(...fake.lines.map((line) => ({ ...line, insertion: 99 })));
    expect(await adapter.findByKey(key)).toMatchObject({ outcome: 'many', entries: [{}, {}] });
    fake.postJournal();
    expect(await adapter.findByKey(key)).toMatchObject({ outcome: 'many', entries: [{}, {}] });
    expect(await adapter.post(prepared.prepared)).toMatchObject({ outcome: 'rejected', code: 'duplicate' });
  });

  it('refuses another company, a journal that is not there, and books that are not in krónur', async () => {
    const { adapter } = await connected();
    expect(await adapter.health()).toMatchObject({ outcome: 'healthy', company: 'Prufufélagið ehf.' });
    for (const [over, code] of [
      [{ company: '6612345670' }, 'wrong-company'],
      [{ journal: 'LAUN' }, 'invalid'],
    ] as const) {
      const { adapter: other } = await connected(over);
      expect(await other.health()).toMatchObject({ outcome: 'rejected', code });
    }
  });
});
