import { defineConfig } from 'vitest/config';

// Each project is one kind of promise; `npm run check` runs the quick ones, `npm test` all of them.
const project = (name: string, options: Record<string, unknown> = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    ...options,
  },
});

const servicesOnly = { testTimeout: 120_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    projects: [
      project('unit'),
      project('architecture', { testTimeout: 60_000 }),
      project('property', { testTimeout: 120_000 }),
      project('conformance', servicesOnly),
      project('integration', servicesOnly),
      project('simulation', servicesOnly),
      project('e2e', { testTimeout: 240_000, hookTimeout: 240_000 }),
    ],
  },
});
