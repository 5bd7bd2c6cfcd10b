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

const isCi = process.env['CI'] === 'true';
// Real processes, sockets and browsers on a machine that may be busy: CI tries a failed one once more before it believes it, and says so.
const retry = isCi ? 1 : 0;
// Each file has databases, servers and directories of its own, so files may share what they import: a worker reads it once.
const servicesOnly = {
  isolate: false,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  retry,
  // A second, which is the rule, is what a busy machine may take to notice that a file was written.
  expect: { poll: { timeout: 15_000 } },
  setupFiles: ['test/support/clean-up.ts'],
  // They wait more than they compute: three more of them than there are processors.
  maxWorkers: availableParallelism() + 3,
  sequence: { groupOrder: 1 },
};

const compiled = (name: string, options: Record<string, unknown>) => ({
  ...project(name, {
    globalSetup: ['test/support/children.ts'],
    server: { deps: { external: [COMPILED_SOURCES] } },
    ...options,
  }),
  plugins: [compiledSources],
});

const services = (name: string, options: Record<string, unknown> = {}) =>
  compiled(name, { ...servicesOnly, ...options });

// One project for all of these kinds, so that a worker keeps what it has read when the next file is of another kind. Whoever names one with
// `--project` is given that alone.
const SERVED = ['conformance', 'integration', 'simulation', 'e2e'];
const isOneKind = process.argv.some((word) => word.startsWith('--project'));

// Tests that only compute come first, as many at once as there are processors: each worker more would read all sources once more. In CI
// they are given the compiled sources, which are there for the others; elsewhere Vitest follows the sources, to know what a change is about.
const computing = (name: string, options: Record<string, unknown> = {}) =>
  (isCi ? compiled : project)(name, {
    maxWorkers: availableParallelism(),
    sequence: { groupOrder: 0 },
    ...options,
  });

export default defineConfig({
  test: {
    sequence: { sequencer: OrderOfFiles },
    reporters: ['default', './test/support/second-tries.ts'],
    projects: [
      // Pure functions keep nothing between files: one module graph for all of them is three times as quick.
      computing('unit', { pool: 'threads', isolate: false, setupFiles: ['test/support/clean-up.ts'] }),
      computing('architecture', { testTimeout: 120_000 }),
      computing('property', { testTimeout: 120_000 }),
      ...(isOneKind
        ? SERVED.map((kind) => services(kind))
        : [services('services', { include: SERVED.map((kind) => `test/${kind}/**/*.test.ts`) })]),
    ],
  },
});
