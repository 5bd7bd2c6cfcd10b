import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERP_ADAPTER_NAMES } from '../../../src/erp/registry.js';
import { loadTenants } from '../../../src/tenants/load-tenants.js';
import { emptyDirectory, run } from './run-cli.js';

const SECRETS = { api_key: 'c4n4ry-key', maintenance_code: 'c4n4ry-code' };
const FILLED_IN = ['--registration-no', '540269-6029', '--base-url', 'https://invoicing.example'];

async function withTenant(secrets: Readonly<Record<string, string>> = {}): Promise<string> {
  const cwd = await emptyDirectory();
  const development = ['--title', 'Hraun slf.', '--environment', 'development'];
  await run(['tenant', 'init', 'hraun', ...development, ...FILLED_IN], { cwd });
  await mkdir(join(cwd, 'config/secrets/hraun'), { recursive: true });
  for (const [name, secret] of Object.entries(secrets))
    await writeFile(join(cwd, 'config/secrets/hraun', name), secret, { mode: 0o600 });
  return cwd;
}

describe('tenant init', () => {
  it('writes a commented file that is valid once everything is filled in', async () => {
    const cwd = await withTenant(SECRETS);
    const text = await readFile(join(cwd, 'config/tenants/hraun.yaml'), 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=.*tenant\.schema\.json\n/);
    const { code, out } = await run(['tenant', 'validate'], { cwd });
    expect({ code, out }).toEqual({ code: 0, out: '1 tenant file: all good.\n' });
  });

  it('leaves no placeholder that would pass for a value: each is told at once, with its line', async () => {
    const cwd = await emptyDirectory();
    await run(['tenant', 'init', 'hraun', '--adapter', 'tryton'], { cwd });
    const { code, out } = await run(['tenant', 'validate'], { cwd });
    expect(code).toBe(3);
    const lines = (await readFile(join(cwd, 'config/tenants/hraun.yaml'), 'utf8')).split('\n');
    const left = lines.flatMap((line, index) =>
      /^\s*\w+: '?</.test(line) ? [`config/tenants/hraun.yaml:${String(index + 1)}:`] : [],
    );
    expect(left.length).toBeGreaterThanOrEqual(5);
    const told = out.split('\n').filter((line) => line.includes('is not filled in.'));
    expect(told.map((line) => /^[^:]+:\d+:/.exec(line)?.[0])).toEqual(left);
    expect(told[1]).toContain('source.registrationNo: "registrationNo" is not filled in.');
    expect(out).toContain(`1 tenant file: ${String(left.length)} errors`);
    expect((await run(['tenant', 'show', 'hraun'], { cwd })).err).toContain('is not filled in.');
  });

  it('never overwrites', async () => {
    const cwd = await withTenant();
    await writeFile(join(cwd, 'config/tenants/hraun.yaml'), '# mine\n');
    const { code, err } = await run(['tenant', 'init', 'hraun'], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('config/tenants/hraun.yaml exists already and was left as it is.');
    expect(await readFile(join(cwd, 'config/tenants/hraun.yaml'), 'utf8')).toBe('# mine\n');
  });

  it.each(ERP_ADAPTER_NAMES)('for %s leaves nothing wrong but what has to be filled in', async (name) => {
    const cwd = await emptyDirectory();
    const init = await run(['tenant', 'init', 'hraun', '--adapter', name, ...FILLED_IN], { cwd });
    expect(init.code).toBe(0);
    const { problems } = await loadTenants(join(cwd, 'config/tenants'));
    expect(problems.filter(({ path }) => !path.startsWith('erp.settings'))).toEqual([]);
    expect(problems.filter(({ message }) => !message.endsWith('is not filled in.'))).toEqual([]);
  });

  it.each([
    [['Hraun'], 2, '"Hraun" is not a tenant name'],
    [['../x'], 2, '"../x" is not a tenant name'],
    [['hraun', '--environment', 'prod'], 2, '"prod" is not an environment: production or development.'],
    [['hraun', '--adapter', 'sap'], 1, 'There is no ERP adapter "sap".'],
  ])('refuses %j', async (args, code, said) => {
    const result = await run(['tenant', 'init', ...args], { cwd: await emptyDirectory() });
    expect(result.code).toBe(code);
    expect(result.err).toContain(said);
  });
});

describe('tenant validate', () => {
  it('says what to do when there are no tenants yet', async () => {
    const cwd = await withTenant();
    const { code, out } = await run(['tenant', 'validate', '--directory', 'config'], { cwd });
    expect(code).toBe(0);
    expect(out).toBe(
      `No tenant files in ${cwd}/config. Write the first with: ledgerbridge tenant init <name>\n`,
    );
  });

  it('shows all problems with their lines and exits with 3', async () => {
    const cwd = await withTenant(SECRETS);
    await writeFile(join(cwd, 'config/tenants/broken.yaml'), 'nam: x\n\terp: y\n');
    await writeFile(join(cwd, 'config/tenants/hraun.yml'), 'name: x\n');
    const { code, out } = await run(['tenant', 'validate'], { cwd });
    expect(code).toBe(3);
    expect(out).toBe(
      [
        'config/tenants/broken.yaml:2:1: error: The line is indented with a tab. Indent with spaces, two a level.',
        'config/tenants/hraun.yml:1:1: error: Only files that end in .yaml are read as tenants. Rename it to hraun.yaml, or move it elsewhere.',
        '2 tenant files: 2 errors, 0 warnings.\n',
      ].join('\n'),
    );
  });

  it('warns of secrets that are not set, which is no error', async () => {
    const { code, out } = await run(['tenant', 'validate'], { cwd: await withTenant() });
    expect(code).toBe(0);
    expect(out).toContain(
      'warning: source.auth.apiKey: The secret file:../secrets/hraun/api_key is not there on this machine.',
    );
  });

  it('answers machines in JSON', async () => {
    const cwd = await withTenant(SECRETS);
    const { out } = await run(['tenant', 'validate', '--json'], { cwd });
    expect(JSON.parse(out)).toEqual({ valid: true, files: 1, tenants: 1, problems: [] });
  });
});

describe('tenant list', () => {
  it('is a table for people', async () => {
    const { out } = await run(['tenant', 'list'], { cwd: await withTenant() });
    expect(out).toBe(
      [
        'NAME   TITLE       SOURCE       ERP   CUT-OVER  SCHEDULE                        PAUSED',
        'hraun  Hraun slf.  development  file  not set   */5 * * * * Atlantic/Reykjavik  no\n',
      ].join('\n'),
    );
  });

  it('still lists the good ones beside a broken one, and says so', async () => {
    const cwd = await withTenant();
    await writeFile(join(cwd, 'config/tenants/broken.yaml'), '');
    const { code, out, err } = await run(['tenant', 'list', '--json'], { cwd });
    expect(JSON.parse(out)).toMatchObject([{ name: 'hraun' }]);
    expect({ code, err }).toEqual({
      code: 3,
      err: '1 error in tenant files: run `ledgerbridge tenant validate`.\n',
    });
  });
});

describe('tenant show', () => {
  it('masks secrets and says whether they are set and where the rules come from', async () => {
    const cwd = await withTenant({ api_key: 'c4n4ry-key' });
    const { out } = await run(['tenant', 'show', 'hraun', '--rules'], { cwd });
    expect(out).toContain('apiKey: "*** (file:../secrets/hraun/api_key, set)"');
    expect(out).toContain('*** (file:../secrets/hraun/maintenance_code, not set)');
    expect(out).toContain('config/rules/default.yaml');
    expect(out).toMatch(/effective:\n {4}rounding:/);
    expect(out).not.toContain('c4n4ry');
  });

  it('says what is wrong when the file is broken, and what was meant when the name is', async () => {
    const cwd = await withTenant();
    const misspelt = await run(['tenant', 'show', 'hrau'], { cwd });
    expect(misspelt.code).toBe(4);
    expect(misspelt.err).toContain('Did you mean "hraun"?');
    await writeFile(join(cwd, 'config/tenants/hraun.yaml'), 'name: hraun\n');
    const broken = await run(['tenant', 'show', 'hraun'], { cwd });
    expect(broken.code).toBe(3);
    expect(broken.err).toContain('config/tenants/hraun.yaml:1:1: error: title: "title" is missing.');
  });
});

describe('tenant check', () => {
  it('reports both ends, though one of them is broken', async () => {
    const cwd = await withTenant(SECRETS);
    const env = { LEDGERBRIDGE_DATA: join(cwd, 'data') };
    const file = join(cwd, 'config/tenants/hraun.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('https://invoicing.example', 'http://127.0.0.1:1'));
    const { code, out } = await run(['tenant', 'check', 'hraun'], { cwd, env });
    expect(code).toBe(3);
    expect(out).toMatch(/✕ source: .*\(SOURCE_UNREACHABLE\)/);
    expect(out).toMatch(/✓ erp: the books of hraun are open/);
    expect(out).not.toContain('c4n4ry');
  });

  it('names a missing secret and nothing else', async () => {
    const cwd = await withTenant();
    const { code, out } = await run(['tenant', 'check', 'hraun', '--json'], {
      cwd,
      env: { LEDGERBRIDGE_DATA: join(cwd, 'data') },
    });
    expect(code).toBe(3);
    const { findings } = JSON.parse(out) as { findings: Record<string, unknown>[] };
    expect(findings[0]).toMatchObject({
      part: 'source',
      severity: 'error',
      message: 'The secret file:../secrets/hraun/api_key cannot be read (ENOENT). (SECRET_MISSING)',
    });
    expect(findings[1]).toMatchObject({ part: 'erp', severity: 'ok' });
  });
});
