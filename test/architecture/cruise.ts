// Reads a tree of modules with the rules of the house (.dependency-cruiser.cjs).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IConfiguration } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const RULES = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as IConfiguration;

export async function cruiseTree(baseDir: string): Promise<ICruiseResult> {
  const { enhancedResolveOptions, tsConfig: _tsConfig, ...options } = RULES.options ?? {};
  const { output } = await cruise(
    ['src', 'lab'].filter((top) => existsSync(join(baseDir, top))),
    { ...options, baseDir, validate: true, ruleSet: { forbidden: RULES.forbidden ?? [] } },
    { ...enhancedResolveOptions },
    { tsConfig: extractTSConfig(`${ROOT}tsconfig.json`) },
  );
  if (typeof output === 'string') throw new TypeError('dependency-cruiser answered with text');
  return output;
}
