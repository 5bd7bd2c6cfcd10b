// `ledgerbridge serve`: the bridge itself, until it is told to stop.
import { once } from 'node:events';
import { InvalidArgumentError, Option } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import { asRole, type Role } from '../bridge/opened.js';
import type { Log } from '../telemetry/log.js';
import type { CliIo, RegisterCommand } from './command.js';
import { endInTime } from './end-in-time.js';
import type { MoreWorkers } from './more-workers.js';
import { VERSION } from './version.js';

interface Flags {
  readonly role: string;
  readonly workers: number;
  readonly withParent?: true;
}

export const registerServe: RegisterCommand = (program, io) => {
  program
    .command('serve')
    .description(
      'Runs the bridge until it is stopped: finds documents, posts them, writes their status back.',
    )
    .option('--role <role>', 'all, worker, scheduler or dashboard; any number of each', 'all')
    .option(
      '-w, --workers <count>',
      'processes that post, this one included; one a core is enough',
      wholeNumber,
      1,
    )
    .addOption(new Option('--with-parent', 'stop with the process that started it').hideHelp())
    .addHelpText(
      'after',
      `
Examples:
  ledgerbridge serve                     everything in one process, on the embedded database
  ledgerbridge serve --workers 4         the same with three more processes that post
  ledgerbridge serve --role worker       one more worker beside others (needs DATABASE_URL)

Port, directories, configuration and Redis are looked at first, by the checks of \`ledgerbridge doctor\`; where something is
wrong, nothing is begun.

SIGTERM lets work in flight finish (LEDGERBRIDGE_SHUTDOWN_SECONDS), then stops; ten seconds later it ends by force.`,
    )
    .action(async (options: Flags) => {
      const { dropWhatStartNeeded, keepHeapLean } = await import('./lean-heap.js');
      const { makeStringsFast } = await import('./fast-strings.js');
      keepHeapLean();
      const { parentGone } = await import('./more-workers.js');
      const { startBridge } = await import('../bridge/start-bridge.js');
      const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
      const { createLog } = await import('../telemetry/log.js');
      const { systemdOf } = await import('./systemd.js');
      const role = asRole(options.role);
      mustPost(role, options.workers);
      const signal = options.withParent ? AbortSignal.any([io.signal, parentGone()]) : io.signal;
      const settings = readBridgeSettings(io.env, io.cwd);
      const log = createLog({ level: settings.logLevel, format: settings.logFormat, isTty: io.isTty });
      const { readyToStart } = await import('./doctor/check-start.js');
      const beforeServing = await readyToStart({
        ...{ settings, env: io.env, role, signal },
        onWaiting: (what) => log.warn({ why: what }, 'the bridge waits before it starts'),
      });
      const bridge = await startBridge({ settings, env: io.env, role, version: VERSION, log, beforeServing });
      log.info(
        {
          role,
          database: bridge.database.whereabouts,
          queues: bridge.queues.backend,
          address: bridge.http?.url ?? 'nothing is served',
          tenants: bridge.connections.names(),
        },
        'the bridge runs',
      );
      dropWhatStartNeeded();
      makeStringsFast();
      const others = await moreWorkers(io, options.workers, log);
      // A worker beside its parent keeps silent: it would say that the parent lives.
      const told = options.withParent ? {} : io.env;
      const systemd = systemdOf(told, (error) => log.warn({ err: error }, 'systemd was not told'));
      systemd.ready(`${role}, ${String(bridge.connections.names().length)} companies`);
      if (!signal.aborted) await once(signal, 'abort');
      systemd.stopping();
      endInTime(settings.shutdownMs, log);
      log.info('stopping: work in flight may finish');
      // The others first: this process may be the one that the embedded database lives in.
      await others?.stop();
      await bridge.close();
      log.info('stopped');
    });
};

const WORKERS_MAX = 64;

function wholeNumber(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= WORKERS_MAX) return count;
  throw new InvalidArgumentError(`A whole number from 1 to ${WORKERS_MAX} is needed.`);
}

function mustPost(role: Role, workers: number): void {
  if (workers === 1 || role === 'all' || role === 'worker') return;
  throw new CodedError('CLI_USAGE', `--workers is for processes that post; a ${role} posts nothing.`);
}

/** Null when this process is alone. What supervisors ask is answered by this one; the others take any free port. */
async function moreWorkers(io: CliIo, workers: number, log: Log): Promise<MoreWorkers | null> {
  if (workers === 1) return null;
  const { startMoreWorkers } = await import('./more-workers.js');
  const again = [...process.execArgv, process.argv[1] ?? '', 'serve', '--role', 'worker', '--with-parent'];
  const env = { ...io.env, LEDGERBRIDGE_PORT: '0' };
  return startMoreWorkers({ count: workers - 1, command: [process.execPath, ...again], env, log });
}
