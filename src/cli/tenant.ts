// `ledgerbridge tenant`: the files that say for whom the bridge works.
import type { Command } from 'commander';
import type { LoadedTenants } from '../tenants/load-tenants.js';
import type { TenantProblem } from '../tenants/tenant.js';
import { answer, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { table } from './table.js';
import { findTenant, readSettings, type TenantOptions } from './tenant-files.js';
import type { ShowOptions } from './tenant-show.js';

export const registerTenant: RegisterCommand = (program, io) => {
  const tenant = program
    .command('tenant')
    .description('tenant files: write, check and show them')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge tenant init hraun', 'write config/tenants/hraun.yaml, commented'],
        ['ledgerbridge tenant validate', 'all problems of all files, with their lines'],
        ['ledgerbridge tenant show hraun --rules', 'what is in force, and where it comes from'],
        ['ledgerbridge tenant check hraun', 'sign in, and look at the ERP'],
      ),
    );
  command(tenant, 'init <name>', 'write a commented starter file')
    .option('--title <text>', 'the company, as people call it (default: the name)')
    .option('--registration-no <kennitala>', 'kennitala of the company; the bridge refuses any other account')
    .option('--base-url <address>', 'address of the invoicing service, without /api/v1')
    .option('--adapter <name>', 'ERP adapter', 'file')
    .option('--environment <name>', 'production or development', 'production')
    .option('--sandbox', 'for the simulated service on this machine: nothing has to be filled in')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge tenant init hraun --title "Hraun slf." --adapter odoo', 'for Odoo'],
        ['ledgerbridge tenant init prufa --sandbox', 'to try it: docs/tutorial.md'],
      ),
    )
    .action(async (name: string, options: InitOptions) => {
      const { initTenant } = await import('./tenant-init.js');
      await initTenant(io, { name, ...options });
    });
  command(tenant, 'list', 'list the tenants')
    .option(...JSON_FLAG)
    .action((options: TenantOptions) => list(io, options));
  command(tenant, 'validate', 'check every tenant file and show all problems at once')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      `\nExit code ${String(EXIT.problems)} when a file has an error; warnings alone are fine.`,
    )
    .action((options: TenantOptions) => validate(io, options));
  command(tenant, 'show <name>', 'show what is in force for a tenant, secrets masked')
    .option('--rules', 'the effective rules in full')
    .option(...JSON_FLAG)
    .action(async (name: string, options: ShowOptions) => {
      const { showTenant } = await import('./tenant-show.js');
      const { directory } = await readSettings(io, options);
      showTenant(io, await findTenant(io, directory, name), options);
    });
  command(tenant, 'check <name>', 'sign in to the invoicing service and look at the ERP, changing nothing')
    .option(...JSON_FLAG)
    .action(async (name: string, options: TenantOptions) => {
      const { checkTenant } = await import('./tenant-check.js');
      const { directory } = await readSettings(io, options);
      await checkTenant(io, await findTenant(io, directory, name), options);
    });
};

interface InitOptions {
  readonly sandbox?: boolean;
  readonly title?: string;
  readonly adapter: string;
  readonly environment: string;
  readonly directory?: string;
}

function command(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option(
      '-d, --directory <path>',
      'directory of tenant files (default: tenants/ under LEDGERBRIDGE_CONFIG)',
    );
}

async function load(io: CliIo, options: TenantOptions): Promise<LoadedTenants & { directory: string }> {
  const { directory } = await readSettings(io, options);
  const { loadTenants } = await import('../tenants/load-tenants.js');
  return { ...(await loadTenants(directory, io.env)), directory };
}

async function list(io: CliIo, options: TenantOptions): Promise<void> {
  const { tenants, problems, directory } = await load(io, options);
  const rows = tenants.map((tenant) => ({
    name: tenant.name,
    title: tenant.title,
    environment: tenant.source.environment,
    erp: tenant.erp.adapter,
    cutOver: tenant.cutOver,
    schedule: `${tenant.schedule.cron} ${tenant.schedule.timeZone}`,
    paused: tenant.paused,
    file: tenant.file,
  }));
  answer(io, options, rows, () =>
    rows.length === 0
      ? `No tenants in ${directory}. Write the first with: ledgerbridge tenant init <name>`
      : table(
          io,
          [
            { title: 'NAME', value: ({ name }) => name },
            { title: 'TITLE', value: ({ title }) => title },
            { title: 'SOURCE', value: ({ environment }) => environment },
            { title: 'ERP', value: ({ erp }) => erp },
            { title: 'CUT-OVER', value: ({ cutOver }) => cutOver ?? 'not set' },
            { title: 'SCHEDULE', value: ({ schedule }) => schedule },
            { title: 'PAUSED', value: ({ paused }) => (paused ? 'yes' : 'no') },
          ],
          rows,
        ),
  );
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) return;
  io.err(`${count(errors, 'error')} in tenant files: run \`ledgerbridge tenant validate\`.\n`);
  io.setExitCode(EXIT.problems);
}

async function validate(io: CliIo, options: TenantOptions): Promise<void> {
  const { tenants, problems, files, directory } = await load(io, options);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const { formatProblem } = await import('../tenants/format-problem.js');
  answer(
    io,
    options,
    { valid: errors.length === 0, files: files.length, tenants: tenants.length, problems },
    () => {
      const lines = problems.map((problem) => formatProblem(problem, io.cwd));
      return [...lines, summary(files.length, problems, directory)].join('\n');
    },
  );
  if (errors.length > 0) io.setExitCode(EXIT.problems);
}

function summary(files: number, problems: readonly TenantProblem[], directory: string): string {
  if (files === 0 && problems.length === 0) {
    return `No tenant files in ${directory}. Write the first with: ledgerbridge tenant init <name>`;
  }
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const found = `${count(errors, 'error')}, ${count(problems.length - errors, 'warning')}`;
  return `${count(files, 'tenant file')}: ${problems.length === 0 ? 'all good' : found}.`;
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
