import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/cli/answer.js';
import { report } from '../../../src/cli/main.js';
import { wholeProgram } from '../../../src/cli/program.js';
import type { RegisterCommand } from '../../../src/cli/command.js';
import { COMMAND_GROUPS } from '../../../src/cli/commands.js';
import { UNASKED } from '../../../src/cli/cli-page.js';
import { EXIT } from '../../../src/cli/exit-codes.js';
import { progress } from '../../../src/cli/progress.js';
import { confirm } from '../../../src/cli/prompt.js';
import { table } from '../../../src/cli/table.js';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { Secret } from '../../../src/domain/secret.js';
import { Command } from 'commander';
import { emptyDirectory, fakeIo, run, type World } from './run-cli.js';

describe('the command line', () => {
  it('suggests the nearest command on a typo', async () => {
    const { code, err } = await run(['tenat']);
    expect(code).toBe(2);
    expect(err).toContain("unknown command 'tenat'");
    expect(err).toContain('(Did you mean tenant?)');
    expect((await run(['tenant', 'valdate'])).err).toContain('(Did you mean validate?)');
    expect((await run(['tenant', 'list', '--jsn'])).err).toContain('(Did you mean --json?)');
  });

  it('lists every command once, in its file, and says what each is for', async () => {
    const { io } = fakeIo();
    const registered = new Map<string, RegisterCommand>();
    for (const { load } of COMMAND_GROUPS.flatMap(({ commands }) => commands)) {
      const program = new Command();
      const register = await load();
      register(program, io, () => Promise.resolve(program));
      for (const command of program.commands) registered.set(command.name(), register);
    }
    const listed = COMMAND_GROUPS.flatMap(({ commands }) => commands);
    expect(listed.map(({ name }) => name).sort()).toEqual([...registered.keys()].sort());
    for (const { name, load } of listed) expect(await load(), name).toBe(registered.get(name));
    const { out } = await run(['--help']);
    for (const { name } of listed) expect(out).toMatch(new RegExp(`^  ${name} +[a-zA-Z]`, 'm'));
  });

  it('ends with 0 for help and version, 2 for usage', async () => {
    expect((await run(['--help'])).code).toBe(0);
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run(['tenant', 'show'])).code).toBe(2);
  });

  it('describes every command, and shows examples where there are several ways', async () => {
    const undescribed = (command: Command): string[] => [
      ...(command.description() === '' ? [command.name()] : []),
      ...command.commands.flatMap(undescribed),
    ];
    expect(undescribed(await wholeProgram(fakeIo().io))).toEqual([]);
    expect((await run(['tenant', '--help'])).out).toContain('Examples:\n  $ ledgerbridge tenant init hraun');
  });

  it('shows an example for every command, on its own page or on that of its group', async () => {
    const without: string[] = [];
    const look = async (command: Command, path: readonly string[], groupHas: boolean): Promise<void> => {
      const has = path.length > 0 && (await run([...path, '--help'])).out.includes('Examples:');
      if (command.commands.length === 0 && !has && !groupHas) without.push(path.join(' '));
      for (const child of command.commands) await look(child, [...path, child.name()], has);
    };
    await look(await wholeProgram(fakeIo().io), [], false);
    expect(without).toEqual([]);
  });

  it('refuses what no command knows with 2 and the way to its help', async () => {
    const paths = (command: Command, path: readonly string[]): (readonly string[])[] =>
      command.commands.flatMap((child) => [
        [...path, child.name()],
        ...paths(child, [...path, child.name()]),
      ]);
    for (const path of paths(await wholeProgram(fakeIo().io), [])) {
      const said = await run([...path, '--no-such-option']);
      expect(said.code, path.join(' ')).toBe(2);
      expect(said.err, path.join(' ')).toContain('add --help for the options and examples');
    }
  });

  it('leaves an option behind a subcommand to the subcommand', async () => {
    const data = await emptyDirectory();
    const world = { env: { LEDGERBRIDGE_DATA: data, USER: 'sigga' }, cwd: data };
    expect((await run(['audit', 'verify', '--json', '--limit', '3'], world)).err).toContain(
      "unknown option '--limit'",
    );
  });

  it.each([['status'], ['user list'], ['user revoke gudrun'], ['db status'], ['db verify']])(
    'looks for records without making any, and says what to start: %s',
    async (command) => {
      const data = await emptyDirectory();
      const said = await run(command.split(' '), {
        env: { LEDGERBRIDGE_DATA: join(data, 'none'), USER: 'sigga' },
        cwd: data,
      });
      expect(said.code).toBe(4);
      expect(said.err).toContain('no bridge has run here yet');
      expect(said.err).toContain('ledgerbridge serve');
      expect(await readdir(data)).toEqual([]);
    },
    // The first of them loads most of the program, which a busy machine takes its time for.
    60_000,
  );

  it('says in its page which changes are not asked about, and none of these claims to ask', async () => {
    const page = await readFile(new URL('../../../docs/reference/cli.md', import.meta.url), 'utf8');
    for (const name of UNASKED) {
      const command = name
        .split(' ')
        .reduce<Command | undefined>(
          (above, part) => above?.commands.find((one) => one.name() === part),
          await wholeProgram(fakeIo().io),
        );
      expect(command, name).toBeDefined();
      const flag = command!.options.find(({ long }) => long === '--yes');
      expect(flag?.description ?? '', name).not.toBe('do not ask');
      expect(page).toContain(`\`${name}\``);
    }
    const asking = (await wholeProgram(fakeIo().io)).commands.find((one) => one.name() === 'user')!;
    const revoke = asking.commands.find((one) => one.name() === 'revoke')!;
    expect(revoke.options.map(({ description }) => description)).toContain('do not ask');
  });

  it('has an exit code for each kind of ending, all of them documented', async () => {
    const page = await readFile(new URL('../../../docs/reference/cli.md', import.meta.url), 'utf8');
    expect(EXIT).toEqual({ ok: 0, failed: 1, usage: 2, problems: 3, unavailable: 4, declined: 5 });
    for (const code of Object.values(EXIT))
      expect(page).toMatch(new RegExp(`^\\| ${String(code)} +\\|`, 'm'));
  });

  it('says what to do next, with the code, and no stack for what a person can mend', () => {
    const { io, said } = fakeIo();
    expect(report(new CodedError('TENANT_UNKNOWN', 'There is no tenant "x".'), io)).toBe(4);
    expect(said().err).toBe(
      'There is no tenant "x".\n  TENANT_UNKNOWN: Look the name up with `ledgerbridge tenant list`.\n',
    );
  });

  it('shows a stack for its own mistakes, without secrets', () => {
    const { io, said } = fakeIo();
    expect(report(new Error(`oh ${new Secret('c4n4ry-cli').reveal()}`), io)).toBe(1);
    expect(said().err).toMatch(/^Unexpected, and a mistake of ledgerbridge: Error: oh \*\*\*\n +at /);
  });
});

