// docs/cli.md, written from the tree of commands: what it says is what `--help` says.
import type { Argument, Command } from 'commander';
import { EXIT } from './exit-codes.js';

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  failed: 'it did not work; standard error says why and what to do',
  usage: 'the command line or a setting was not understood',
  problems: 'the command ran, and what it looked at has problems',
  unavailable: 'there is nothing to do it with: no bridge, no database, no such tenant',
  declined: 'a person said no, or `--yes` was missing where nobody could be asked',
};

/** What changes something without asking; a test holds the tree of commands against it. */
export const UNASKED = [
  'token create',
  'user create',
  'user passwd',
  'incidents acknowledge',
  'sweep',
  'auth register',
  'auth login',
  'auth rotate-key',
  'tenant init',
  'adapter new',
  'db migrate',
] as const;

export function cliPage(program: Command): string {
  const codes = Object.entries(EXIT).map(
    ([name, code]) => `| ${String(code)} | ${EXIT_MEANINGS[name as keyof typeof EXIT]} |`,
  );
  const commands = program.commands.flatMap((command) => section(command, [program.name()]));
  return `# The command line

\`ledgerbridge <command> --help\` shows the same. Answers go to standard output, everything else to standard error; with
\`--json\` the answer is one JSON value. An act that takes something away, or moves documents or
money, asks first, unless \`--yes\` is given. What only adds something, sets something up or begins work that the schedule
would begin anyway does not ask: ${UNASKED.map((name) => `\`${name}\``).join(', ')}.
[Settings](settings.md) come from the environment. The page is written by \`npm run generate\`.

| Exit code | Meaning |
|---|---|
${codes.join('\n')}

${commands.join('\n')}`;
}

function section(command: Command, above: readonly string[]): readonly string[] {
  const path = [...above, command.name()];
  const children = command.commands.filter((child) => child.name() !== 'help');
  const usage = [
    ...path,
    ...command.registeredArguments.map(argumentText),
    ...(children.length > 0 ? ['…'] : []),
  ];
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description, defaultValue }) => {
      const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number';
      const fallback = isShown ? ` (default: ${String(defaultValue)})` : '';
      return `| \`${flags}\` | ${cell(description)}${fallback} |`;
    });
  const table = options.length === 0 ? '' : `\n| Option | Meaning |\n|---|---|\n${options.join('\n')}\n`;
  const text = `${'#'.repeat(above.length + 1)} \`${usage.join(' ')}\`\n\n${sentence(command.description())}\n${table}`;
  return [text, ...children.flatMap((child) => section(child, path))];
}

function argumentText(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}…` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
