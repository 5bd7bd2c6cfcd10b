import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMPILED_SOURCES, compiledSources } from './test/support/compiled-sources.js';
import OrderOfFiles from './test/support/order-of-files.js';

// Each project is one kind of promise; `npm run check` runs the quick ones, `npm test` all of them.
const project = (name: string, options: Record<string, unknown> = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    ...options,
  },
});

// Real processes, sockets and browsers on a machine that may be busy: CI tries a failed one once more before it believes it, and says so.
const retry = process.env['CI'] === 'true' ? 1 : 0;
// Each file has databases, servers and directories of its own, so files may share what they import: a worker reads it once.
const servicesOnly = {
  isolate: false,
  testTimeout: 180_000,
  hookTimeout: 240_000,
  retry,
  // A second, which is the rule, is what a busy machine may take to notice that a file was written.
  expect: { poll: { timeout: 15_000 } },
  globalSetup: ['test/support/children.ts'],
  setupFiles: ['test/support/clean-up.ts'],
  server: { deps: { external: [COMPILED_SOURCES] } },
};

const services = (name: string, options: Record<string, unknown> = {}) => ({
  ...project(name, { ...servicesOnly, ...options }),
  plugins: [compiledSources],
});

export default defineConfig({
  test: {
    // Service tests wait more than they compute: three more of them than there are processors.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: OrderOfFiles },
    reporters: ['default', './test/support/second-tries.ts'],
    projects: [
      // Pure functions keep nothing between files: one module graph for all of them is three times as quick.
      project('unit', { pool: 'threads', isolate: false, setupFiles: ['test/support/clean-up.ts'] }),
      project('architecture', { testTimeout: 120_000 }),
      project('property', { testTimeout: 120_000 }),
      services('conformance'),
      services('integration'),
      services('simulation'),
      services('e2e', { testTimeout: 240_000 }),
    ],
  },
});
