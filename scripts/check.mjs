// `npm run check`: format, lint, types, architecture and unit tests; under a minute, before every commit.
import { spawn } from 'node:child_process';

const steps = [
  ['format', 'prettier --check --log-level warn --cache --cache-location node_modules/.cache/prettier .'],
  ['types', 'tsc -p tsconfig.json'],
  ['lint', 'eslint --cache --cache-location node_modules/.cache/eslint/ .'],
  ['tests', 'vitest run --project unit --project architecture'],
];

function run(name, command) {
  const started = Date.now();
  return new Promise((resolve) => {
    let output = '';
    const child = spawn('npx', ['--no-install', ...command.split(' ')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('close', (code) => {
      console.log(`${code === 0 ? '✓' : '✕'} ${name} ${((Date.now() - started) / 1000).toFixed(1)} s`);
      if (code !== 0) console.log(output);
      resolve(code === 0);
    });
  });
}

const results = [];
for (const pair of [steps.slice(0, 2), steps.slice(2)]) {
  results.push(...(await Promise.all(pair.map(([name, command]) => run(name, command)))));
}
process.exit(results.every(Boolean) ? 0 : 1);
