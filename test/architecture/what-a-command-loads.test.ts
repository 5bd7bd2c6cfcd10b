// A command that asks one question answers at once because of what it does not load. The clock of a busy machine proves nothing, so
// this follows the imports of the program as it is bundled: everything that is loaded before the answer.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let inputs: Metafile['inputs'];
beforeAll(async () => {
  const { bundle } = (await import('../../scripts/bundle.mjs')) as {
    bundle: (options: object) => Promise<{ metafile: Metafile }>;
  };
  const entryPoints = ['src/cli/main.ts'];
  inputs = (await bundle({ entryPoints, outdir: 'unwritten', write: false, metafile: true })).metafile.inputs;
}, 60_000);

/** Packages, and files of ours, that loading these files loads; what is imported later, by whoever needs it, is not among them. */
function loadedBy(...files: readonly string[]): { packages: string[]; ours: string[] } {
  const seen = new Set<string>();
  const visit = (file: string) => {
    const input = inputs[file];
    if (!input || seen.has(file)) return;
    seen.add(file);
    for (const { path, kind } of input.imports) if (kind !== 'dynamic-import') visit(path);
  };
  for (const file of files) {
    expect(inputs[file], file).toBeDefined();
    visit(file);
  }
  const packages = [...seen].flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(file)?.[1] ?? [],
  );
  return {
    packages: [...new Set(packages)].sort(),
    ours: [...seen].filter((file) => /^(src|lab)\//.test(file)),
  };
}

describe('what a command loads', () => {
  it('is for --help and --version the parser of the command line and no other package', () => {
    const { packages, ours } = loadedBy('src/cli/main.ts');
    expect(packages).toEqual(['commander']);
    expect(ours.filter((file) => !/^src\/(cli|domain)\//.test(file))).toEqual([]);
    expect(ours.filter((file) => file.startsWith('src/cli/')).length).toBeLessThan(10);
  });

  it.each(['status', 'documents', 'problems', 'explain', 'logs', 'open', 'records', 'completion'])(
    'is for a question neither Prisma nor queues, adapters, HTTP or logs: %s',
    (command) => {
      const { packages, ours } = loadedBy(
        'src/cli/main.ts',
        `src/cli/${command}.ts`,
        'src/bridge/open-reading.ts',
      );
      const heavy =
        /^(@prisma\/|@opentelemetry\/|@bull-board\/|bullmq|ioredis|undici|pino|fastify|nodemailer|pdfkit|yaml$)/;
      expect(packages.filter((name) => heavy.test(name))).toEqual([]);
      expect(packages).toContain('pg');
      // The texts of an ERP are words, as those of src/language are.
      const rooms = /^src\/(erp\/[a-z-]+\/(?!texts\.ts)|worker|dashboard|api|service|notifications)|^lab\//;
      expect(ours.filter((file) => rooms.test(file))).toEqual([]);
    },
  );

  it('is of a CommonJS package that is imported later its default alone: in the bundle it has no other names', () => {
    const later = Object.entries(inputs).flatMap(([file, { imports }]) =>
      imports
        .filter(({ path, kind }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
        .map(({ original = '' }) => ({ file, original })),
    );
    const ours = later.filter(({ file }) => /^(src|lab)\//.test(file));
    expect(ours.map(({ original }) => original)).toContain('undici');
    const byName = ours.filter(
      ({ file, original }) =>
        !readFileSync(`${root}/${file}`, 'utf8').includes(
          `default: ${original} } = await import('${original}')`,
        ),
    );
    expect(byName).toEqual([]);
  });

  it('is for what is kept of the tenant files no package at all', () => {
    const { packages, ours } = loadedBy('src/tenants/tenant-cards.ts');
    expect(packages).toEqual([]);
    expect(ours.filter((file) => !/^src\/(domain|tenants\/tenant-cards)/.test(file))).toEqual([]);
  });

  it('is for a tenant file the schema of its own adapter, and nothing that talks to anybody', () => {
    const { packages, ours } = loadedBy('src/tenants/load-tenants.ts');
    expect(packages).not.toContain('undici');
    expect(ours.filter((file) => /^src\/erp\/[a-z-]+\/(?!texts\.ts)/.test(file))).toEqual([]);
  });
});
