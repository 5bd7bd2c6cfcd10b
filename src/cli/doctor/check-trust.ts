// Whom the bridge trusts: who may write tenant files, whose code runs, which addresses it talks to, and who may listen to it.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { allowedPlugins } from '../../erp/allowed-plugins.js';
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { type DoctorFinding, ok, warning } from './finding.js';

const AREA = 'settings';
const WRITABLE_BY_OTHERS = 0o022;
const FILES_MAX = 5_000;
const NAMES_MAX = 5;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export async function checkTrust(settings: BridgeSettings): Promise<DoctorFinding[]> {
  return [
    ...(await checkWriters(settings)),
    ...checkPlugins(),
    ...checkAddresses(settings),
    ...checkHost(settings),
  ];
}

/** A tenant file says where credentials and journals go. */
async function checkWriters({ configDirectory, tenantsDirectory }: BridgeSettings): Promise<DoctorFinding[]> {
  const names = await readdir(tenantsDirectory).catch(() => []);
  const paths = names.filter((name) => /\.ya?ml$/.test(name)).slice(0, FILES_MAX);
  const open: string[] = [];
  for (const path of [
    configDirectory,
    tenantsDirectory,
    ...paths.map((name) => join(tenantsDirectory, name)),
  ]) {
    const found = await stat(path).catch(() => null);
    if (found && (found.mode & WRITABLE_BY_OTHERS) !== 0) open.push(path);
  }
  if (open.length === 0) return [];
  const more = open.length > NAMES_MAX ? ` and ${String(open.length - NAMES_MAX)} more` : '';
  return [
    warning(
      AREA,
      `Other users of this machine can write ${open.slice(0, NAMES_MAX).join(', ')}${more}.`,
      'A tenant file decides where credentials and journals go. Protect them with: chmod -R go-w on the configuration directory.',
    ),
  ];
}

function checkPlugins(): DoctorFinding[] {
  const names = allowedPlugins();
  return names.length === 0 ? [] : [ok(AREA, `ERP adapters from outside that may run: ${names.join(', ')}`)];
}

function checkAddresses({ privateAddresses }: BridgeSettings): DoctorFinding[] {
  const what = privateAddresses === 'allow' ? 'allowed' : 'refused';
  return [
    ok(AREA, `private addresses are ${what}, link-local ones refused (LEDGERBRIDGE_PRIVATE_ADDRESSES)`),
  ];
}

function checkHost({ host, publicUrl }: BridgeSettings): DoctorFinding[] {
  if (LOOPBACK.has(host) || publicUrl?.startsWith('https:') === true) return [];
  return [
    warning(
      AREA,
      `The dashboard listens on ${host} and no https address is set: passwords and sessions may cross the network in the clear.`,
      'Put a proxy with TLS in front and set LEDGERBRIDGE_PUBLIC_URL to its https address, or listen on 127.0.0.1.',
    ),
  ];
}
