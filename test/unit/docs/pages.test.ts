// What every page must keep: its links and commands are of today, and it can be found from the index.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { wholeProgram } from '../../../src/cli/program.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(resolve(ROOT, path)));
const docs = files.filter((path) => path.startsWith('docs/') && path.endsWith('.md'));
const readmes = files.filter((path) => /^src\/erp\/.*README\.md$/.test(path));
const pages = [...docs, ...readmes, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Of a tenant, of an adapter of somebody's own, or of a built program. */
const IN_AN_INSTALLATION = /^config\/(tenants|secrets)|^src\/(fake-erp|authorization)\.ts$/;

/** As GitHub makes them from headings. */
function anchorsOf(page: string): string[] {
  const headings = [...page.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the pages for people', () => {
  it.each(pages)('%s links only to pages and headings that are there', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g)];
    const missing = links.filter(([, link = '', anchor]) => {
      const target = link === '' ? path : relative(ROOT, resolve(ROOT, dirname(path), link));
      if (!existsSync(resolve(ROOT, target))) return true;
      // The changelog is history: its headings may be gone.
      return anchor !== undefined && path !== 'CHANGELOG.md' && !anchorsOf(read(target)).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('are all in the index of docs/README.md', () => {
    const index = read('docs/README.md');
    const others = docs.filter((path) => path !== 'docs/README.md');
    expect(others.filter((path) => !index.includes(`(${relative('docs', path)})`))).toEqual([]);
  });

  it('end within 250 lines, reference excepted, and the README within 120', () => {
    const lines = (path: string) => read(path).split('\n').length - 1;
    const long = docs.filter((path) => !path.startsWith('docs/reference/') && lines(path) > 250);
    expect(long).toEqual([]);
    expect(lines('README.md')).toBeLessThanOrEqual(120);
  });

  it('name files of the repository that are there', () => {
    const missing = [...docs, 'README.md', 'CONTRIBUTING.md'].flatMap((path) =>
      [...read(path).matchAll(/`((?:src|lab|test|scripts|prisma|deploy|config|spec|bin)\/[\w./-]+)`/g)]
        .map(([, named = '']) => [path, named] as const)
        .filter(([, named]) => !IN_AN_INSTALLATION.test(named) && !existsSync(resolve(ROOT, named))),
    );
    expect(missing).toEqual([]);
  });

  it('are where the program, its files and its tests say that they are', () => {
    const naming = files.filter((path) => /^(src|lab|scripts|deploy|config|test|bin)\/|^[^/]+$/.test(path));
    const missing = naming
      .filter((path) => !path.includes('/generated/') && !/\.(png|tgz|gz|pdf)$/.test(path))
      .flatMap((path) =>
        [...read(path).matchAll(/(?<![\w/.])docs\/[\w/-]+\.md/g)].map(([page]) => [path, page] as const),
      )
      .filter(([, page]) => !existsSync(resolve(ROOT, page)));
    expect(missing).toEqual([]);
  });
});

/** In fenced blocks, in lines that are indented as code, and between backticks. */
function commandsOn(page: string): string[] {
  const blocks = [...page.matchAll(/^```\w*[^\n]*\n([^]*?)^```/gm)].map(([, block = '']) => block);
  const indented = [...page.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line);
  const code = [...blocks, ...indented].join('\n');
  const spans = page.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`(?:npx )?ledgerbridge ([^`\n]+)`/g);
  const typed = code.matchAll(/^(?:\$ )?(?:npx ledgerbridge|(?:node )?\S*ledgerbridge(?:\.js)?) (.+)$/gm);
  return [...spans, ...typed].map(([, line = '']) => line);
}

/** Words of a command line, without placeholders, what the shell does with its output, and what the page says of it. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.replaceAll(/\$\([^)]*\)|<[^>]*>|\[[^\]]*\]/g, '…').split(/ [|>&#]| {2,}/);
  const words = [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  return words.filter((word) => word !== '…');
}

/** What the program does not know of this command line. */
function unknownIn(words: readonly string[], program: Command): string[] {
  const unknown: string[] = [];
  let command = program;
  let argumentsSeen = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const child = command.commands.find((one) => one.name() === word);
    if (word.startsWith('-')) {
      const [flag = ''] = word.split('=');
      const option = [command, program].flatMap((one) => one.options).find(({ long, short }) => flag === long || flag === short);
      if (option === undefined && flag !== '-' && flag !== '--help') unknown.push(flag);
      if (option?.required === true && !word.includes('=')) index += 1;
    } else if (child !== undefined && argumentsSeen === 0) command = child;
    else {
      argumentsSeen += 1;
      const takes = command.registeredArguments;
      if (command === program || (argumentsSeen > takes.length && takes.at(-1)?.variadic !== true))
        unknown.push(word);
    }
  }
  return unknown;
}

describe('the commands on the pages', async () => {
  const program = await wholeProgram({
    stdin: Readable.from([]),
    out: () => undefined,
    err: () => undefined,
    env: {},
    cwd: '/',
    isTty: false,
    signal: new AbortController().signal,
    setExitCode: () => undefined,
  });
  const written = pages
    .filter((path) => path !== 'CHANGELOG.md')
    .flatMap((path) => commandsOn(read(path)).map((line) => ({ path, line })));

  it('are many', () => {
    expect(written.length).toBeGreaterThan(100);
  });

  it('are commands of the program, with options and arguments that it takes', () => {
    const wrong = written.filter(({ line }) => unknownIn(wordsOf(line), program).length > 0);
    expect(wrong).toEqual([]);
  });

  it.each([['status --chekc'], ['tenant lits'], ['sweep hraun prufa'], ['frobnicate']])(
    'would be seen: %s',
    (line) => {
      expect(unknownIn(wordsOf(line), program)).not.toEqual([]);
    },
  );
});
