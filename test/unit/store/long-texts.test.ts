import { describe, expect, it } from 'vitest';
import { LongTexts } from '../../../src/store/commit.js';

describe('long texts beside the rows of a statement', () => {
  it('are numbered as SQL counts, and what is absent has no number', () => {
    const long = new LongTexts();
    expect([long.add('"a"'), long.add(undefined), long.add(null), long.add('"b"')]).toEqual([
      1,
      undefined,
      undefined,
      2,
    ]);
    expect(long.joined()).toBe('"a"\u001e"b"');
  });

  it('are none when nothing was added', () => {
    const long = new LongTexts();
    long.add(null);
    expect(long.isEmpty).toBe(true);
    long.add('{}');
    expect(long.isEmpty).toBe(false);
  });

  it('stay apart and mean the same, whatever a document has in it', () => {
    const texts = ['a\u001eb', '\\', 'a\\\u001e"', 'ý\n\t{}'];
    const long = new LongTexts();
    // Not as JSON.stringify would write them: a separator that came in as it is.
    for (const text of texts) long.add(JSON.stringify(text).replaceAll(String.raw`\u001e`, '\u001e'));
    expect(
      long
        .joined()
        .split('\u001e')
        .map((text) => JSON.parse(text) as unknown),
    ).toEqual(texts);
  });
});
