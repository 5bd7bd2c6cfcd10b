import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryVault } from '../../../src/originals/directory-vault.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-vault-'));
});
afterEach(() => rm(directory, { recursive: true }));

const content = Buffer.from('%PDF-1.4 reikningur');
const sha256 = createHash('sha256').update(content).digest('hex');
const pathOf = () => join(directory, sha256.slice(0, 2), sha256.slice(2, 4), sha256);

describe('the directory of originals', () => {
  it('keeps a file under the hash of its bytes, once, readable by nobody else', async () => {
    const vault = directoryVault(directory);
    const all = await Promise.all(Array.from({ length: 8 }, () => vault.put(content)));
    expect(new Set(all.map((each) => each.sha256))).toEqual(new Set([sha256]));
    expect(await readdir(join(directory, sha256.slice(0, 2), sha256.slice(2, 4)))).toEqual([sha256]);
    expect((await stat(pathOf())).mode & 0o077).toBe(0);
    expect(await vault.read(sha256)).toEqual({ outcome: 'whole', content });
    await vault.remove(sha256);
    await vault.remove(sha256);
    expect(await vault.check(sha256)).toBe('missing');
  });

  it('says when one is gone or changed, and takes it anew from whoever still has it', async () => {
    const vault = directoryVault(directory);
    expect(await vault.check(sha256)).toBe('missing');
    expect(await vault.read(sha256)).toEqual({ outcome: 'missing' });
    await vault.put(content);
    await writeFile(pathOf(), 'something else');
    expect(await vault.check(sha256)).toBe('changed');
    expect(await vault.read(sha256)).toEqual({ outcome: 'changed' });
    await vault.put(content);
    expect(await vault.check(sha256)).toBe('whole');
  });

  it('takes no name from outside', async () => {
    const vault = directoryVault(directory);
    for (const name of ['../../x.pdf', '', 'AB'.repeat(32), `${sha256}/..`])
      await expect(async () => vault.check(name)).rejects.toThrow(RangeError);
  });

  it('leaves nothing half-written under a name when the disk refuses', async () => {
    const file = join(directory, 'not-a-directory');
    await writeFile(file, '');
    await expect(directoryVault(file).put(content)).rejects.toThrow();
  });
});
