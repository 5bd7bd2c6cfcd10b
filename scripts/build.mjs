// Builds dist/ from a clone: the Prisma client, the program, and the types that adapters outside are written against.
// Runs on `npm ci` (prepare), so it needs nothing but Node and the installed packages.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.mjs';
import { bundlePage } from './bundle-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.on('close', (code) => {
      if (code === 0) return resolve();
      process.stderr.write(output);
      process.exit(code ?? 1);
    });
  });
}

// `prisma generate` asks for a schema engine that it does not use; naming any executable keeps it from downloading one.
await run('node_modules/prisma/build/index.js', ['generate'], {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
});
if (!process.argv.includes('--client-only')) {
  rmSync(`${root}/dist`, { recursive: true, force: true });
  mkdirSync(`${root}/dist`);
  await Promise.all([
    bundleProgram(`${root}/dist`),
    bundlePage(`${root}/dist/simulator.html`),
    run('node_modules/typescript-native/bin/tsc', ['-p', 'tsconfig.build.json', '--checkers', '1']),
  ]);
}
