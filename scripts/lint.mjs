// `npm run lint`: the rules of eslint.config.js, applied by a linter that asks the native compiler for types: seconds instead
// of minutes. The few rules that it does not know ESLint applies itself; `npx eslint .` applies all of them, to compare.
import { ESLint } from 'eslint';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** In the root, because its patterns count from where it lies. */
const CONFIG = `${root}.lint.json`;
const program = `${root}node_modules/.bin/oxlint`;

/** Files that share their rules, and one of each to ask ESLint about. */
const KINDS = [
  { files: ['src/**', 'lab/**'], sample: 'src/bridge/start-bridge.ts' },
  {
    files: ['src/pipeline/**', 'src/outbound/**', 'src/sync/**', 'src/domain/**'],
    sample: 'src/sync/posting-records.ts',
  },
  { files: ['test/**'], sample: 'test/support/children.ts' },
  { files: ['scripts/**', 'bin/**'], sample: 'scripts/lint.mjs' },
];

/** Whose default options ESLint spells out and the other linter does not know. */
const PLAIN = new Set(['eslint/preserve-caught-error']);

/** What they forbid is no module, or no program, to the compiler. */
const COMPILED = new Set(['no-octal', 'no-dupe-args']);

const known = new Set(
  JSON.parse(spawnSync(program, ['--rules', '--format=json'], { encoding: 'utf8' }).stdout).map(
    ({ scope, value }) => `${scope}/${value}`,
  ),
);

/** Its name there, or null when it is not known there. */
function translated(name) {
  const bare = name.replace(/^@typescript-eslint\//, '').replaceAll('-', '_');
  const candidates = [`typescript/${bare}`, `eslint/${bare}`].flatMap((one) => [
    one,
    one.replaceAll('_', '-'),
  ]);
  return candidates.find((one) => known.has(one))?.replaceAll('_', '-') ?? null;
}

const eslint = new ESLint({ cwd: root });
/** For ESLint: rules without types, which need nothing but the files. */
const left = [];
const overrides = await Promise.all(
  KINDS.map(async ({ files, sample }) => {
    const { rules } = await eslint.calculateConfigForFile(`${root}${sample}`);
    const own = {};
    const unknown = {};
    for (const [name, [severity, ...options]] of Object.entries(rules)) {
      const there = translated(name);
      if (there === null && severity > 0 && !COMPILED.has(name)) unknown[name] = [severity, ...options];
      if (there === null) continue;
      if (severity === 2 || own[there] === undefined)
        own[there] = severity === 0 ? 'off' : ['error', ...(PLAIN.has(there) ? [] : options)];
    }
    if (Object.keys(unknown).length > 0)
      left.push({
        files: files.map((one) => `${one}/*.{ts,mjs}`),
        languageOptions: { parser: tseslint.parser },
        plugins: { regexp },
        rules: unknown,
      });
    return { files, rules: own };
  }),
);
writeFileSync(
  CONFIG,
  JSON.stringify(
    {
      plugins: ['typescript'],
      categories: { correctness: 'off' },
      env: { node: true, es2024: true },
      overrides,
    },
    null,
    1,
  ),
);
const ignored = ['src/store/generated', 'src/**/assets/**', 'lab/**/assets/**', '**/fixtures/**'].flatMap(
  (one) => ['--ignore-pattern', one],
);
const { status } = spawnSync(
  program,
  [
    '--config',
    CONFIG,
    '--type-aware',
    '--tsconfig',
    `${root}tsconfig.json`,
    ...ignored,
    'src',
    'lab',
    'test',
    'scripts',
    'bin',
  ],
  { cwd: root, stdio: 'inherit' },
);
rmSync(CONFIG);

const rest = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: [{ ignores: ['src/store/generated/**'] }, ...left],
});
const found = await rest.lintFiles(left.flatMap(({ files }) => files));
const text = await (await rest.loadFormatter()).format(found);
if (text !== '') console.log(text);
process.exit(text === '' ? (status ?? 1) : 1);
