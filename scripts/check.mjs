// `npm run check`: format, lint, types, architecture and unit tests; under a minute, before every commit, also on a new clone.
// Two lanes for two cores. `--for-ci` leaves the tests to `npm test`.
import { spawn } from 'node:child_process';

const SECONDS_MAX = 60;

const forCi = process.argv.includes('--for-ci');
// Several checkers would each look at what all files have in common: twice the work, and no sooner done on two cores.
const types = ['types', 'node node_modules/typescript-native/bin/tsc -p tsconfig.json --checkers 1'];
const format = ['format', 'node scripts/format.mjs --check'];
const lint = ['lint', 'node scripts/lint.mjs'];
const tests = ['tests', 'vitest run --project unit --project architecture'];
const lanes = forCi
  ? [[types, format], [lint]]
  : [
      [format, tests],
      [types, lint],
    ];

/** A lane has one core: the linter's compiler, which is written in Go, would share its work out over all of them at a loss. */
const ENV = { ...process.env, PATH: `node_modules/.bin:${process.env.PATH ?? ''}`, GOMAXPROCS: '1' };

const secondsSince = (started) => (Date.now() - started) / 1000;

function run(name, command) {
  const started = Date.now();
  return new Promise((resolve) => {
    let output = '';
    const [program, ...args] = command.split(' ');
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: ENV });
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => {
      console.log(`${code === 0 ? '✓' : '✕'} ${name} ${secondsSince(started).toFixed(1)} s`);
      resolve({ name, good: code === 0, output });
    });
  });
}

async function inTurn(lane) {
  const results = [];
  for (const [name, command] of lane) results.push(await run(name, command));
  return results;
}

const started = Date.now();
const results = (await Promise.all(lanes.map(inTurn))).flat();
const failed = results.filter(({ good }) => !good);
for (const { name, output } of failed) console.log(`\n— ${name} —\n${output}`);
const seconds = secondsSince(started);
console.log(`${failed.length === 0 ? 'all good' : `${failed.length} failed`}, ${seconds.toFixed(1)} s`);
if (seconds > SECONDS_MAX)
  console.log(`(more than ${SECONDS_MAX} s: cold caches or a busy machine; run it again)`);
process.exit(failed.length === 0 ? 0 : 1);
