import { describe, expect, test } from 'vitest';
import { Opened } from '../../../src/bridge/opened.js';

describe('what was opened', () => {
  test('closes in the opposite order, once', async () => {
    const opened = new Opened();
    const closed: string[] = [];
    for (const part of ['database', 'queues', 'workers']) opened.add(part, (name) => closed.push(name));
    await opened.close();
    await opened.close();
    expect(closed).toEqual(['workers', 'queues', 'database']);
  });

  test('closes whole although some of it cannot be closed, and says all that failed', async () => {
    const opened = new Opened();
    const closed: string[] = [];
    const failing = (word: string) => () => {
      closed.push(word);
      throw new Error(word);
    };
    opened.add(null, failing('database'));
    opened.start({ stop: () => Promise.resolve(closed.push('queues')) });
    opened.add(null, failing('workers'));
    await expect(opened.close()).rejects.toMatchObject({
      errors: [{ message: 'workers' }, { message: 'database' }],
    });
    expect(closed).toEqual(['workers', 'queues', 'database']);
  });
});
