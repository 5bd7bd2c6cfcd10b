import { expect, test } from 'vitest';
import { answer } from '../../../src/cli/answer.js';
import { table } from '../../../src/cli/table.js';
import { fakeIo } from './run-cli.js';

const TURNED = 'Reikningur \u202Efdp.exe\u2069 1.000\u200F';
const PLAIN = 'Reikningur fdp.exe 1.000';

function said(isTty: boolean, json: boolean): string {
  const { io, said } = fakeIo({ isTty });
  answer(io, { json }, { text: TURNED }, () => TURNED);
  return said().out;
}

test('a terminal shows no text in another direction than it has', () => {
  expect(said(true, false)).toBe(`${PLAIN}\n`);
  expect(said(true, true)).toContain(`"${PLAIN}"`);
  const columns = [{ title: 'Text', value: (row: string) => row }];
  expect(table({ isTty: true, columns: 80 }, columns, [TURNED])).toContain(`\n${PLAIN}\n`);
});

test('a file or another program gets every character of an answer in JSON', () => {
  expect(JSON.parse(said(false, true))).toEqual({ text: TURNED });
});
