// Takes over the tenants and keeps following their files. A broken file is said and never replaces a good one; a tenant that
// cannot be connected is said, keeps nobody else from working, and is tried again until it can, as when its secret is there.
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError, errorWords } from '../domain/errors/coded-error.js';
import type { TenantStore } from '../store/tenant-store.js';
import type { Log } from '../telemetry/log.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import type { LoadedTenants } from '../tenants/load-tenants.js';
import type { Tenant } from '../tenants/tenant.js';
import { watchTenants } from '../tenants/watch-tenants.js';
import type { Connections, NotConnected } from '../worker/connections.js';
import type { Schedules } from '../worker/schedules.js';
import { DUTIES, type Role } from './opened.js';

export interface FollowOptions {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly role: Role;
  readonly log: Log;
}

interface Followed {
  readonly loaded: LoadedTenants;
  readonly connections: Connections;
  readonly schedules: Schedules;
  readonly tenants: TenantStore;
}

/** Secrets lie in files that nobody tells us about: they are looked at this often, and so is whoever could not be connected. */
const LOOK_AGAIN_MS = 10_000;

export async function followTenants(options: FollowOptions, followed: Followed) {
  const { settings, env, log } = options;
  const { loaded } = followed;
  for (const problem of loaded.problems) log.warn({ problem }, 'a tenant file has a problem');
  const taking = takeOver(options, followed);
  await taking(loaded.tenants);
  const onFailure = (error: unknown) =>
    log.error({ err: error }, 'the changed tenants could not be taken over; it is tried again');
  const watch = watchTenants(loaded, {
    directory: settings.tenantsDirectory,
    env,
    onChange: (change) => {
      const { added, changed, removed, kept, problems } = change;
      log.info({ added, changed, removed, kept, problems }, 'tenant files changed');
      taking(change.tenants).catch(onFailure);
    },
    onError: (error) =>
      log.warn({ err: error }, 'the tenant files could not be read; the tenants stay as they were'),
  });
  const stopping = new AbortController();
  const looking = lookAgain(stopping.signal, () => taking(watch.current()).catch(onFailure));
  return {
    broken: watch.broken,
    stop: async () => {
      stopping.abort();
      await looking;
      await watch.stop();
    },
  };
}

async function lookAgain(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const slept = await sleep(LOOK_AGAIN_MS, true, { signal, ref: false }).catch(() => false);
    if (slept) await look();
  }
}

interface News {
  readonly log: Log;
  readonly down: Map<string, string>;
  readonly failures: readonly NotConnected[];
}

/** Nothing bad is on record of it. */
const WELL = '';

/** One at a time, in the order of the changes. */
function takeOver(options: FollowOptions, followed: Followed) {
  const { connections, schedules } = followed;
  const scheduling = DUTIES[options.role].schedules;
  const down = new Map<string, string>();
  const haveFiles = new Set(followed.loaded.files.map((file) => basename(file).replace(/\.ya?ml$/, '')));
  let before: readonly string[] | null = null;
  let turn: Promise<void> = Promise.resolve();
  const once = async (wanted: readonly Tenant[]) => {
    const failures = await connections.update(wanted);
    if (scheduling) await schedules.update(wanted.filter(({ name }) => connections.tenant(name) !== null));
    await tell({ log: options.log, down, failures }, followed);
    const names = wanted.map(({ name }) => name);
    const gone = before?.filter((name) => !names.includes(name));
    before = names;
    for (const name of names) haveFiles.add(name);
    for (const name of gone ?? []) {
      haveFiles.delete(name);
      down.delete(name);
    }
    // At the start too: a file may have been deleted while no bridge ran.
    if (scheduling && followed.loaded.isComplete && gone?.length !== 0)
      await followed.tenants.filesGone([...haveFiles]);
  };
  return (wanted: readonly Tenant[]): Promise<void> => {
    turn = turn.catch(() => undefined).then(() => once(wanted));
    return turn;
  };
}

/** Says what is new: who cannot be connected now, and who can again. `down`: tenant → what was said of it. */
async function tell({ log, down, failures }: News, { connections, tenants }: Followed): Promise<void> {
  const failing = new Set(failures.map(({ tenant }) => tenant.name));
  const up = connections.names().filter((name) => !failing.has(name) && down.get(name) !== WELL);
  if (up.length > 0) await tenants.connect(up);
  for (const name of up) {
    if (down.has(name)) log.info({ tenant: name }, 'the tenant is connected again');
    down.set(name, WELL);
  }
  for (const { tenant, error } of failures) {
    const { name, file } = tenant;
    const why = errorWords(error);
    const { message } = why;
    if (down.get(name) === message) continue;
    log.error({ tenant: name, file, err: error }, 'the tenant cannot be connected; it is tried again');
    const { code, remedy } =
      error instanceof CodedError
        ? { code: error.code, remedy: error.definition.remedy }
        : { remedy: 'Look at the log, then at its file.' };
    const goesOn = connections.tenant(name) !== null;
    await tenants.cannotConnect({ name, goesOn, file, why, code, remedy });
    down.set(name, message);
  }
}
