// A disk of its own that can be filled up: a small file system in memory, where the system lets us mount one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly directory: string;
  /** Not a byte is left. */
  fill(): void;
  free(): void;
  close(): void;
}

/** null: nobody may mount here. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const directory = mkdtempSync(join(tmpdir(), 'ledgerbridge-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', directory], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(directory, { recursive: true });
    return null;
  }
  const filler = (size: number) => join(directory, `filler-${size}`);
  const SIZES = [1 << 26, 1 << 24, 1 << 20, 1 << 16, 1 << 12];
  return {
    directory,
    fill: () => {
      for (const size of SIZES)
        try {
          for (;;) writeFileSync(filler(size), Buffer.alloc(size), { flag: 'a' });
        } catch {
          // Full for pieces of this size.
        }
    },
    free: () => {
      for (const size of SIZES) rmSync(filler(size), { force: true });
    },
    close: () => {
      execFileSync('umount', ['-l', directory]);
      rmSync(directory, { recursive: true });
    },
  };
}
