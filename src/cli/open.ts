// `ledgerbridge open`: the page of a document in the dashboard, in the browser of whoever asks.
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { tenantOption, withReading } from './operate.js';

interface OpenOptions extends JsonOption {
  readonly tenant?: string;
  readonly print?: boolean;
}

export const registerOpen: RegisterCommand = (program, io) => {
  program
    .command('open <document>')
    .description('open the page of a document in the dashboard')
    .addOption(tenantOption())
    .option('--print', 'only print the address')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge open 2024-1187', 'in your browser'],
        ['ledgerbridge open 2024-1187 --print', 'its address, to send to somebody'],
      ),
    )
    .action((document: string, options: OpenOptions) =>
      withReading(io, 'none', async (reading) => {
        const id = await reading.identify(document, options.tenant);
        const url = `${await findDashboard(io)}/documents/${id}`;
        answer(io, options, { url }, () => url);
        // Where nobody sits before the machine, printing it is all that helps.
        if (io.isTty && options.print !== true && options.json !== true) await show(url);
      }),
    );
};

async function findDashboard(io: CliIo): Promise<string> {
  const { DEFAULT_PORT, readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { publicUrl, host, port } = readBridgeSettings(io.env, io.cwd);
  const reached = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return (
    publicUrl ?? `http://${reached.includes(':') ? `[${reached}]` : reached}:${String(port ?? DEFAULT_PORT)}`
  );
}

const OPENERS: Partial<Readonly<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

async function show(url: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [command, ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...before, url], { detached: true, stdio: 'ignore' });
  // The address was printed: without a browser that is enough.
  child.on('error', () => undefined);
  child.unref();
}
