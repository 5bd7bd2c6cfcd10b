// Two origins that watch one folder would each send what is in it, and write into the same results.
import { expect, test } from 'vitest';
import { changed, GOOD, problemsOf } from './tenant-directory.js';

const origins = (...lines: readonly string[]) =>
  `outgoing:\n  origins:\n${lines.map((line) => `    - ${line}\n`).join('')}`;
const OTHER = changed(
  ['name: hraun', 'name: fjordur'],
  ['hraun.journal', 'fjordur.journal'],
  ['username: hraun', 'username: fjordur'],
);

test.each([
  ['of one company', '{ name: b, type: folder, directory: ../orders/ }'],
  ['of another type', '{ name: b, type: receipts, directory: ./../orders }'],
])('a folder that two origins watch is refused at both, with both: %s', async (_how, second) => {
  const text = GOOD + origins('{ name: a, type: folder, directory: ../orders }', second);
  expect(await problemsOf({ 'hraun.yaml': text })).toEqual([
    expect.stringMatching(
      /^hraun\.yaml:19:\d+: error: outgoing\.origins\.0\.directory: The origin b watches this folder as well\. Give each origin a folder of its own/,
    ),
    expect.stringMatching(
      /^hraun\.yaml:20:\d+: error: outgoing\.origins\.1\.directory: The origin a watches this folder as well\./,
    ),
  ]);
});

test('a folder that two companies watch is refused in both files', async () => {
  const problems = await problemsOf({
    'hraun.yaml': GOOD + origins('{ name: a, type: folder, directory: ../orders }'),
    'fjordur.yaml': OTHER + origins('{ name: a, type: folder, directory: ../orders }'),
  });
  expect(problems).toEqual([
    expect.stringContaining('The origin a in hraun.yaml watches this folder as well.'),
    expect.stringContaining('The origin a in fjordur.yaml watches this folder as well.'),
  ]);
});

test('folders beside each other, and origins without one, are not', async () => {
  const apart = origins(
    '{ name: a, type: folder, directory: ../orders }',
    '{ name: b, type: receipts, directory: ../orders/receipts }',
    '{ name: c, type: hours, customers: {} }',
  );
  const problems = await problemsOf({ 'hraun.yaml': GOOD + apart });
  expect(problems.filter((problem) => problem.includes('watches this folder'))).toEqual([]);
});
