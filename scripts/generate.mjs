// `npm run generate`: writes the files that are made from code (docs/errors.md, docs/settings.md, the tenant JSON Schema, …).
// Runs under tsx, so it needs no build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GENERATED_FILES } from '../src/cli/generated-files.ts';
import { COMPILED, compileSpecification } from './compile-specification.mjs';

for (const { path, text } of GENERATED_FILES) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await text());
  console.log(path);
}

const compiled = fileURLToPath(COMPILED);
mkdirSync(dirname(compiled), { recursive: true });
writeFileSync(compiled, await compileSpecification());
console.log('src/simulation/specification/compiled-protocol.ts');
