// Rules that somebody hands over and that are not in force: complete ones, or ones that say only what differs.
import { CodedError } from '../domain/errors/coded-error.js';
import { parseRules, tenantRules, type TenantRules } from '../pipeline/mapping/rules.js';
import { parseYaml, type YamlFile } from './read-yaml.js';
import { layerRules } from './rules-layers.js';
import type { TenantProblem } from './tenant.js';

/** What a tenant file has beside its rules. */
const TENANT_KEYS = ['rules', 'source', 'erp'];
const LAYERS_MAX = 10;
const PROBLEMS_SHOWN_MAX = 10;

/** Pasted into a page or sent to the API. What it extends is found as from the tenant's own file, and nowhere else. */
export async function rulesFromText(text: string, tenantFile: string): Promise<TenantRules> {
  const read = parseYaml(tenantFile, text);
  if (read.outcome === 'unreadable') {
    const problems = writtenProblems(read.problems, tenantFile);
    throw new CodedError('MAPPING_RULES_INVALID', `This cannot be read as rules:\n${problems}`);
  }
  const { value } = read.yaml;
  const inside = isTable(value) && isTable(value['rules']) ? value['rules'] : value;
  const named = isTable(inside) && Array.isArray(inside['extends']) ? (inside['extends'] as unknown[]) : [];
  if (named.some((one) => typeof one !== 'string' || !/^[\w-][\w.-]*$/.test(one)))
    throw new CodedError(
      'MAPPING_RULES_INVALID',
      'Here rules may extend bundled rules and files beside the tenant file only, by their names.',
    );
  return completeRules('What you gave', read.yaml);
}

/** Complete rules are taken as they are. What says less is laid over the rules that it extends, as a tenant's are. */
export async function completeRules(name: string, yaml: YamlFile): Promise<TenantRules> {
  const whole = tenantRules.safeParse(yaml.value);
  if (whole.success) return whole.data;
  if (!isTable(yaml.value)) return parseRules(yaml.value, name);
  const root = TENANT_KEYS.some((key) => Object.hasOwn(yaml.value as object, key)) ? ['rules'] : [];
  const misnamed = checkExtends(yaml, root);
  const { rules, problems } = misnamed ?? (await layerRules(yaml, root));
  if (rules) return rules;
  throw new CodedError(
    'MAPPING_RULES_INVALID',
    `${name} does not hold valid rules:\n${writtenProblems(problems, yaml.file)}`,
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

export function writtenProblems(problems: readonly TenantProblem[], file: string): string {
  return problems
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map((problem) => {
      const elsewhere = problem.file === file ? '' : `${problem.file} `;
      const path = problem.path === '' ? '' : ` ${problem.path}:`;
      return `  ${elsewhere}line ${String(problem.line)}:${path} ${problem.message} ${problem.remedy}`;
    })
    .join('\n');
}
