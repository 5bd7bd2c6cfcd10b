// The rules that `map` goes by: a bundled name, a file of complete rules, or one that says only what differs.
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CodedError } from '../domain/errors/coded-error.js';
import { parseRules, tenantRules, type TenantRules } from '../pipeline/mapping/rules.js';
import { readYaml, type YamlFile } from '../tenants/read-yaml.js';
import { BUNDLED_RULES, layerRules } from '../tenants/rules-layers.js';
import type { TenantProblem } from '../tenants/tenant.js';

/** What a tenant file has beside its rules. */
const TENANT_KEYS = ['rules', 'source', 'erp'];
const LAYERS_MAX = 10;
const PROBLEMS_SHOWN_MAX = 10;

/** A path, or the name of rules that come with ledgerbridge. JSON is YAML, so one reader takes both. */
export async function readRules(name: string, cwd: string): Promise<TenantRules> {
  const isBundled = /^[a-z-]+$/.test(name) && !(await exists(resolve(cwd, name)));
  const file = isBundled ? resolve(BUNDLED_RULES, `${name}.yaml`) : resolve(cwd, name);
  const read = await readYaml(file);
  if (read.outcome === 'unreadable') {
    const problems = written(read.problems, file);
    throw new CodedError('MAPPING_RULES_UNREADABLE', `${name} cannot be read as rules:\n${problems}`);
  }
  return completeRules(name, read.yaml);
}

/** Complete rules are taken as they are. What says less is laid over the rules that it extends, as a tenant's are. */
async function completeRules(name: string, yaml: YamlFile): Promise<TenantRules> {
  const whole = tenantRules.safeParse(yaml.value);
  if (whole.success) return whole.data;
  if (!isTable(yaml.value)) return parseRules(yaml.value, name);
  const root = TENANT_KEYS.some((key) => Object.hasOwn(yaml.value as object, key)) ? ['rules'] : [];
  const misnamed = checkExtends(yaml, root);
  const { rules, problems } = misnamed ?? (await layerRules(yaml, root));
  if (rules) return rules;
  throw new CodedError(
    'MAPPING_RULES_INVALID',
    `${name} does not hold valid rules:\n${written(problems, yaml.file)}`,
  );
}

/** In a tenant file its own schema says this; a file of rules alone is read by nobody else. */
function checkExtends(
  yaml: YamlFile,
  root: readonly string[],
): { rules: null; problems: TenantProblem[] } | null {
  const path = [...root, 'extends'];
  const named = path.reduce<unknown>((value, key) => (isTable(value) ? value[key] : undefined), yaml.value);
  const isList = Array.isArray(named) && named.every((entry) => typeof entry === 'string');
  if (named === undefined || (isList && named.length <= LAYERS_MAX)) return null;
  const place = { file: yaml.file, ...yaml.locate(path), path: path.join('.') };
  const message = 'It must be a list of bundled names or relative files, ten at most.';
  return {
    rules: null,
    problems: [{ severity: 'error', ...place, message, remedy: 'Write it as [default].' }],
  };
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function written(problems: readonly TenantProblem[], file: string): string {
  return problems
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map((problem) => {
      const elsewhere = problem.file === file ? '' : `${problem.file} `;
      const path = problem.path === '' ? '' : ` ${problem.path}:`;
      return `  ${elsewhere}line ${String(problem.line)}:${path} ${problem.message} ${problem.remedy}`;
    })
    .join('\n');
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
