import { describe, expect, test } from 'vitest';
import { toldAs } from '../../../lab/proof/command.js';
// The command loads the worlds when it runs; here they are loaded before, so that no test waits for that.
import '../../../lab/proof/campaign.js';
import type { CampaignState } from '../../../lab/proof/campaign.js';
import { run } from './run-cli.js';

const state = (runs: number, ...broken: string[]): CampaignState => ({
  ...{ runs, events: 0, made: 0, entries: 0 },
  failures: broken.map((one, index) => ({
    seed: 40 + index,
    options: { seed: 40 + index, erp: 'none' },
    broken: [one, 'another'],
  })),
});

describe('a search for broken promises', () => {
  test('names a broken world in the moment in which it is found, once, and says how long it will take', () => {
    const said: string[] = [];
    let seconds = 4;
    const told = toldAs(
      { err: (text) => void said.push(text) },
      { seeds: 100, minutes: Infinity },
      () => seconds,
    );
    told(state(20));
    seconds = 4.1;
    told(state(21, '1: 2 entries for 1007'));
    seconds = 6.2;
    told(state(31, '1: 2 entries for 1007', '9: 1001 is Error'));
    expect(said).toEqual([
      '20 of 100 worlds, 5.0 a second, 0 broken, about 16 s left\n',
      'seed 40 breaks a promise: 1: 2 entries for 1007\n',
      'seed 41 breaks a promise: 9: 1001 is Error\n',
      '31 of 100 worlds, 5.0 a second, 2 broken, about 14 s left\n',
    ]);
  });

  test('ends with the minutes that it was given, if those are over first', () => {
    const said: string[] = [];
    toldAs({ err: (text) => void said.push(text) }, { seeds: 100_000, minutes: 5 }, () => 60)(state(300));
    expect(said).toEqual(['300 of 100000 worlds, 5.0 a second, 0 broken, about 4 min left\n']);
  });
});

test('simulate reports as JSON, and its progress beside it', async () => {
  const { code, out, err } = await run(['simulate', '--seeds', '2', '--max-failures', '1', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ runs: 2, broken: [] });
  expect(err).toMatch(/^1 of 2 worlds, .* 0 broken, about \d+ s left\n/);
});

test('simulate has items in its worlds where they are asked for, and where they can go', async () => {
  // One of the small worlds: some take three times as long.
  const world = ['simulate', '--seed', '6', '--direction', 'out', '--trace'];
  expect((await run([...world, '--items', '3'])).out).toMatch(/create item/);
  expect(await run(['simulate', '--items', '3'])).toMatchObject({
    err: expect.stringContaining('add --direction out or both') as string,
  });
});

test('simulate stops after one broken world at the earliest', async () => {
  expect(await run(['simulate', '--max-failures', '0'])).toMatchObject({
    err: expect.stringContaining('A whole number from 1 to 100000 is needed.') as string,
  });
});
