// `ledgerbridge sandbox`: the invoicing service on this machine, until Ctrl-C.
import { InvalidArgumentError } from 'commander';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import type { ErpLedger } from './erp-ledger/server.js';
import type { AccountOptions, SandboxOptions } from './options.js';
import type { Sandbox } from './start-sandbox.js';
import type { CliIo, RegisterCommand } from '../../src/cli/command.js';

const PORT_DEFAULT = 4010;
const DOCUMENTS_MAX = 1_000_000;

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly accounts: number;
  readonly documents?: number;
  readonly account: readonly string[];
  readonly seed: string;
  readonly development?: true;
  readonly maintCode?: string;
  readonly fault: readonly string[];
  readonly choice: readonly string[];
  readonly now?: string;
  readonly freeze?: true;
  readonly journal: number;
  readonly erp?: number | true;
  readonly json?: true;
}

export const registerSandbox: RegisterCommand = (program, io) => {
  program
    .command('sandbox')
    .description('Run the invoicing service itself on this machine: both APIs, generated companies, faults.')
    .option('-p, --port <port>', 'port to listen on; 0 takes a free one', wholeNumber(65_535), PORT_DEFAULT)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('-a, --accounts <count>', 'how many companies to generate', wholeNumber(1_000), 2)
    .option('-d, --documents <count>', 'invoices and costs for each of them', wholeNumber(DOCUMENTS_MAX))
    .option('--account <fields>', 'one company as name=…,username=…,apiKey=…; repeatable', collect, [])
    .option('--seed <text>', 'the same seed gives the same companies and faults', '1')
    .option('--development', 'the development environment: calls need en4_maint_code')
    .option('--maint-code <code>', 'that code')
    .option('-f, --fault <fault>', 'kind[@endpoint][,name=value…]; repeatable', collect, [])
    .option('-c, --choice <name=value>', 'decide where the API documents are silent; repeatable', collect, [])
    .option('--now <instant>', "start the service's clock here (ISO 8601)")
    .option('--freeze', 'stop the clock')
    .option('--journal <entries>', 'requests remembered', wholeNumber(1_000_000), 10_000)
    .option('--erp [port]', 'also run the ERP ledger that counts entries', wholeNumber(65_535))
    .option('--json', 'print what was started as one line of JSON')
    .addHelpText('after', EXAMPLES)
    .action((flags: Flags) => run(io, flags));
};

const EXAMPLES = `
Examples:
  ledgerbridge sandbox
  ledgerbridge sandbox --accounts 1 --documents 5000 --erp
  ledgerbridge sandbox --account username=demo,apiKey=secret,name='Demo ehf.',difficulty=troubled
  ledgerbridge sandbox --fault rate-limit@get-costs,times=3,retryAfterSeconds=2 --fault lost-reply@update-*,probability=0.1
  ledgerbridge sandbox --development --choice creditSign=negative --choice pageSizeMax=100

All faults and choices: docs/reference/sandbox.md`;

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function wholeNumber(max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number > max)
      throw new InvalidArgumentError(`A whole number from 0 to ${max} is needed.`);
    return number;
  };
}

async function run(io: CliIo, flags: Flags): Promise<void> {
  const { startSandbox } = await import('./start-sandbox.js');
  const options = await readOptions(flags);
  const sandbox = await understandably(() => startSandbox(options), flags.port);
  let ledger: ErpLedger | null = null;
  try {
    if (flags.erp !== undefined) {
      const { startErpLedger } = await import('./erp-ledger/server.js');
      const port = flags.erp === true ? 0 : flags.erp;
      ledger = await understandably(() => startErpLedger({ host: flags.host, port }), port);
    }
    io.out(flags.json ? asJson(sandbox, ledger) : asText(sandbox, ledger));
    await stopped(io.signal);
  } finally {
    await sandbox.close();
    await ledger?.close();
  }
}

async function readOptions(flags: Flags): Promise<SandboxOptions> {
  const { readAccountFlag, readChoiceFlag, readFaultFlag } = await import('./flags.js');
  return understandably(() => {
    const named = flags.account.map(readAccountFlag);
    const generated: AccountOptions[] = Array.from({ length: flags.accounts }, () => ({}));
    const documents =
      flags.documents === undefined
        ? {}
        : { invoices: Math.ceil(flags.documents / 2), costs: Math.floor(flags.documents / 2) };
    if (flags.now !== undefined && Number.isNaN(Date.parse(flags.now)))
      throw new RangeError(`--now takes an instant such as 2026-01-31T12:00:00Z, not "${flags.now}".`);
    return {
      host: flags.host,
      port: flags.port,
      environment: flags.development ? 'development' : 'production',
      seed: flags.seed,
      accounts: (named.length > 0 ? named : generated).map((account) => ({ ...documents, ...account })),
      faults: flags.fault.map(readFaultFlag),
      choices: Object.assign({}, ...flags.choice.map(readChoiceFlag)) as SandboxOptions['choices'] & object,
      journalSize: flags.journal,
      frozen: flags.freeze ?? false,
      ...(flags.maintCode === undefined ? {} : { maintCode: flags.maintCode }),
      ...(flags.now === undefined ? {} : { now: flags.now }),
    };
  }, flags.port);
}

/** RangeError is the sandbox's word for an option it cannot take. */
async function understandably<T>(act: () => T | Promise<T>, port: number): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RangeError)
      throw new CodedError('SANDBOX_OPTION_INVALID', error.message, { cause: error });
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new CodedError('SANDBOX_PORT_TAKEN', `Port ${port} is in use.`, { cause: error });
    throw error;
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function asJson(sandbox: Sandbox, ledger: ErpLedger | null): string {
  const { url, environment, accounts, maintCode } = sandbox;
  const maintenance = environment === 'development' ? { maintCode } : {};
  return `${JSON.stringify({ url, environment, ...maintenance, accounts, erpLedger: ledger?.url ?? null })}\n`;
}

const ACCOUNTS_SHOWN = 5;

function asText(sandbox: Sandbox, ledger: ErpLedger | null): string {
  const { url, environment, accounts, maintCode } = sandbox;
  const code = environment === 'development' ? `&en4_maint_code=${maintCode}` : '';
  const first = accounts[0];
  const lines = [
    `The invoicing service (${environment}) runs on this machine, in memory.`,
    '',
    `  In your browser   ${url}/        make documents, approve costs, watch statuses change`,
    `  Credential API    ${url}/api/v1/`,
    `  Agent API         ${url}/api/v1/agent/   OAuth at ${url}/strax/agent/`,
    ...(ledger === null ? [] : [`  ERP ledger        ${ledger.url}/`]),
    ...(code === '' ? [] : [`  Every call needs  en4_maint_code=${maintCode}`]),
    '',
    ...accounts
      .slice(0, ACCOUNTS_SHOWN)
      .flatMap((account) => [
        `  ${account.name}  (kt. ${account.registrationNo})`,
        `    username ${account.username}   api_key ${account.apiKey}   password ${account.password}`,
      ]),
    ...(accounts.length > ACCOUNTS_SHOWN
      ? [`  and ${accounts.length - ACCOUNTS_SHOWN} more, in the browser`]
      : []),
    '',
    ...(first === undefined
      ? []
      : [
          '  Try it:',
          `    curl -u ${first.username}:${first.apiKey} '${url}/api/v1/get-invoices?accounting_status=Created&limit=1${code}'`,
          '',
        ]),
    'Ctrl-C stops it; nothing is kept. Faults, choices, the control API: docs/reference/sandbox.md',
  ];
  return `${lines.join('\n')}\n`;
}
