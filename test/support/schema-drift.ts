// What Prisma's own schema engine would change in a database to make it what schema.prisma says. It runs as WASM on the
// same driver as the bridge, so nothing is downloaded.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engineGlue from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { Secret } from '../../src/domain/secret.js';

export const SCHEMA_PATH = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url));

type Engine = typeof engineGlue.SchemaEngine;

// @types/node leaves out the parts of WebAssembly that browsers' typings bring.
interface WebAssemblyConstructors {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { exports: { __wbindgen_start(): void } };
}

let engineClass: Engine | null = null;

/** The package expects a bundler to link its WASM; here it is done by hand. */
function loadEngine(): Engine {
  if (engineClass !== null) return engineClass;
  const { Module, Instance } = Reflect.get(globalThis, 'WebAssembly') as WebAssemblyConstructors;
  const entry = fileURLToPath(import.meta.resolve('@prisma/schema-engine-wasm'));
  const module = new Module(readFileSync(entry.replace('schema_engine.js', 'schema_engine_bg.wasm')));
  const { exports } = new Instance(module, { './schema_engine_bg.js': engineGlue });
  (engineGlue as unknown as { __wbg_set_wasm(exports: object): void }).__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  engineClass = engineGlue.SchemaEngine;
  return engineClass;
}

const ONE_BYTE_COLUMNS = new Set(['constraint_type', 'confdeltype', 'confupdtype']);

/** The engine asks for columns of PostgreSQL's one-byte type, which the driver adapter does not know. */
function readableDriver(url: Secret): SqlDriverAdapterFactory {
  const factory = new PrismaPg({ connectionString: url.reveal() });
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      const ask = adapter.queryRaw.bind(adapter);
      adapter.queryRaw = async (query) => {
        const sql = query.sql
          .replace('constr.contype AS', 'constr.contype::text AS')
          .replaceAll(/\bcon\.(confdeltype|confupdtype),/g, 'con.$1::text AS $1,');
        const answer = await ask({ ...query, sql });
        const columnTypes = answer.columnTypes.map((type, index) =>
          ONE_BYTE_COLUMNS.has(answer.columnNames[index] ?? '') ? ColumnTypeEnum.Character : type,
        );
        return { ...answer, columnTypes };
      };
      return adapter;
    },
  };
}

/** SQL that would bring the database to the schema; empty when they agree. */
export async function schemaDrift(url: Secret, schema = readFileSync(SCHEMA_PATH, 'utf8')): Promise<string> {
  const adapter = bindSqlAdapterFactory(readableDriver(url));
  const files = [{ path: SCHEMA_PATH, content: schema }];
  const engine = await loadEngine().new({ datamodels: [[SCHEMA_PATH, schema]] }, () => undefined, adapter);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const sql = (stdout ?? '').trim();
    return sql === '-- This is an empty migration.' ? '' : sql;
  } finally {
    engine.free();
  }
}
