import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closedParent } from '../../../src/store/embedded/server-user.js';

const root = mkdtempSync(join(tmpdir(), 'lb-closed-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const stranger = { uid: 54_321, gid: 54_321 };
const inner = join(root, 'a', 'b');
mkdirSync(inner, { recursive: true });

describe('the way to a file', () => {
  it('is closed to a stranger at the first directory that lets only its owner through', () => {
    chmodSync(root, 0o700);
    expect(closedParent(join(inner, 'file'), stranger)).toBe(root);
    expect(closedParent(join(inner, 'file'), me)).toBeNull();
  });

  it('is open when every directory may be passed through, listed or not', () => {
    chmodSync(root, 0o711);
    expect(closedParent(join(inner, 'file'), stranger)).toBeNull();
  });

  it('is open to the group of a directory', () => {
    chmodSync(root, 0o710);
    expect(closedParent(join(inner, 'file'), { ...stranger, gid: me.gid })).toBeNull();
    expect(closedParent(join(inner, 'file'), stranger)).toBe(root);
  });
});
