// `npm run generate`: writes the files that are made from code (docs/reference/errors.md, docs/reference/settings.md, the tenant JSON Schema, …).
// Runs under tsx, so it needs no build.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GENERATED_FILES } from '../src/cli/generated-files.ts';
import { documentReportNames, withReports } from '../lab/kit/conformance/report.ts';
import { ERP_ADAPTER_NAMES } from '../src/erp/registry.ts';
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
console.log('lab/proof/specification/compiled-protocol.ts');

// What the suite last said of every adapter, and the capabilities that each declared while it ran.
const page = fileURLToPath(new URL('../docs/reference/adapters.md', import.meta.url));
const fileOf = (name) => new URL(`../test/conformance/reports/${name}.json`, import.meta.url);
const reportOf = (name) => JSON.parse(readFileSync(fileOf(name), 'utf8'));
const reports = ERP_ADAPTER_NAMES.map((name) => {
  const [documents] = documentReportNames(name)
    .filter((each) => existsSync(fileOf(each)))
    .map(reportOf)
    .slice(-1);
  return { usual: reportOf(name), documents };
});
writeFileSync(page, withReports(readFileSync(page, 'utf8'), reports));
console.log('docs/reference/adapters.md');
