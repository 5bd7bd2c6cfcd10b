// docs/reference/cli.md, written from the tree of commands: what it says is what `--help` says.
import type { Argument, Command, Option } from 'commander';
import { EXIT } from './exit-codes.js';

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  failed: 'it did not work; standard error says why and what to do',
  usage: 'the command line or a setting was not understood',
  problems: 'the command ran, and what it looked at has problems',
  unavailable: 'there is nothing to do it with: no bridge, no database, no such tenant',
  declined: 'a person said no, or `--yes` was missing where nobody could be asked',
};

/** The words of `--yes` where it changes nothing. */
const NOT_ASKED = 'changes nothing here: this is not asked about';

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

/** An option that so many commands have with the same words is explained once. */
const COMMON_MIN = 10;

export function cliPage(program: Command): string {
  const codes = Object.entries(EXIT).map(
    ([name, code]) => `| ${String(code)} | ${EXIT_MEANINGS[name as keyof typeof EXIT]} |`,
  );
  const all = program.commands.flatMap((command) => withChildren(command));
  const common = commonOptions(all);
  const groups = groupedBy(program.commands, (command) => command.helpGroup());
  const sections = [...groups].map(([heading, commands]) => section(heading, commands, common));
  return `# The command line

\`ledgerbridge <command> --help\` shows the same. Answers go to standard output, everything else to standard error; with
\`--json\` the answer is one JSON value. An act that takes something away, or moves documents or
money, asks first, unless \`--yes\` is given. What only adds something, sets something up or begins work that the schedule
would begin anyway does not ask: ${UNASKED.map((name) => `\`${name}\``).join(', ')}.
[Settings](settings.md) come from the environment. The page is written by \`npm run generate\`.

| Exit code | Meaning |
|---|---|
${codes.join('\n')}

| Option of many commands | Meaning |
|---|---|
${[...common.values()].map((option) => `| \`${option.flags}\` | ${meaning(option)} |`).join('\n')}

${sections.join('\n')}`;
}

function groupedBy<T>(all: readonly T[], key: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

function withChildren(command: Command): readonly Command[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  return [command, ...children.flatMap(withChildren)];
}

const shownOptions = (command: Command) => command.options.filter(({ hidden }) => !hidden);
const sameWords = ({ flags, description }: Option) => `${flags} ${description}`;

function commonOptions(commands: readonly Command[]): ReadonlyMap<string, Option> {
  const alike = groupedBy(commands.flatMap(shownOptions), sameWords);
  return new Map(
    [...alike].flatMap(([words, [option, ...more]]) =>
      option !== undefined && more.length + 1 >= COMMON_MIN && option.description !== NOT_ASKED
        ? [[words, option]]
        : [],
    ),
  );
}

function section(heading: string, commands: readonly Command[], common: ReadonlyMap<string, Option>): string {
  const rows = commands.flatMap(withChildren).flatMap((command) => row(command, common));
  return `## ${heading.replace(/:$/, '')}\n\n| Command | What it does, with examples | Options |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** None for a command that only holds others. */
function row(command: Command, common: ReadonlyMap<string, Option>): readonly string[] {
  const options = shownOptions(command).filter(({ description }) => description !== NOT_ASKED);
  const special = options.filter((option) => !common.has(sameWords(option)));
  const usual = options
    .filter((option) => common.has(sameWords(option)))
    .map(({ short, long }) => `\`${short ?? long ?? ''}\``);
  const examples = examplesIn(command);
  if (options.length === 0 && examples.length === 0) return [];
  const usage = cell([...pathOf(command), ...command.registeredArguments.map(argumentText)].join(' '));
  const does = [cell(sentence(command.description())), ...examples].join('<br>');
  const takes = [...special.map((option) => `\`${option.flags}\` ${meaning(option)}`), usual.join(' ')];
  return [`| \`${usage}\` | ${does} | ${takes.filter((text) => text !== '').join('<br>')} |`];
}

function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

function meaning({ description, defaultValue }: Option): string {
  const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  return `${cell(description)}${isShown ? ` (default: ${String(defaultValue)})` : ''}`;
}

/** As its help has them: what to type, and what for. */
function examplesIn(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const lines = help.split('\n').filter((line) => /^ {2}(\$ )?(ledgerbridge|echo|cat) /.test(line));
  return lines.map((line) => {
    const [typed = '', ...purpose] = line.replace(/^ {2}(\$ )?/, '').split(/ {2,}/);
    return `\`${cell(typed)}\` ${cell(purpose.join(' '))}`.trimEnd();
  });
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
