// The rules that `map` goes by: a bundled name, a file of complete rules, or one that says only what differs.
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CodedError } from '../domain/errors/coded-error.js';
import type { TenantRules } from '../pipeline/mapping/rules.js';
import { completeRules, writtenProblems } from '../tenants/given-rules.js';
import { readYaml } from '../tenants/read-yaml.js';
import { BUNDLED_RULES } from '../tenants/rules-layers.js';

/** A path, or the name of rules that come with ledgerbridge. JSON is YAML, so one reader takes both. */
export async function readRules(name: string, cwd: string): Promise<TenantRules> {
  const isBundled = /^[a-z-]+$/.test(name) && !(await exists(resolve(cwd, name)));
  const file = isBundled ? resolve(BUNDLED_RULES, `${name}.yaml`) : resolve(cwd, name);
  const read = await readYaml(file);
  if (read.outcome === 'unreadable') {
    const problems = writtenProblems(read.problems, file);
    throw new CodedError('MAPPING_RULES_UNREADABLE', `${name} cannot be read as rules:\n${problems}`);
  }
  return completeRules(name, read.yaml);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
