import { describe, expect, it } from 'vitest';
import { seldom } from '../../../src/telemetry/log.js';

describe('what goes wrong again and again', () => {
  it('is one line a minute, which says how many were left out', () => {
    const lines: unknown[] = [];
    let now = 0;
    const say = seldom(
      (facts, message) => lines.push({ message, leftOut: facts['leftOut'] }),
      () => now,
    );
    for (; now < 150_000; now += 250)
      say({ err: new Error(`connect ECONNREFUSED 127.0.0.1:${5000 + now}`) }, 'background work failed');
    expect(lines).toEqual([
      { message: 'background work failed', leftOut: undefined },
      { message: 'background work failed', leftOut: 239 },
      { message: 'background work failed', leftOut: 239 },
    ]);
  });

  it('keeps nothing else from being said at once', () => {
    const lines: string[] = [];
    const say = seldom(
      (_facts, message) => lines.push(message),
      () => 0,
    );
    say({ err: new Error('away') }, 'one');
    say({ err: new Error('away') }, 'another');
    say({ err: new Error('full') }, 'one');
    expect(lines).toEqual(['one', 'another', 'one']);
  });
});

it('says of each company that its work failed, however alike the failures are', () => {
  const said: unknown[] = [];
  const say = seldom(
    (facts) => said.push(facts['tenant']),
    () => 0,
  );
  for (const tenant of ['a', 'b', 'a', 'b', 'c']) say({ tenant, err: new Error('away') }, 'work failed');
  expect(said).toEqual(['a', 'b', 'c']);
});
