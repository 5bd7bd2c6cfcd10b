// `ledgerbridge adapter test` and `adapter new`: whether an adapter keeps the promises, and the beginning of a new one.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Option } from 'commander';
import { registerAdapter } from '../../src/cli/adapter.js';
import { answer, JSON_FLAG, type JsonOption } from '../../src/cli/answer.js';
import type { CliIo, RegisterCommand } from '../../src/cli/command.js';
import { EXIT } from '../../src/cli/exit-codes.js';
import { table } from '../../src/cli/table.js';
import { VERSION } from '../../src/cli/version.js';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import type { CapabilityRow } from './conformance/report.js';
import type { ConformanceTarget } from './conformance/target.js';
import { SKELETON_KINDS, type SkeletonKind } from './skeleton/write-skeleton.js';

export const registerAdapterWithKit: RegisterCommand = (program, io) => {
  const adapter = registerAdapter(program, io);
  adapter
    .command('test')
    .argument('<module>', 'a file or package that exports a `conformance` target')
    .description('run the conformance suite on an adapter, also one outside this repository')
    .option(...JSON_FLAG)
    .addHelpText('after', `\nExit code ${String(EXIT.problems)} when a promise is broken.`)
    .action((module: string, options: JsonOption) => testAdapter(io, module, options));
  adapter
    .command('new')
    .argument('<name>', 'small letters, digits and hyphens')
    .description('write the skeleton of an adapter into a new directory')
    .option('--directory <path>', 'where to write it (default: a directory of that name here)')
    .addOption(
      new Option(
        '--kind <kind>',
        'what the ERP is like: one-step books in one request, draft-then-post keeps drafts first, partners wants customers and suppliers of its own',
      )
        .choices(SKELETON_KINDS)
        .default('one-step'),
    )
    .option('--signed', 'requests carry a signature instead of a token')
    .action((name: string, options: NewOptions) => begin(io, name, options));
};

async function testAdapter(io: CliIo, module: string, options: JsonOption): Promise<void> {
  const target = await loadTarget(io, module);
  const { runConformance } = await import('./conformance/run-conformance.js');
  const { capabilityList, resultLine, summaryLine } = await import('./conformance/report.js');
  const say = options.json === true ? io.err : io.out;
  say(`${target.name}, judged by ${target.judge}\n`);
  const report = await runConformance(target, (result) => say(resultLine(result))).catch((cause: unknown) => {
    // Cases catch their own errors; what comes through is of the author's bed.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('ERP_ADAPTER_MODULE_INVALID', `The bed of ${target.name} does not work: ${why}`, {
      cause,
    });
  });
  if (report.cases.some(({ result }) => result === 'failed')) io.setExitCode(EXIT.problems);
  const columns = [
    { title: 'capability', value: (row: CapabilityRow) => row.name },
    { title: 'declared', value: (row: CapabilityRow) => row.value },
  ];
  const declared = () => table(io, columns, capabilityList(report.capabilities));
  answer(io, options, report, () => `\n${declared()}\n${summaryLine(report)}`);
}

interface NewOptions {
  readonly directory?: string;
  readonly kind: SkeletonKind;
  readonly signed?: true;
}

async function begin(io: CliIo, name: string, options: NewOptions): Promise<void> {
  const { writeSkeleton } = await import('./skeleton/write-skeleton.js');
  const directory = resolve(io.cwd, options.directory ?? name);
  const skeleton = { name, kind: options.kind, isSigned: options.signed === true };
  const files = await writeSkeleton(skeleton, directory, VERSION);
  io.out(`${files.map((file) => `  ${file}`).join('\n')}\n\nWritten to ${directory}. Next:\n`);
  io.out(
    `  cd ${directory}\n  npm install --save-dev <path>/ledgerbridge-${VERSION}.tgz   # made by \`npm pack\` in a clone\n`,
  );
  io.out('  npm run conformance\n');
}

/** A path starts with a dot or a slash; anything else is a package, looked up from where the command runs. */
async function loadTarget(io: CliIo, module: string): Promise<ConformanceTarget> {
  const isPath = /^[./]/.test(module) || module.endsWith('.js') || module.endsWith('.mjs');
  const loaded = await importModule(io, module, isPath);
  const target = 'conformance' in loaded ? loaded.conformance : loaded.default;
  if (isTarget(target)) return target;
  throw new CodedError(
    'ERP_ADAPTER_MODULE_INVALID',
    `${module} exports no \`conformance\` target with name, judge, notApplicable and open().`,
  );
}

interface LoadedModule {
  readonly conformance?: unknown;
  readonly default?: unknown;
}

async function importModule(io: CliIo, module: string, isPath: boolean): Promise<LoadedModule> {
  try {
    if (isPath) return (await import(pathToFileURL(resolve(io.cwd, module)).href)) as LoadedModule;
    const { createRequire } = await import('node:module');
    const found = createRequire(resolve(io.cwd, 'package.json')).resolve(module);
    return (await import(pathToFileURL(found).href)) as LoadedModule;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('ERP_ADAPTER_MODULE_INVALID', `${module} could not be loaded: ${why}`, { cause });
  }
}

function isTarget(value: unknown): value is ConformanceTarget {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'judge' in value &&
    'notApplicable' in value &&
    'open' in value &&
    typeof value.open === 'function'
  );
}
