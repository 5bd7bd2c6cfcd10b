// The command as a process: exit codes, pipes and signals as a shell sees them.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHIPPED } from '../../support/program.js';
import { emptyDirectory } from '../../unit/cli/run-cli.js';

function ledgerbridge(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [SHIPPED, ...args], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

describe('the command as a process', () => {
  it('works on an empty machine and says what to do first', async () => {
    const cwd = await emptyDirectory();
    const missing = await ledgerbridge(['tenant', 'validate'], cwd);
    expect(missing.code).toBe(3);
    expect(missing.out).toContain('Create it, or point LEDGERBRIDGE_CONFIG to the right place.');
    const facts = ['--registration-no', '5402696029', '--base-url', 'https://invoicing.example'];
    expect((await ledgerbridge(['tenant', 'init', 'hraun', ...facts], cwd)).code).toBe(0);
    const valid = await ledgerbridge(['tenant', 'validate', '--json'], cwd);
    expect(JSON.parse(valid.out)).toMatchObject({ valid: true, tenants: 1 });
    expect(valid).toMatchObject({ code: 0, err: '' });
  });

  it('exits with 3 for broken files, 2 for usage, 4 for an unknown tenant', async () => {
    const cwd = await emptyDirectory();
    await writeFile(join(cwd, 'x.yaml'), 'name: [\n');
    const [broken, usage, unknown] = await Promise.all([
      ledgerbridge(['tenant', 'validate', '-d', '.'], cwd),
      ledgerbridge(['tenant', 'shwo'], cwd, {}),
      ledgerbridge(['tenant', 'show', 'nobody', '-d', '.'], cwd),
    ]);
    expect([broken.code, usage.code, unknown.code]).toEqual([3, 2, 4]);
    expect(usage.err).toContain('(Did you mean show?)');
  });

  it('refuses settings that cannot be used before it does anything', async () => {
    const { code, err } = await ledgerbridge(['tenant', 'list'], await emptyDirectory(), {
      LEDGERBRIDGE_PORT: 'x',
    });
    expect(code).toBe(2);
    expect(err).toContain('LEDGERBRIDGE_PORT: must be a whole number');
  });
});
