// Builds dist/ from a clone: the Prisma client, the compiled TypeScript, the files that are not TypeScript.
// Runs on `npm ci` (prepare), so it needs nothing but Node and the installed packages.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(command, args, env = {}) {
  const done = spawnSync(process.execPath, [command, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (done.status !== 0) {
    process.stderr.write(done.stdout?.toString() ?? '');
    process.exit(done.status ?? 1);
  }
}

// `prisma generate` asks for a schema engine that it does not use; naming any executable keeps it from downloading one.
run('node_modules/prisma/build/index.js', ['generate'], {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
});
if (!process.argv.includes('--client-only')) {
  run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.build.json']);
  for (const assets of ['dashboard/assets', 'sandbox/assets', 'erp/skeleton/assets']) {
    if (existsSync(`${root}/src/${assets}`)) {
      cpSync(`${root}/src/${assets}`, `${root}/dist/${assets}`, { recursive: true });
    }
  }
}
