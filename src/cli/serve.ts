// `ledgerbridge serve`: the bridge itself, until it is told to stop.
import { once } from 'node:events';
import type { RegisterCommand } from './command.js';
import { VERSION } from './version.js';

export const registerServe: RegisterCommand = (program, io) => {
  program
    .command('serve')
    .summary('run the bridge')
    .description(
      'Runs the bridge until it is stopped: finds documents, posts them, writes their status back.',
    )
    .option('--role <role>', 'all, worker, scheduler or dashboard; any number of each', 'all')
    .addHelpText(
      'after',
      `
Examples:
  ledgerbridge serve                     everything in one process, on the embedded database
  ledgerbridge serve --role worker       one more worker beside others (needs DATABASE_URL)

SIGTERM lets work in flight finish (LEDGERBRIDGE_SHUTDOWN_SECONDS), then stops.`,
    )
    .action(async (options: { role: string }) => {
      const { asRole, startBridge } = await import('../main.js');
      const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
      const { createLog } = await import('../telemetry/log.js');
      const role = asRole(options.role);
      const settings = readBridgeSettings(io.env, io.cwd);
      const log = createLog({ level: settings.logLevel, format: settings.logFormat, isTty: io.isTty });
      const bridge = await startBridge({ settings, env: io.env, role, version: VERSION, log });
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
      if (!io.signal.aborted) await once(io.signal, 'abort');
      log.info('stopping: work in flight may finish');
      await bridge.close();
      log.info('stopped');
    });
};