describe('tables', () => {
  const columns = [
    { title: 'NAME', value: (row: { name: string }) => row.name },
    { title: 'AMOUNT', value: (row: { amount: string }) => row.amount, align: 'right' as const },
  ];
  const rows = [
    { name: 'Fjörður ehf.', amount: '1.234' },
    { name: 'x'.repeat(40), amount: '7' },
  ];

  it('are aligned and whole where nobody looks', () => {
    expect(table({ isTty: false }, columns, rows)).toBe(
      `${'NAME'.padEnd(40)}  AMOUNT\n${'Fjörður ehf.'.padEnd(40)}   1.234\n${'x'.repeat(40)}       7\n`,
    );
  });

  it('fit the terminal by cutting the widest column', () => {
    const lines = table({ isTty: true, columns: 30 }, columns, rows).split('\n');
    expect(lines[2]).toBe(`${'x'.repeat(21)}…       7`);
  });

  it('cannot be broken by newlines or control codes in a value', () => {
    expect(table({ isTty: false }, columns, [{ name: 'a\n\u001B[31mb\u001B[0m', amount: '1' }])).toBe(
      'NAME  AMOUNT\na b        1\n',
    );
  });
});

describe('asking', () => {
  const asked = async (world: World, yes?: boolean) => {
    const { io, said } = fakeIo(world);
    const went = await confirm(io, { consequence: 'This posts 3 documents.', question: 'Go ahead?', yes });
    return { went, ...said() };
  };

  it('goes ahead with --yes and says nothing', async () => {
    expect(await asked({}, true)).toEqual({ went: true, code: 0, out: '', err: '' });
  });

  it('changes nothing where nobody can be asked, and exits with 5', async () => {
    const { went, code, err } = await asked({});
    expect({ went, code }).toEqual({ went: false, code: 5 });
    expect(err).toBe(
      'This posts 3 documents.\nNothing was changed: nobody can be asked here. Add --yes to go ahead.\n',
    );
  });

  it.each(['y\n', 'Yes\n', 'já\n'])('takes %j for a yes', async (typed) => {
    expect(await asked({ typed })).toMatchObject({ went: true, code: 0 });
  });

  it.each(['\n', 'n\n', 'yesterday\n', ''])('takes %j for a no', async (typed) => {
    expect(await asked({ typed })).toMatchObject({ went: false, code: 5 });
  });
});

