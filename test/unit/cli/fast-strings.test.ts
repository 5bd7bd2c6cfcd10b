import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { makeStringsFast } from '../../../src/cli/fast-strings.js';

setFlagsFromString('--allow-natives-syntax');
// Compiled here: the syntax is the engine's own, and no parser of TypeScript knows it.
const areFast = new Function('return %HasFastProperties(String.prototype)') as () => boolean;

describe('strings of a process that runs long', () => {
  it('are fast again after the library of Redis was loaded, which makes them slow', async () => {
    await import('ioredis');
    class OfOurs extends String {}
    expect(new OfOurs('a').length).toBe(1);
    expect(areFast()).toBe(false);

    makeStringsFast();

    expect(areFast()).toBe(true);
  });
});
