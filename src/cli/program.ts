// The tree of commands: what a run needs of it, or all of it for whoever describes the commands.
import { Command } from 'commander';
import type { CliIo } from './command.js';
import { COMMAND_GROUPS, type ListedCommand } from './commands.js';
import { VERSION } from './version.js';

const LISTED: readonly ListedCommand[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** Only the command that was asked for knows its options; the others are names that help lists and typos are held against. */
export async function programFor(argv: readonly string[], io: CliIo): Promise<Command> {
  await setTrust(io.env);
  const words = argv.filter((word) => !word.startsWith('-'));
  const asked = words[0] === 'help' ? words[1] : words[0];
  return program(
    io,
    LISTED.filter(({ name }) => name === asked),
  );
}

/** For the whole process, before any tenant file is read. Loaded only where something is set: most commands end before it matters. */
async function setTrust(env: CliIo['env']): Promise<void> {
  const plugins = env['LEDGERBRIDGE_PLUGINS'] ?? '';
  if (plugins !== '') (await import('../erp/allowed-plugins.js')).allowPlugins(plugins);
  if (env['LEDGERBRIDGE_PRIVATE_ADDRESSES'] === 'refuse')
    (await import('../http/allowed-addresses.js')).refusePrivateAddresses(true);
}

export function wholeProgram(io: CliIo): Promise<Command> {
  return program(io, LISTED);
}

async function program(io: CliIo, wanted: readonly ListedCommand[]): Promise<Command> {
  const loaded = root(io);
  for (const register of new Set(await Promise.all(wanted.map(({ load }) => load()))))
    register(loaded, io, () => wholeProgram(io));
  const known = root(io)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    // Where `help` itself stands.
    .commandsGroup(COMMAND_GROUPS.at(-1)?.heading ?? '');
  for (const { heading, commands } of COMMAND_GROUPS)
    for (const { name, about } of commands) {
      const command = loaded.commands.find((one) => one.name() === name) ?? new Command(name);
      known.addCommand(command.summary(about).helpGroup(heading));
    }
  return known;
}

function root(io: CliIo): Command {
  return (
    new Command('ledgerbridge')
      .description('Carries invoices and costs from the invoicing service into your ERP, each exactly once.')
      .usage('<command>')
      .version(VERSION)
      // What stands behind a subcommand is the subcommand's: `audit verify --json` is not `audit --json`.
      .enablePositionalOptions()
      .showHelpAfterError('(add --help for the options and examples)')
      .showSuggestionAfterError()
      .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
      .exitOverride()
  );
}