describe('answers', () => {
  it('in JSON hold nothing but JSON, and no secret', () => {
    const { io, said } = fakeIo();
    answer(io, { json: true }, { big: 10n, secret: new Secret('c4n4ry-x') }, () => 'text');
    expect(JSON.parse(said().out)).toEqual({ big: '10', secret: '***' });
  });
});

describe('progress', () => {
  it('is one living line on a terminal and a line each tenth elsewhere', () => {
    for (const [isTty, pattern] of [
      [true, /^(\r[█░]{24} posting \d+\/200)+\n$/],
      [false, /^(posting: \d+\/200\n){1,11}$/],
    ] as const) {
      const { io, said } = fakeIo({ isTty });
      const shown = progress(io, 'posting', 200);
      for (let count = 0; count < 200; count++) shown.advance();
      shown.done();
      expect(said().err).toMatch(pattern);
      expect(said().err).toContain('200/200');
    }
  });
});

describe('completion', () => {
  const offered = async (...words: string[]) => {
    const { out } = await run(['completion', 'bash']);
    const line = words.map((word) => `'${word}'`).join(' ');
    const probe = `${out}\nCOMP_WORDS=(ledgerbridge ${line}); COMP_CWORD=${String(words.length)}; _ledgerbridge; echo "\${COMPREPLY[@]}"`;
    const done = spawnSync('bash', ['--norc', '-c', probe], { encoding: 'utf8' });
    expect(done.stderr).toBe('');
    return done.stdout.trim().split(' ');
  };

  it('offers commands, subcommands and options in a real bash', async () => {
    expect(await offered('ten')).toEqual(['tenant']);
    expect(await offered('tenant', '')).toEqual(
      expect.arrayContaining(['init', 'list', 'validate', 'show', 'check']),
    );
    expect(await offered('tenant', 'show', 'hraun', '--')).toEqual([
      '--directory',
      '--rules',
      '--json',
      '--help',
    ]);
  });

  it('offers the words that an option takes, where it is that option', async () => {
    expect(await offered('adapter', 'new', 'my-erp', '--kind', '')).toEqual([
      'one-step',
      'draft-then-post',
      'partners',
    ]);
    expect(await offered('adapter', 'new', 'my-erp', '--kind', 'dr')).toEqual(['draft-then-post']);
    expect(await offered('map', '--kind', '')).not.toContain('partners');
    expect((await run(['completion', 'fish'])).out).toContain(
      "complete -c ledgerbridge -n '__fish_seen_subcommand_from adapter; and __fish_seen_subcommand_from new' -l kind -x -a 'one-step draft-then-post partners'",
    );
  });

  it('exists for zsh and fish, and for nothing else', async () => {
    expect((await run(['completion', 'zsh'])).out).toMatch(/^#compdef ledgerbridge\n/);
    expect((await run(['completion', 'fish'])).out).toContain(
      "complete -c ledgerbridge -n '__fish_seen_subcommand_from tenant; and not __fish_seen_subcommand_from init list validate show check' -f -a validate",
    );
    expect((await run(['completion', 'fish'])).out).toContain(
      "complete -c ledgerbridge -n '__fish_seen_subcommand_from sweep' -f -a '(ledgerbridge completion tenants 2>/dev/null)'",
    );
    expect((await run(['completion', 'tcsh'])).code).toBe(2);
  });
});
