// `ledgerbridge completion <shell>`: what the shell offers after Tab, written from the tree of commands itself.
import type { Command } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import { examples, type RegisterCommand } from './command.js';

interface Place {
  /** Names of the commands that lead here; empty at the root. */
  readonly path: readonly string[];
  readonly words: readonly { readonly word: string; readonly about: string }[];
}

export const registerCompletion: RegisterCommand = (program, io) => {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for your shell')
    .addHelpText(
      'after',
      examples(
        ['source <(ledgerbridge completion bash)', 'for this session'],
        ['ledgerbridge completion fish > ~/.config/fish/completions/ledgerbridge.fish', 'for good'],
      ),
    )
    .action((shell: string) => {
      const script = SCRIPTS[shell];
      if (!script)
        throw new CodedError('CLI_USAGE', `There is no completion for "${shell}"; known: bash, zsh, fish.`);
      io.out(script(places(program, [])));
    });
};

function places(command: Command, path: readonly string[]): readonly Place[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  const words = [
    ...children.map((child) => ({ word: child.name(), about: child.description() })),
    ...command.options.flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : [])),
    { word: '--help', about: 'display help for command' },
  ];
  return [{ path, words }, ...children.flatMap((child) => places(child, [...path, child.name()]))];
}

const SCRIPTS: Readonly<Record<string, (all: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: (all) => `#compdef ledgerbridge\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(all)}`,
  fish: fishScript,
};

/** Longest path first: arguments that follow a command still belong to it. */
function bashScript(all: readonly Place[]): string {
  const cases = [...all]
    .sort((a, b) => b.path.length - a.path.length)
    .map(({ path, words }) => {
      const pattern = path.length === 0 ? '*' : `"${path.map((name) => ` ${name}`).join('')}"*`;
      return `    ${pattern}) words="${words.map(({ word }) => word).join(' ')}" ;;`;
    });
  return `_ledgerbridge() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) ;; *) path="$path \${COMP_WORDS[i]}" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _ledgerbridge ledgerbridge
`;
}

function fishScript(all: readonly Place[]): string {
  const lines = all.flatMap(({ path, words }) => {
    const others = all
      .filter(
        (other) =>
          other.path.length === path.length + 1 && path.every((name, index) => other.path[index] === name),
      )
      .map((other) => other.path.at(-1) ?? '');
    const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
    const unseen = others.length > 0 ? [`not __fish_seen_subcommand_from ${others.join(' ')}`] : [];
    const condition = [...seen, ...unseen].join('; and ') || 'true';
    return words.map(({ word, about }) => {
      const offer = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c ledgerbridge -n '${condition}' ${offer} -d '${about.replaceAll("'", '’')}'`;
    });
  });
  return `${lines.join('\n')}\n`;
}
