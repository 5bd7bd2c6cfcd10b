// Adapters in packages of their own. A tenant file names the package (or a path beside itself); it is looked for from the directory
// of the tenant files upwards, as Node does it, and what it exports is checked before any of it is used.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { missingPermission } from './allowed-plugins.js';
import { type ErpAdapterDefinition, PORT_VERSION } from './erp-adapter.js';

export type PluginOutcome =
  | { readonly outcome: 'loaded'; readonly definition: ErpAdapterDefinition }
  | { readonly outcome: 'refused'; readonly message: string; readonly remedy: string };

const loaded = new Map<string, ErpAdapterDefinition>();
/** Far more than anybody writes; a name costs a module for as long as the program runs. */
const PLUGINS_MAX = 50;
const NAME_MAX = 214;
const NAME =
  /^(@[a-z0-9~-][a-z0-9._~-]*\/[a-z0-9~-][a-z0-9._~-]*|ledgerbridge-[a-z0-9._~-]+|\.{1,2}\/[^\0]+)$/;

/** A package with a scope, one whose name begins with `ledgerbridge-`, or a path. Anything else is the name of an adapter in the box. */
export function isPluginName(name: string): boolean {
  return name.length <= NAME_MAX && NAME.test(name);
}

export function loadedPlugin(name: string): ErpAdapterDefinition | undefined {
  return loaded.get(name);
}

/** Once a name: a newer version of a package counts from the next start on. */
export async function loadPlugin(name: string, directory: string): Promise<PluginOutcome> {
  const known = loaded.get(name);
  if (known) return { outcome: 'loaded', definition: known };
  if (loaded.size >= PLUGINS_MAX)
    return refused(`More than ${PLUGINS_MAX} packages with adapters are named.`, '');
  const missing = missingPermission(name, directory);
  if (missing !== null)
    return refused(
      `The ERP adapter "${name}" is code from outside, and this bridge does not allow it.`,
      `If you trust it, add ${missing} to the list of LEDGERBRIDGE_PLUGINS and start the bridge again.`,
    );
  const entry = entryOf(name, directory);
  if (entry === null)
    return refused(
      `The package "${name}" of the ERP adapter is not installed.`,
      `Run \`npm install ${name}\` in ${directory} or a directory above it.`,
    );
  const judged = await imported(name, entry);
  if (judged.outcome === 'loaded') loaded.set(name, judged.definition);
  return judged;
}

async function imported(name: string, entry: string): Promise<PluginOutcome> {
  let exports: Readonly<Record<string, unknown>>;
  try {
    exports = (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1).join() : String(error);
    return refused(
      `The ERP adapter "${name}" cannot be loaded: ${why.slice(0, 300)}`,
      'Build or mend the package.',
    );
  }
  const definition = exports['definition'] ?? exports['default'];
  const problem = problemOf(definition);
  if (problem !== null)
    return refused(
      `"${name}" is no ERP adapter: ${problem}`,
      '`ledgerbridge adapter new` writes one that is, and `ledgerbridge adapter test` says what it promises.',
    );
  return { outcome: 'loaded', definition: definition as ErpAdapterDefinition };
}

/** Only what the bridge relies on before the first call; the conformance suite says the rest. */
function problemOf(given: unknown): string | null {
  if (typeof given !== 'object' || given === null) return 'it exports no `definition`.';
  const { port, title, configuration, create } = given as Partial<
    Record<keyof ErpAdapterDefinition, unknown>
  >;
  if (port !== PORT_VERSION)
    return `it is written for version ${typeof port === 'number' ? port : 'none'} of the port, and this program has version ${PORT_VERSION}.`;
  if (typeof title !== 'string') return 'its definition has no `title`.';
  if (typeof create !== 'function') return 'its definition has no `create`.';
  if (typeof configuration !== 'object' || configuration === null || !('_zod' in configuration))
    return 'its `configuration` is no schema of zod 4.';
  return null;
}

function refused(message: string, remedy: string): PluginOutcome {
  return { outcome: 'refused', message, remedy };
}

/** File that an import of the name would read; null when nothing is there. */
function entryOf(name: string, directory: string): string | null {
  const require = createRequire(join(directory, 'tenant.yaml'));
  try {
    return require.resolve(name);
  } catch {
    // A package for `import` alone says so in its package.json, and `require` does not find it.
    const homes = name.startsWith('.') ? [directory] : (require.resolve.paths(name) ?? []);
    for (const home of homes) {
      const entry = entryForImport(join(home, name));
      if (entry !== null) return entry;
    }
    return null;
  }
}

function entryForImport(home: string): string | null {
  const file = join(home, 'package.json');
  if (!existsSync(file)) return null;
  const { exports, main } = JSON.parse(readFileSync(file, 'utf8')) as { exports?: unknown; main?: unknown };
  const entry = firstTarget(exports) ?? (typeof main === 'string' ? main : 'index.js');
  const path = join(home, entry);
  return existsSync(path) ? path : null;
}

const CONDITIONS = ['.', 'import', 'node', 'default'] as const;

function firstTarget(exports: unknown): string | null {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return null;
  for (const condition of CONDITIONS) {
    const target = firstTarget((exports as Record<string, unknown>)[condition]);
    if (target !== null) return target;
  }
  return null;
}
