// What an editor says must agree with what the bridge says.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatProblem } from '../../../src/tenants/format-problem.js';
import { allErpAdapters } from '../../../src/erp/registry.js';
import { tenantJsonSchema } from '../../../src/cli/generated-files.js';
import { loadTenants } from '../../../src/tenants/load-tenants.js';
import { changed, GOOD, load, PAPER_LEDGER, tenantDirectory } from './tenant-directory.js';

const EXAMPLES = fileURLToPath(new URL('../../../config/examples', import.meta.url));

function editor(schema: object): (text: string) => boolean {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return (text) => validate(parse(text));
}

describe('the JSON Schema for editors', () => {
  const accepts = editor(tenantJsonSchema([PAPER_LEDGER]));

  it('accepts what the bridge accepts', () => {
    expect(accepts(GOOD)).toBe(true);
    expect(accepts(`${GOOD}  cost: {codes: {'2443': {account: '6720'}}}\n`)).toBe(true);
  });

  it.each([
    ['a misspelt key', changed(['title:', 'titel:'])],
    ['a maintenance code for production', changed(['  auth:', '  maintenanceCode: env:X\n  auth:'])],
    ['a secret written out', changed(['env:HRAUN_API_KEY', 'hunter2'])],
    ['an unknown adapter', changed(['paper-ledger', 'sap'])],
    ['a misspelt adapter setting', changed(['    file:', '    fil:'])],
    ['an account without quotes', `${GOOD}  accounts: {bank: 1910}\n`],
    ['a misspelt rule', `${GOOD}  cost: {codez: {}}\n`],
    ['a date that is none', changed(['2026-01-01', 'soon'])],
  ])('refuses %s, as the bridge does', async (_what, text) => {
    expect(accepts(text)).toBe(false);
    const { problems } = await load(await tenantDirectory({ 'hraun.yaml': text }));
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe('the example files', () => {
  it('are all good, to the bridge and to an editor', async () => {
    const { problems, tenants } = await loadTenants(EXAMPLES);
    expect(problems.map((problem) => formatProblem(problem, EXAMPLES))).toEqual([]);
    expect(tenants.length).toBeGreaterThanOrEqual(3);
    const accepts = editor(tenantJsonSchema(await allErpAdapters()));
    for (const name of readdirSync(EXAMPLES)) {
      const text = readFileSync(join(EXAMPLES, name), 'utf8');
      expect(text, name).toMatch(/^# yaml-language-server: \$schema=\.\.\/tenant\.schema\.json\n/);
      expect(accepts(text), name).toBe(true);
    }
  });
});
