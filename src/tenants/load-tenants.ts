// Tenant files: everything the bridge knows about a company it works for, one YAML file each.
// Loading promises: all problems of all files at once, each with its line and what would be right; a tenant with an error
// is not loaded; no secret is read. A tenant says where its secrets are (secrets.ts resolves them when connecting).
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { checkErp, type ErpSchema } from './check-erp.js';
import { checkTogether, type ReadTenant, unsetSecrets } from './check-together.js';
import { explainIssues } from './explain-issue.js';
import { identifyLedger } from './identify-ledger.js';
import { message } from '../language/messages.js';
import { problemWords } from './problem-words.js';
import { parseYaml, readYaml, type YamlFile, type YamlOutcome } from './read-yaml.js';
import { layerRules } from './rules-layers.js';
import { tenantFile } from './tenant-schema.js';
import type { Tenant, TenantProblem } from './tenant.js';

export interface LoadedTenants {
  /** By name. */
  readonly tenants: readonly Tenant[];
  /** By file, line and column. */
  readonly problems: readonly TenantProblem[];
  /** Every tenant file that was there, broken ones included. */
  readonly files: readonly string[];
  /** Every rules file that a tenant extends, whether it was there or not. */
  readonly rulesFiles: readonly string[];
  /** Of all of them and of whatever else is in the directory, as they were before they were read. */
  readonly stamps: FileStamps;
  /** false: the directory itself could not be read, so that nothing is known about its files. */
  readonly isComplete: boolean;
}

export interface LoadOptions {
  /** The registry's adapters unless given. */
  readonly adapters?: readonly ErpSchema[];
  /** The name of one tenant: no other file is read, so that nothing is said about what they have in common. */
  readonly only?: string;
}

const FILES_MAX = 2000;
const FILES_AT_ONCE = 16;

/** With an environment, references to secrets that are not there are warned about; without, they are not looked at. */
export async function loadTenants(
  directory: string,
  env?: Readonly<Record<string, string | undefined>>,
  options: LoadOptions = {},
): Promise<LoadedTenants> {
  const stamps = await fileStamps(directory);
  const listed = onlyOne(await listFiles(directory), options.only);
  const problems: TenantProblem[] = [...listed.problems];
  const read: ReadTenant[] = [];
  const rulesFiles = new Set<string>();
  const readRules = readOnce(stamps);
  for (let start = 0; start < listed.files.length; start += FILES_AT_ONCE) {
    const some = listed.files.slice(start, start + FILES_AT_ONCE);
    for (const loaded of await Promise.all(some.map((file) => loadFile(file, options, readRules)))) {
      problems.push(...loaded.problems);
      for (const file of loaded.rulesFiles) rulesFiles.add(file);
      if (loaded.yaml) read.push({ yaml: loaded.yaml, tenant: loaded.tenant, ledger: loaded.ledger });
    }
  }
  problems.push(...checkTogether(read));
  if (env) problems.push(...read.flatMap((one) => unsetSecrets(one, env)));
  const broken = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file));
  const good = read.flatMap(({ tenant }) => (tenant && !broken.has(tenant.file) ? [tenant] : []));
  // Settings of an ERP are its adapter's, which may be anybody's and may change them.
  const tenants = shareParts(
    good,
    good.map(({ erp }) => erp.settings),
  );
  return {
    tenants: tenants.sort((a, b) => compareText(a.name, b.name)),
    problems: inOrder(problems),
    files: listed.files,
    rulesFiles: [...rulesFiles],
    stamps,
    isComplete: listed.isComplete,
  };
}

function onlyOne(listed: Listed, name: string | undefined): Listed {
  if (name === undefined) return listed;
  return { ...listed, files: listed.files.filter((file) => basename(file) === `${name}.yaml`) };
}

interface LoadedFile {
  readonly yaml: YamlFile | null;
  readonly tenant: Tenant | null;
  readonly ledger: string;
  readonly rulesFiles: readonly string[];
  readonly problems: readonly TenantProblem[];
}

const NOTHING = { yaml: null, tenant: null, ledger: '', rulesFiles: [] } as const;

type ReadRules = (file: string) => Promise<YamlOutcome>;

/** A hundred tenants extend the same few rules: they are parsed once a load. */
function readOnce(stamps: FileStamps): ReadRules {
  const read = new Map<string, Promise<YamlOutcome>>();
  const stampAndRead = async (file: string) => {
    stamps.set(file, await fileStamp(file));
    return readYaml(file);
  };
  return (file) => {
    const outcome = read.get(file) ?? stampAndRead(file);
    read.set(file, outcome);
    return outcome;
  };
}

