import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.js';
import { readAct } from '../../../src/cli/operate.js';
import { fakeIo, run } from './run-cli.js';

describe('a value that an option cannot take', () => {
  it.each([
    ['documents --from yesterday', '"yesterday" is not a day like 2026-01-31.'],
    ['documents --to 2026-02-30', '"2026-02-30" is not a day like 2026-01-31.'],
    ['documents -n 0', '0 is not a whole number from 1 to 500.'],
    ['audit -n 0', '0 is not a whole number from 1 to 500.'],
    ['reverse 2024-1187 --date yesterday', '"yesterday" is not a day like 2026-01-31.'],
    ['replay 2024-1187 --per-second 5000', '5000 is not a whole number from 1 to 1000.'],
    ['demo --documents abc', '"abc" is not a whole number.'],
    ['demo --documents 5', '5 is not a whole number from 10 to 20000.'],
    ['demo --timeout abc', '"abc" is not a whole number.'],
  ])('is refused before anything is done: %s', async (line, said) => {
    const { code, out, err } = await run(line.split(' '));
    expect({ code, out }).toEqual({ code: EXIT.usage, out: '' });
    expect(err).toContain(said);
    expect(err).not.toContain('Unexpected');
  });

  it.each([
    ['difficulty=hard', 'difficulty is one of tidy, everyday, troubled, not "hard".'],
    ['trade=xyz', /trade is one of \w+, .*, not "xyz"\./],
    ['from=yesterday', 'from is a day such as 2026-01-31, not "yesterday".'],
    ['postedBefore=2026-13-01', 'postedBefore is a day such as 2026-01-31, not "2026-13-01".'],
  ])('of a company of the sandbox is refused with what would be right: %s', async (account, said) => {
    const { code, err } = await run(['sandbox', '--port', '0', '--account', account]);
    expect(code).not.toBe(EXIT.ok);
    expect(err).toMatch(said);
    expect(err).not.toContain('Unexpected');
  });
});

describe('who acts', () => {
  const actor = async (env: Record<string, string>, by?: string) =>
    (await readAct(fakeIo({ env }).io, { reason: 'a test', ...(by === undefined ? {} : { by }) })).actor;

  it('is the person who is named, then the user of the shell, then the user of the process', async () => {
    expect(await actor({ USER: 'sigga' }, 'Guðrún')).toBe('Guðrún');
    expect(await actor({ USER: 'sigga', LOGNAME: 'anna' })).toBe('sigga');
    expect(await actor({ LOGNAME: 'anna' })).toBe('anna');
    expect(await actor({})).toBe(userInfo().username);
  });
});
