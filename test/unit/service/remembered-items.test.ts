import { expect, test } from 'vitest';
import type { SourceItem } from '../../../src/service/invoicing-source.js';
import { RememberedItems } from '../../../src/service/whole-lists.js';

function scene() {
  let nowMs = 0;
  const asked: string[] = [];
  const items = new RememberedItems({ now: () => new Date(nowMs) });
  const ask = (guid: string, item: SourceItem | null = { guid, itemNumber: 'V1', category: 'Vörur' }) =>
    items.get(guid, () => {
      asked.push(guid);
      return Promise.resolve(item);
    });
  return { asked, ask, pass: (minutes: number) => (nowMs += minutes * 60_000) };
}

test('an item is read once for all invoices of the next ten minutes', async () => {
  const { ask, asked, pass } = scene();
  await ask('a');
  pass(9);
  expect(await ask('a')).toEqual({ guid: 'a', itemNumber: 'V1', category: 'Vörur' });
  expect(asked).toEqual(['a']);
});

test('a changed category is followed after ten minutes', async () => {
  const { ask, pass } = scene();
  await ask('a');
  pass(10);
  expect(await ask('a', { guid: 'a', itemNumber: 'V1', category: 'Þjónusta' })).toMatchObject({
    category: 'Þjónusta',
  });
});

test('an item that was not there is asked for again', async () => {
  const { ask, asked } = scene();
  expect(await ask('a', null)).toBeNull();
  expect(await ask('a')).not.toBeNull();
  expect(asked).toEqual(['a', 'a']);
});

test('no more than 5,000 are kept: the one that was read longest ago goes', async () => {
  const { ask, asked } = scene();
  for (let each = 0; each <= 5_000; each++) await ask(`item-${each}`);
  asked.length = 0;
  await ask('item-5000');
  await ask('item-1');
  await ask('item-0');
  expect(asked).toEqual(['item-0']);
});