/** What would be wrong with a file if this stood in it. */
export async function problemsOfText(file: string, text: string): Promise<readonly TenantProblem[]> {
  return (await loadFile(file, {}, readOnce(new Map()), text)).problems;
}

async function loadFile(
  file: string,
  options: LoadOptions,
  readRules: ReadRules,
  text?: string,
): Promise<LoadedFile> {
  const read = text === undefined ? await readYaml(file) : parseYaml(file, text);
  if (read.outcome === 'unreadable') return { ...NOTHING, problems: read.problems };
  const { yaml } = read;
  if (typeof yaml.value !== 'object' || yaml.value === null || Array.isArray(yaml.value)) {
    const words = problemWords(message('TENANT_FILE_NO_GROUP'), message('BEGIN_WITH_NAME'));
    return { ...NOTHING, problems: [{ severity: 'error', file, line: 1, column: 1, path: '', ...words }] };
  }
  const judged = tenantFile.safeParse(yaml.value);
  const { erp, create, problems: erpProblems } = await checkErp(yaml, options.adapters);
  const layered = await layerRules(yaml, ['rules'], readRules);
  const problems = withPlaceholders(yaml, [
    ...(judged.success ? [] : explain(yaml, judged.error.issues)),
    ...erpProblems,
    ...layered.problems,
  ]);
  const rulesFiles = layered.files;
  if (!judged.success || erp === null || layered.rules === null) {
    return { ...NOTHING, yaml, rulesFiles, problems };
  }
  const tenant: Tenant = {
    ...judged.data,
    erp,
    rules: layered.rules,
    rulesVersion: layered.version,
    rulesFiles,
    file,
  };
  const ledger = await identifyLedger(erp, tenant.name, dirname(file), create);
  return { yaml, tenant, ledger, rulesFiles, problems };
}

function explain(yaml: YamlFile, issues: readonly z.core.$ZodIssue[]): readonly TenantProblem[] {
  const written = (path: readonly PropertyKey[]) => yaml.written(path);
  const judged = {
    schema: tenantFile,
    value: yaml.value,
    written,
    mayRepeat: true,
    page: 'tenants',
  } as const;
  return explainIssues(issues, judged).map(({ path, pointAt, words }) => ({
    severity: 'error',
    file: yaml.file,
    ...(pointAt === 'key' ? yaml.locateKey(path) : yaml.locate(path)),
    path: path.map(String).join('.'),
    ...words,
  }));
}

/** Notes for people and leftovers of editors may lie beside tenant files; anything else there is a mistake. */
const IGNORED = /^\.|~$|\.(md|swp|bak|orig)$/;

interface Listed {
  readonly files: readonly string[];
  readonly problems: readonly TenantProblem[];
  readonly isComplete: boolean;
}

async function listFiles(directory: string): Promise<Listed> {
  const problem = (file: string, what: string, remedy: string): TenantProblem => ({
    severity: 'error',
    file,
    line: 1,
    column: 1,
    path: '',
    message: what,
    remedy,
  });
  let entries;
  try {
    entries = await readdir(directory, { withFileTypes: true });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    const what = `The directory of tenant files cannot be read (${reason}).`;
    return {
      files: [],
      isComplete: false,
      problems: [problem(directory, what, 'Create it, or point LEDGERBRIDGE_CONFIG to the right place.')],
    };
  }
  const names = entries
    .filter((entry) => !entry.isDirectory() && !IGNORED.test(entry.name))
    .map(({ name }) => name)
    .sort(compareText);
  if (names.length > FILES_MAX) {
    const what = `The directory holds more than ${String(FILES_MAX)} files.`;
    return {
      files: [],
      isComplete: false,
      problems: [problem(directory, what, 'Run several bridges, each with its own tenants.')],
    };
  }
  const strange = names.filter((name) => !name.endsWith('.yaml'));
  return {
    isComplete: true,
    files: names.filter((name) => name.endsWith('.yaml')).map((name) => join(directory, name)),
    problems: strange.map((name) =>
      problem(
        join(directory, name),
        'Only files that end in .yaml are read as tenants.',
        `Rename it to ${name.split('.', 1)[0] ?? ''}.yaml, or move it elsewhere.`,
      ),
    ),
  };
}

