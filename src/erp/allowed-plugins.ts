// Adapters from outside that the operator of the bridge allows. A tenant file is data: the code it names runs only if it is listed.
import { isAbsolute, resolve } from 'node:path';

let allowed: readonly string[] = [];

/** Names of packages and absolute paths, joined by commas (LEDGERBRIDGE_PLUGINS). Replaces what was allowed before. */
export function allowPlugins(list: string): void {
  allowed = list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export function allowedPlugins(): readonly string[] {
  return allowed;
}

/** What the list has to contain for this name, or null when it does. Paths are relative to the directory of the tenant files. */
export function missingPermission(name: string, directory: string): string | null {
  const wanted = name.startsWith('.') || isAbsolute(name) ? resolve(directory, name) : name;
  return allowed.includes(wanted) ? null : wanted;
}
