import { describe, expect, it } from 'vitest';
import { ReadBefore } from '../../../src/service/api-client.js';

describe('what was read before', () => {
  const counting = () => {
    let times = 0;
    const parse = (text: string) => {
      times++;
      return JSON.parse(text) as unknown;
    };
    return { parse, times: () => times };
  };

  it('is given again for the same text, and read anew for any other', () => {
    const { parse, times } = counting();
    const before = new ReadBefore();
    const first = before.parse('a', '{"status":"Created"}', parse);
    expect(before.parse('a', '{"status":"Created"}', parse)).toBe(first);
    expect(before.parse('a', '{"status":"Posted"}', parse)).toEqual({ status: 'Posted' });
    expect(before.parse('a', '{"status":"Created"}', parse)).toEqual({ status: 'Created' });
    expect(times()).toBe(3);
  });

  it('is not given to another question', () => {
    const { parse } = counting();
    const before = new ReadBefore();
    const first = before.parse('a', '{}', parse);
    expect(before.parse('b', '{}', parse)).not.toBe(first);
  });

  it('is kept of a bounded number of questions, the latest ones, and not of long texts', () => {
    const { parse, times } = counting();
    const before = new ReadBefore();
    for (let question = 0; question < 1_000; question++) before.parse(String(question), '{}', parse);
    before.parse('999', '{}', parse);
    before.parse('0', '{}', parse);
    expect(times()).toBe(1_001);
    const long = JSON.stringify('x'.repeat(100_000));
    before.parse('long', long, parse);
    before.parse('long', long, parse);
    expect(times()).toBe(1_003);
  });

  it('what cannot be read is not kept', () => {
    const { parse } = counting();
    const before = new ReadBefore();
    expect(() => before.parse('a', '{', parse)).toThrow();
    expect(() => before.parse('a', '{', parse)).toThrow();
  });
});