/** Several tenants may share a broken rules file: it is said once. */
function inOrder(problems: readonly TenantProblem[]): readonly TenantProblem[] {
  const distinct = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...distinct.values()].sort(
    (a, b) =>
      compareText(a.file, b.file) || a.line - b.line || a.column - b.column || compareText(a.path, b.path),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// What a starter file leaves to a person stands as <…>. Some of it would pass for a value (a name, a company), so whatever was
// left so is found by its shape, and said instead of what else would be wrong with it.
const PLACEHOLDER = /^<[^<>]+>$/;
const DEPTH_MAX = 20;

/** `found` are the problems that the schemas see; those about a placeholder are replaced by what a person can act on. */
export function withPlaceholders(yaml: YamlFile, found: readonly TenantProblem[]): readonly TenantProblem[] {
  const left = placeholdersIn(yaml.value, []).map(({ path, text }): TenantProblem => ({
    severity: 'error',
    file: yaml.file,
    ...yaml.locate(path),
    path: path.map(String).join('.'),
    ...problemWords(
      message('NOT_FILLED_IN', { key: String(path.at(-1) ?? '') }),
      message('WRITE_THERE', { what: text.slice(1, -1) }),
    ),
  }));
  const said = new Set(left.map(({ path }) => path));
  return [...left, ...found.filter(({ path }) => !said.has(path))];
}

interface Placeholder {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

function placeholdersIn(value: unknown, path: readonly PropertyKey[]): readonly Placeholder[] {
  if (typeof value === 'string') return PLACEHOLDER.test(value) ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null || path.length >= DEPTH_MAX) return [];
  const parts: [PropertyKey, unknown][] = Array.isArray(value)
    ? value.map((part, index) => [index, part])
    : Object.entries(value);
  return parts.flatMap(([key, part]) => placeholdersIn(part, [...path, key]));
}

// Companies of one bookkeeper are configured much alike, and a process may know hundreds of them. Whatever is equal in what was read of
// their files is kept once. It cannot be changed any more: a change for one company would be one for all.

/** `own` stays as it is, each for itself. */
export function shareParts<Value>(values: readonly Value[], own: readonly unknown[] = []): Value[] {
  const left = new Set(own);
  const kept = new Map<string, unknown>();
  const numbers = new Map<unknown, number>();

  const keep = <Value>(key: string, make: () => Value): Value => {
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key) as Value;
  };
  /** Says of a part that was shared already which one it is: equal ones say the same, and no others. */
  const nameOf = (part: unknown): string => {
    if (typeof part === 'string') return JSON.stringify(part);
    if (part === null || SIMPLE.has(typeof part)) return `${typeof part} ${String(part)}`;
    const number = numbers.get(part) ?? numbers.size;
    numbers.set(part, number);
    return `#${String(number)}`;
  };
  const share = (value: unknown): unknown => {
    if (left.has(value)) return value;
    if (typeof value === 'string') return keep(JSON.stringify(value), () => value);
    if (Array.isArray(value)) {
      const parts: unknown[] = value.map(share);
      return keep(`[${parts.map(nameOf).join()}]`, () => Object.freeze(parts));
    }
    if (!isPlain(value)) return value;
    const parts = Object.entries(value).map(([name, part]) => [share(name) as string, share(part)] as const);
    const key = parts.map(([name, part]) => `${nameOf(name)}:${nameOf(part)}`).join();
    return keep(`{${key}}`, () => Object.freeze(Object.fromEntries(parts)));
  };
  return values.map((value) => share(value) as Value);
}

/** What has no identity of its own. */
const SIMPLE: ReadonlySet<string> = new Set(['number', 'boolean', 'bigint', 'undefined']);

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

// What tells whether a file was written since it was read.

/** File → its stamp. */
export type FileStamps = Map<string, string>;

export async function fileStamp(file: string): Promise<string> {
  const stats = await stat(file).catch(() => null);
  return stats ? `${String(stats.mtimeMs)} ${String(stats.size)} ${String(stats.ino)}` : 'absent';
}

/** When it was written, as of its stamp; the beginning of time where it was not there. */
export function writtenAt(stamps: FileStamps, file: string): Date {
  const ms = Number.parseFloat(stamps.get(file) ?? '');
  return new Date(Number.isNaN(ms) ? 0 : ms);
}

/** Of everything in a directory, and of these. */
export async function fileStamps(directory: string, others: readonly string[] = []): Promise<FileStamps> {
  const names = await readdir(directory).catch(() => []);
  const files = new Set([...names.map((name) => join(directory, name)), ...others]);
  return new Map(
    await Promise.all(
      [...files].map(async (file): Promise<[string, string]> => [file, await fileStamp(file)]),
    ),
  );
}

export function areSame(one: FileStamps, other: FileStamps): boolean {
  return one.size === other.size && [...one].every(([file, stamp]) => other.get(file) === stamp);
}
