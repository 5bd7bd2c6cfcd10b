import { expect, it } from 'vitest';
import { whenAborted } from '../../../src/http/in-time.js';

it('acts when the signal is given, once, and not any more when that was taken back', () => {
  const stop = new AbortController();
  const acts: string[] = [];
  whenAborted(stop.signal, () => acts.push('one'));
  const takeBack = whenAborted(stop.signal, () => acts.push('two'));
  whenAborted(undefined, () => acts.push('three'))();
  takeBack();
  takeBack();
  stop.abort();
  stop.abort();
  expect(acts).toEqual(['one']);
});
