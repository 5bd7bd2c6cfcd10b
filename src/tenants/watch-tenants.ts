// Tenant files may change while the bridge runs. A change is noticed by the file system, or by looking every few seconds
// where that does not tell (network drives, containers). A broken file never replaces a good one: its tenant goes on as it
// was, and the problems are handed over with every change.
import { watch } from 'node:fs';
import { canonicalJson } from '../domain/canonical-json.js';
import {
  areSame,
  fileStamps,
  writtenAt,
  type LoadedTenants,
  type LoadOptions,
  loadTenants,
} from './load-tenants.js';
import type { Tenant, TenantProblem } from './tenant.js';

export interface TenantChange {
  /** The tenants that hold from now on. */
  readonly tenants: readonly Tenant[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Tenants whose file is broken now and who go on as they were. */
  readonly kept: readonly string[];
  readonly problems: readonly TenantProblem[];
}

export interface WatchOptions extends LoadOptions {
  readonly directory: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  onChange(change: TenantChange): void;
  /** Loading itself failed in a way that is no problem of a file; the tenants stay as they were. */
  onError?(error: unknown): void;
  readonly pollMs?: number;
  /** Editors write a file in several steps: wait until it has been quiet this long. */
  readonly debounceMs?: number;
}

/** A file that is not valid any more, of a tenant who goes on as it was. */
export interface BrokenFile {
  readonly tenant: Tenant;
  readonly problem: TenantProblem;
  /** Problems of it besides. */
  readonly more: number;
  /** When what holds of that file was written. */
  readonly versionOf: Date;
}

export interface TenantWatch {
  readonly current: () => readonly Tenant[];
  readonly broken: () => readonly BrokenFile[];
  /** Looks now; resolves when what it found has been handed over. */
  readonly reload: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const POLL_MS = 5_000;
const DEBOUNCE_MS = 200;

/** `start` is what the bridge began with; the first difference from it is the first change. */
export function watchTenants(start: LoadedTenants, options: WatchOptions): TenantWatch {
  let { tenants, rulesFiles, stamps: seen } = start;
  let problemsSeen = canonicalJson(start.problems);
  const versions: Versions = new Map();
  rememberVersions(versions, start);
  let broken: readonly BrokenFile[] = [];
  let turn: Promise<void> = Promise.resolve();
  let debounce: NodeJS.Timeout | undefined;

  const look = async (force: boolean): Promise<void> => {
    const now = await fileStamps(options.directory, rulesFiles);
    if (!force && areSame(now, seen)) return;
    seen = now;
    const loaded = await loadTenants(options.directory, options.env, options);
    if (loaded.isComplete) ({ rulesFiles } = loaded);
    const change = compareTenants(tenants, loaded);
    const isNews = change.added.length + change.changed.length + change.removed.length > 0;
    tenants = change.tenants;
    rememberVersions(versions, loaded);
    broken = brokenOf(change, versions);
    const problemsNow = canonicalJson(change.problems);
    if (!isNews && problemsNow === problemsSeen) return;
    problemsSeen = problemsNow;
    options.onChange(change);
  };
  const enqueue = (force: boolean): Promise<void> => {
    turn = turn.then(() => look(force)).catch((error: unknown) => options.onError?.(error));
    return turn;
  };
  const soon = () => {
    clearTimeout(debounce);
    debounce = setTimeout(() => void enqueue(false), options.debounceMs ?? DEBOUNCE_MS);
    debounce.unref();
  };
  const poll = setInterval(() => void enqueue(false), options.pollMs ?? POLL_MS);
  poll.unref();
  const stopEvents = listen(options.directory, soon);
  return {
    current: () => tenants,
    broken: () => broken,
    reload: () => enqueue(true),
    stop: async () => {
      clearInterval(poll);
      clearTimeout(debounce);
      stopEvents();
      await turn;
    },
  };
}

/** Tenant → when its files were written that are at work. */
type Versions = Map<string, ReadonlyMap<string, Date>>;

function rememberVersions(versions: Versions, { tenants, stamps }: LoadedTenants): void {
  for (const { name, file, rulesFiles } of tenants)
    versions.set(name, new Map([file, ...rulesFiles].map((path) => [path, writtenAt(stamps, path)])));
}

/** A problem of a rules file counts for all who extend it; where the directory cannot be read, its problem for everybody. */
function brokenOf({ tenants, kept, problems }: TenantChange, versions: Versions): BrokenFile[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return tenants
    .filter(({ name }) => kept.includes(name))
    .flatMap((tenant) => {
      const files = versions.get(tenant.name);
      const own = errors.filter(({ file }) => files?.has(file));
      const [problem] = own.length > 0 ? own : errors;
      const versionOf = files?.get(problem?.file ?? '') ?? files?.get(tenant.file);
      if (problem === undefined || versionOf === undefined) return [];
      return [{ tenant, problem, more: Math.max(0, own.length - 1), versionOf }];
    });
}

/** What a reload means for tenants that are already at work. */
export function compareTenants(before: readonly Tenant[], loaded: LoadedTenants): TenantChange {
  const byName = new Map(loaded.tenants.map((tenant) => [tenant.name, tenant]));
  const isThere = new Set(loaded.files);
  const gave = new Set(loaded.tenants.map(({ file }) => file));
  // A file that is there and gave no tenant is broken, be it by a rules file that it extends.
  const held = before.filter(
    ({ name, file }) => !byName.has(name) && (!loaded.isComplete || (isThere.has(file) && !gave.has(file))),
  );
  const previous = new Map(before.map((tenant) => [tenant.name, tenant]));
  // Who is as before stays the very object: a hundred of them are neither kept twice nor compared at every look.
  const asBefore = (tenant: Tenant) => {
    const old = previous.get(tenant.name);
    return old !== undefined && canonicalJson(old) === canonicalJson(tenant) ? old : tenant;
  };
  const now = loaded.tenants.map(asBefore);
  const tenants = [...now, ...held].sort((a, b) => (a.name < b.name ? -1 : 1));
  const holds = new Set(tenants.map(({ name }) => name));
  return {
    tenants,
    added: now.filter(({ name }) => !previous.has(name)).map(({ name }) => name),
    changed: now
      .filter((tenant) => previous.has(tenant.name) && previous.get(tenant.name) !== tenant)
      .map(({ name }) => name),
    removed: before.filter(({ name }) => !holds.has(name)).map(({ name }) => name),
    kept: held.map(({ name }) => name),
    problems: loaded.problems,
  };
}

function listen(directory: string, onEvent: () => void): () => void {
  try {
    const watcher = watch(directory, { persistent: false, recursive: false }, onEvent);
    // Polling goes on where the file system stops telling.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}
