import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GENERATED_FILES } from '../../../src/cli/generated-files.js';

describe('a generated file', () => {
  it.each(GENERATED_FILES)(
    '$path is what the code says now; run `npm run generate`',
    async ({ path, text }) => {
      expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(await text());
    },
  );
});
