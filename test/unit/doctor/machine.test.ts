import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDataDirectory, checkVersions, judgeRoom } from '../../../src/cli/doctor/check-machine.js';
import { emptyDirectory } from '../cli/run-cli.js';

const GIB = 1024 ** 3;

describe('the doctor on the machine', () => {
  it('knows which Node is too old', () => {
    const severity = (node: string) => checkVersions(node).at(-1)?.severity;
    expect(['20.18.1', '18.20.0', '20.19.0', '22.0.0'].map(severity)).toEqual(['error', 'error', 'ok', 'ok']);
  });

  it('warns of a disk that fills up and calls a full one an error, with the fix', () => {
    expect([GIB / 8, GIB, 50 * GIB].map((bytes) => judgeRoom('/data', bytes).severity)).toEqual([
      'error',
      'warning',
      'ok',
    ]);
    expect(judgeRoom('/data', 0).remedy).toContain('LEDGERBRIDGE_DATA');
  });

  it('looks at where a data directory will be made before it is there', async () => {
    const directory = join(await emptyDirectory(), 'not', 'yet', 'made');
    expect(await checkDataDirectory(directory)).toMatchObject([
      { area: 'machine', message: expect.stringContaining(directory) as string },
    ]);
  });

  it('says when the data directory cannot be one', async () => {
    const inTheWay = join(await emptyDirectory(), 'data');
    await writeFile(inTheWay, '');
    const [finding] = await checkDataDirectory(inTheWay);
    expect(finding).toMatchObject({
      severity: 'error',
      remedy: expect.stringContaining('LEDGERBRIDGE_DATA') as string,
    });
  });
});
