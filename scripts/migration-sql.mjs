// Prints the SQL of prisma/schema.prisma as a whole, by Prisma's own engine in WASM: no binary is
// downloaded. Usage: node scripts/migration-sql.mjs postgresql://… (any database: the engine wants a connection)
import { readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

// The package exports only the bundler entry, which Node cannot load; the files beside it can be.
const packageRoot = new URL('../node_modules/@prisma/schema-engine-wasm/', import.meta.url);
const engine = await import(new URL('schema_engine_bg.js', packageRoot).href);
const wasm = readFileSync(new URL('schema_engine_bg.wasm', packageRoot));
const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), { './schema_engine_bg.js': engine });
engine.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const connectionString = process.argv[2];
const path = 'prisma/schema.prisma';
const schema = { path, content: readFileSync(new URL(`../${path}`, import.meta.url), 'utf8') };
const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString }));
const schemaEngine = await engine.SchemaEngine.new(
  { datamodels: [[schema.path, schema.content]] },
  () => undefined,
  adapter,
);
const result = await schemaEngine.diff({
  from: { tag: 'empty' },
  to: { tag: 'schemaDatamodel', files: [schema] },
  script: true,
  exitCode: null,
  shadowDatabaseUrl: null,
  filters: { externalTables: [], externalEnums: [] },
});
process.stdout.write(result.stdout ?? '');
