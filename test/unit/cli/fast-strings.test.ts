// In a process of its own: whatever else was loaded in this one has its say in how strings are kept.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';

const { code } = transformSync(readFileSync('src/cli/fast-strings.ts', 'utf8'), { loader: 'ts' });

it('the library of Redis makes all strings slow, and they are fast again in a process that runs long', () => {
  const program = `${code}
    const said = [];
    const look = () => said.push(%HasFastProperties(String.prototype));
    look();
    await import('ioredis');
    look();
    makeStringsFast();
    look();
    console.log(JSON.stringify(said));`;
  const args = ['--allow-natives-syntax', '--input-type=module', '--eval', program];
  const said = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual([true, false, true]);
});
