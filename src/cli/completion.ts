// `ledgerbridge completion <shell>`: what the shell offers after Tab, written from the tree of commands itself.
import type { Command } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import { POSTING_STATES } from '../domain/posting.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';

interface Place {
  /** Names of the commands that lead here; empty at the root. */
  readonly path: readonly string[];
  /** Its first argument names a tenant. */
  readonly takesTenant: boolean;
  readonly words: readonly { readonly word: string; readonly about: string }[];
  /** Options of this command that take one of a few words. */
  readonly choices: readonly { readonly flag: string; readonly values: readonly string[] }[];
}

export const registerCompletion: RegisterCommand = (program, io, whole) => {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish; or what the script itself asks for: tenants, states, causes')
    .description('print a completion script for your shell')
    .addHelpText(
      'after',
      examples(
        ['source <(ledgerbridge completion bash)', 'for this session'],
        ['ledgerbridge completion fish > ~/.config/fish/completions/ledgerbridge.fish', 'for good'],
      ),
    )
    .action(async (shell: string) => {
      if (isWordList(shell)) {
        io.out((await findWords(io, shell)).map((word) => `${word}\n`).join(''));
        return;
      }
      const script = SCRIPTS[shell];
      if (!script)
        throw new CodedError('CLI_USAGE', `There is no completion for "${shell}"; known: bash, zsh, fish.`);
      io.out(script(places(await whole(), [])));
    });
};

function places(command: Command, path: readonly string[]): readonly Place[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  const words = [
    ...children.map((child) => ({ word: child.name(), about: child.description() })),
    ...command.options.flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : [])),
    { word: '--help', about: 'display help for command' },
  ];
  const takesTenant = command.registeredArguments[0]?.name() === 'tenant';
  const choices = command.options.flatMap(({ long, argChoices: values }) =>
    long && values ? [{ flag: long, values }] : [],
  );
  return [
    { path, words, takesTenant, choices },
    ...children.flatMap((child) => places(child, [...path, child.name()])),
  ];
}

/** Options whose values are known: what is offered after them. `-c` means something else in every command, so `--cause` alone. */
const VALUES = [
  { flags: ['-t', '--tenant'], list: 'tenants' },
  { flags: ['-s', '--state'], list: 'states' },
  { flags: ['--cause'], list: 'causes' },
] as const;
type WordList = (typeof VALUES)[number]['list'];

function isWordList(text: string): text is WordList {
  return VALUES.some(({ list }) => list === text);
}

/** Quick, since somebody waits after a key: names of files, a list, and for causes alone a look at the records. */
async function findWords(io: CliIo, list: WordList): Promise<readonly string[]> {
  switch (list) {
    case 'tenants': {
      const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
      const { readdir } = await import('node:fs/promises');
      const names = await readdir(readBridgeSettings(io.env, io.cwd).tenantsDirectory).catch(() => []);
      return names.flatMap((name) => /^([a-z][a-z0-9-]*)\.yaml$/.exec(name)?.[1] ?? []).sort();
    }
    case 'states':
      return POSTING_STATES;
    case 'causes': {
      const { withReading } = await import('./operate.js');
      const problems = await withReading(io, 'none', (reading) => reading.problems());
      // A shell splits at spaces, so that only codes can be offered; each stands for all of its causes.
      const causes = problems.filter(({ incidentId }) => incidentId === null);
      return [...new Set(causes.map(({ code }) => code))].sort();
    }
  }
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
    .map(({ path, words, takesTenant }) => {
      const pattern = path.length === 0 ? '*' : `"${path.map((name) => ` ${name}`).join('')}"*`;
      const names = takesTenant ? ' $(ledgerbridge completion tenants 2>/dev/null)' : '';
      return `    ${pattern}) words="${words.map(({ word }) => word).join(' ')}${names}" ;;`;
    });
  const chosen = all.flatMap(({ path, choices }) =>
    choices.map(
      ({ flag, values }) =>
        `    "${path.map((name) => ` ${name}`).join('')}"*" ${flag}") words="${values.join(' ')}" ;;\n`,
    ),
  );
  return `_ledgerbridge() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) ;; *) path="$path \${COMP_WORDS[i]}" ;; esac
  done
  case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in
${chosen.join('')}${VALUES.map(({ flags, list }) => `    ${flags.map((flag) => `*" ${flag}"`).join(' | ')}) words="$(ledgerbridge completion ${list} 2>/dev/null)" ;;`).join('\n')}
    *)
      case "$path" in
${cases.join('\n')}
      esac
      ;;
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
  const values = VALUES.map(({ flags, list }) => {
    const named = flags.map((flag) =>
      flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    return `complete -c ledgerbridge ${named.join(' ')} -x -a '(ledgerbridge completion ${list} 2>/dev/null)'`;
  });
  const tenants = all
    .filter(({ takesTenant }) => takesTenant)
    .map(({ path }) => {
      const condition = path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
      return `complete -c ledgerbridge -n '${condition}' -f -a '(ledgerbridge completion tenants 2>/dev/null)'`;
    });
  const chosen = all.flatMap(({ path, choices }) =>
    choices.map(({ flag, values: words }) => {
      const condition = path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
      return `complete -c ledgerbridge -n '${condition}' -l ${flag.slice(2)} -x -a '${words.join(' ')}'`;
    }),
  );
  return `${[...lines, ...values, ...chosen, ...tenants].join('\n')}\n`;
}
