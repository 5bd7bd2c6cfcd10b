// A tenant's rules are layers: what it extends, weakest first, then its own. The merged whole is judged once; a problem is
// shown in the strongest layer that says anything about the place, because that is the line to change.
import { readdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { explainIssues } from './explain-issue.js';
import type { Message } from '../domain/message.js';
import { message } from '../language/messages.js';
import { nearest } from './nearest.js';
import { problemWords } from './problem-words.js';
import { readYaml, type YamlFile, type YamlOutcome } from './read-yaml.js';
import {
  tenantRules,
  type TenantRules,
  deepMergeRules,
  type RulesFragment,
} from '../pipeline/mapping/rules.js';
import { isObject } from './schema-walk.js';
import type { TenantProblem } from './tenant.js';
import { canonicalJson } from '../domain/canonical-json.js';

export const BUNDLED_RULES = fileURLToPath(new URL('../../config/rules', import.meta.url));

export interface LayeredRules {
  /** null when anything is wrong with them. */
  readonly rules: TenantRules | null;
  readonly version: string;
  readonly files: readonly string[];
  readonly problems: readonly TenantProblem[];
}

interface Layer {
  readonly yaml: YamlFile;
  /** Where the rules begin in this file. */
  readonly root: readonly string[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** `root`: where the rules begin; a tenant file has them under `rules`, a file of rules alone at its top. */
export async function layerRules(
  tenant: YamlFile,
  root: readonly string[] = ['rules'],
  read: (file: string) => Promise<YamlOutcome> = readYaml,
): Promise<LayeredRules> {
  const own = ownLayer(tenant, root);
  const layers: Layer[] = [];
  const problems: TenantProblem[] = [];
  const files: string[] = [];
  for (const [index, name] of own.extended.entries()) {
    const found = await readLayer(tenant, name, [...root, 'extends', index], read);
    files.push(found.file);
    if ('layer' in found) layers.push(found.layer);
    else problems.push(...found.problems);
  }
  layers.push(own.layer);
  files.push(tenant.file);
  const merged = layers.reduce<RulesFragment>((rules, layer) => deepMergeRules(rules, layer.value), {});
  // A layer that is missing would show as a hundred missing accounts: say the one thing that is wrong.
  if (problems.length > 0) return { rules: null, version: '', files, problems };
  const judged = tenantRules.safeParse(merged);
  if (judged.success) return { rules: judged.data, version: fingerprint(judged.data), files, problems };
  const written = (path: readonly PropertyKey[]) => {
    const layer = layerOf(layers, path);
    return layer.yaml.written([...layer.root, ...path]);
  };
  const context = { schema: tenantRules, value: merged, written, mayRepeat: true, page: 'mapping' } as const;
  for (const { path, pointAt, words } of explainIssues(judged.error.issues, context)) {
    const { yaml, root } = layerOf(layers, path);
    const full = [...root, ...path];
    const position = pointAt === 'key' ? yaml.locateKey(full) : yaml.locate(full);
    const place = { file: yaml.file, ...position, path: full.map(String).join('.') };
    problems.push({ severity: 'error', ...place, ...words });
  }
  return { rules: null, version: '', files, problems };
}

function ownLayer(tenant: YamlFile, root: readonly string[]): { layer: Layer; extended: readonly string[] } {
  const rules = root.reduce<unknown>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    tenant.value,
  );
  const { extends: extended = ['default'], ...value } = isObject(rules) && !Array.isArray(rules) ? rules : {};
  const names = Array.isArray(extended)
    ? extended.filter((name): name is string => typeof name === 'string')
    : [];
  return { layer: { yaml: tenant, root, value }, extended: names };
}

function layerOf(layers: readonly Layer[], path: readonly PropertyKey[]): Layer {
  const says = (layer: Layer) => layer.yaml.has([...layer.root, ...path]);
  const strongest = layers.findLast(says) ?? layers.at(-1);
  if (!strongest) throw new RangeError('rules have at least the layer of the tenant file');
  return strongest;
}

type ReadLayer = { file: string } & ({ layer: Layer } | { problems: readonly TenantProblem[] });

async function readLayer(
  tenant: YamlFile,
  name: string,
  path: readonly (string | number)[],
  readRules: (file: string) => Promise<YamlOutcome>,
): Promise<ReadLayer> {
  const isBundled = /^[a-z0-9-]+$/.test(name);
  const problem = (what: Message, remedy: Message): TenantProblem => ({
    severity: 'error',
    file: tenant.file,
    ...tenant.locate(path),
    path: path.join('.'),
    ...problemWords(what, remedy),
  });
  const file = isBundled ? await bundledFile(name) : resolve(dirname(tenant.file), name);
  if (file === null) {
    const names = (await bundledNames()).map((known) => known.replace(/\.(yaml|json)$/, ''));
    const near = nearest(name, names);
    const remedy =
      near === null
        ? message('RULES_KNOWN', { names: names.join(', '), name })
        : message('DID_YOU_MEAN', { near });
    return { file: name, problems: [problem(message('RULES_UNKNOWN', { name }), remedy)] };
  }
  const read = await readRules(file);
  if (read.outcome === 'unreadable') {
    const isMissing = read.problems.some(({ said }) => said?.message.params['reason'] === 'ENOENT');
    const missing = () => problem(message('RULES_FILE_MISSING', { name }), message('PATHS_START_HERE'));
    return { file, problems: isMissing ? [missing()] : read.problems };
  }
  const { value } = read.yaml;
  if (!isObject(value) || Array.isArray(value)) {
    const words = problemWords(message('RULES_FILE_NO_GROUP'), message('BEGIN_WITH_RULES'));
    return { file, problems: [{ severity: 'error', file, line: 1, column: 1, path: '', ...words }] };
  }
  return { file, layer: { yaml: read.yaml, root: [], value } };
}

async function bundledNames(): Promise<readonly string[]> {
  const names = await readdir(BUNDLED_RULES).catch(() => []);
  return names.filter((name) => /\.(yaml|json)$/.test(name)).sort();
}

async function bundledFile(name: string): Promise<string | null> {
  const names = await bundledNames();
  const found = names.find((known) => known === `${name}.yaml` || known === `${name}.json`);
  return found === undefined ? null : resolve(BUNDLED_RULES, found);
}

// A short name for a value: equal values have equal ones.

function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}
