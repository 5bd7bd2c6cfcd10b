// `ledgerbridge doctor`: everything that can be known about an installation without changing it, each finding with its fix.
// Works beside a running bridge and on a machine where nothing has run yet.
import { CodedError } from '../domain/errors/coded-error.js';
import { answer, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import type { DoctorFinding } from './doctor/finding.js';
import { EXIT } from './exit-codes.js';

interface Given {
  readonly json?: boolean;
  readonly offline?: boolean;
}

const SIGNS = { ok: '✓', warning: '▲', error: '✕' } as const;

export const registerDoctor: RegisterCommand = (program, io) => {
  program
    .command('doctor')
    .argument('[tenants...]', 'only these tenants (default: all)')
    .description(
      'Examines versions, configuration, port, database, Redis, clocks, disk, the store of originals, tenant files, secrets, credentials and ERPs, and says how to mend what is wrong. Changes nothing.',
    )
    .option(...JSON_FLAG)
    .option('--offline', 'ask neither the invoicing service nor an ERP')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge doctor', `everything; exits with ${EXIT.problems} when something is an error`],
        ['ledgerbridge doctor hraun', 'only this tenant beside the installation itself'],
        ['ledgerbridge doctor --offline --json', 'for a deployment script'],
      ),
    )
    .action(async (names: string[], given: Given) => {
      const findings = await examine(io, names, given.offline === true);
      const errors = findings.filter(({ severity }) => severity === 'error').length;
      const warnings = findings.filter(({ severity }) => severity === 'warning').length;
      answer(io, given, { healthy: errors === 0, errors, warnings, findings }, () => {
        const sum = errors + warnings === 0 ? 'All is well.' : `${errors} errors, ${warnings} warnings.`;
        return [...findings.map(asText), '', sum].join('\n');
      });
      if (errors > 0) io.setExitCode(EXIT.problems);
    });
};

async function examine(io: CliIo, names: readonly string[], offline: boolean): Promise<DoctorFinding[]> {
  const { checkDataDirectory, checkVersions } = await import('./doctor/check-machine.js');
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { failureOf } = await import('./doctor/finding.js');
  const versions = checkVersions();
  let settings;
  try {
    settings = readBridgeSettings(io.env, io.cwd);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return [...versions, failureOf('settings', error)];
  }
  const { checkDatabase } = await import('./doctor/check-database.js');
  const { checkRedis } = await import('./doctor/check-redis.js');
  const { checkTenants } = await import('./doctor/check-tenants.js');
  const { checkOriginals } = await import('./doctor/check-originals.js');
  const { checkConfiguration } = await import('./doctor/check-configuration.js');
  const { checkTrust } = await import('./doctor/check-trust.js');
  const { checkPort } = await import('./doctor/check-port.js');
  const disk = await checkDataDirectory(settings.dataDirectory);
  const [configuration, port, database, redis, originals] = await Promise.all([
    checkConfiguration(settings, Boolean(io.env['LEDGERBRIDGE_CONFIG'])),
    checkPort(settings),
    checkDatabase(settings),
    checkRedis(settings),
    checkOriginals(settings, offline),
  ]);
  const trust = await checkTrust(settings);
  const tenants = await checkTenants(io, settings, { names, offline });
  return [versions, disk, configuration, trust, port, database, redis, originals, tenants].flat();
}

function asText({ area, severity, message, remedy }: DoctorFinding): string {
  const next = remedy === undefined ? '' : `\n    → ${remedy}`;
  return `${SIGNS[severity]} ${area}: ${message}${next}`;
}
