// Before a bridge starts: what would keep it from working is found by the checks of the doctor, all of it at once, before anything
// is migrated, swept or posted.
import { setTimeout as sleep } from 'node:timers/promises';
import { DUTIES, type Role } from '../../bridge/opened.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { type BridgeSettings, DEFAULT_PORT } from '../../tenants/bridge-settings.js';
import { checkConfiguration } from './check-configuration.js';
import { checkDirectory, DATA_DIRECTORY } from './check-machine.js';
import { originalsPlace } from './check-originals.js';
import { type HeldPort, holdPort, portTaken } from './check-port.js';
import { checkRedis } from './check-redis.js';
import type { DoctorFinding } from './finding.js';

export interface Start {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly role: Role;
  readonly signal: AbortSignal;
  readonly onWaiting: (what: string) => void;
}

/** A machine that boots starts Redis and the bridge at once. */
const REDIS_WAIT_MS = 10_000;
const REDIS_AGAIN_MS = 1_000;

/** Throws unless the bridge can start. Lets go of the port when it is called: right before it is served there. */
export async function readyToStart(start: Start): Promise<() => Promise<void>> {
  const { settings, env } = start;
  const held = await heldPort(start);
  const found = await Promise.all([
    checkConfiguration(settings, Boolean(env['LEDGERBRIDGE_CONFIG'])),
    checkDirectories(start),
    awaitRedis(start),
  ]);
  const findings = [
    ...(held?.outcome === 'taken' ? [portTaken(settings, portOf(start) ?? 0, held.reason)] : []),
    ...found.flat(),
  ];
  const errors = findings.filter(({ severity, code }) => severity === 'error' && code !== undefined);
  const release = () => (held?.outcome === 'held' ? held.release() : Promise.resolve());
  const [first] = errors;
  if (first?.code === undefined) return release;
  await release();
  throw new CodedError(first.code, `The bridge was not started.\n${errors.map(asText).join('\n')}`);
}

function asText({ area, message, remedy = '' }: DoctorFinding): string {
  return `✕ ${area}: ${message}\n    → ${remedy}`;
}

/** A worker or a scheduler serves only where it was given a port. */
function portOf({ settings, role }: Start): number | null {
  return settings.port ?? (DUTIES[role].serves ? DEFAULT_PORT : null);
}

async function heldPort(start: Start): Promise<HeldPort | null> {
  const port = portOf(start);
  return port === null || port === 0 ? null : holdPort(start.settings.host, port);
}

/** Who neither posts nor keeps the embedded database writes nothing there. */
async function checkDirectories({ settings, role }: Start): Promise<DoctorFinding[]> {
  if (settings.databaseUrl !== null && !DUTIES[role].posts) return [];
  const data = await checkDirectory({ ...DATA_DIRECTORY, directory: settings.dataDirectory });
  if (data.some(({ severity, code }) => severity === 'error' && code !== undefined)) return data;
  return settings.originalsS3 === null ? checkDirectory(originalsPlace(settings)) : [];
}

async function awaitRedis({ settings, signal, onWaiting }: Start): Promise<DoctorFinding[]> {
  const until = performance.now() + REDIS_WAIT_MS;
  for (;;) {
    const found = await checkRedis(settings);
    const [trouble] = found.filter(({ severity }) => severity === 'error');
    if (!trouble || performance.now() > until || signal.aborted) return found;
    onWaiting(trouble.message);
    await sleep(REDIS_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}
