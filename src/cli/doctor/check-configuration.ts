// Where the configuration is. None at all is how an installation begins; a place that somebody named and that is not there is a
// mistake, and a bridge that starts with it would leave every company.
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { type DoctorFinding, failure, ok } from './finding.js';

const AREA = 'settings';
const REMEDY =
  'Correct LEDGERBRIDGE_CONFIG, or make that directory and let the user of the bridge read it; tenant files go into `tenants/` below it.';

/** `isNamed`: somebody set LEDGERBRIDGE_CONFIG. */
export async function checkConfiguration(
  { configDirectory, tenantsDirectory }: Pick<BridgeSettings, 'configDirectory' | 'tenantsDirectory'>,
  isNamed: boolean,
): Promise<DoctorFinding[]> {
  const wrong = (what: string) => [failure(AREA, what, REMEDY, 'SETTINGS_INVALID')];
  const within = await listEntries(configDirectory);
  if (typeof within === 'string') {
    if (within === 'ENOENT' && !isNamed) return [ok(AREA, `there is no ${configDirectory} yet`)];
    return wrong(`The configuration directory ${configDirectory} (LEDGERBRIDGE_CONFIG) ${whyNot(within)}.`);
  }
  const tenants = await listEntries(tenantsDirectory);
  if (typeof tenants !== 'string') return [ok(AREA, `the configuration is in ${configDirectory}`)];
  if (tenants !== 'ENOENT')
    return wrong(`The directory of tenant files ${tenantsDirectory} ${whyNot(tenants)}.`);
  if (basename(configDirectory) === 'tenants' && within.some((name) => name.endsWith('.yaml')))
    return wrong(`LEDGERBRIDGE_CONFIG names ${configDirectory}; it is the directory above that is meant.`);
  return [ok(AREA, `there are no tenants in ${configDirectory} yet`)];
}

/** What is in it, or why it cannot be read. */
async function listEntries(directory: string): Promise<readonly string[] | string> {
  try {
    return await readdir(directory);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  }
}

function whyNot(code: string): string {
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'ENOTDIR') return 'is not a directory';
  return `cannot be read (${code})`;
}
