import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CodedError, isCoded } from '../../../src/domain/errors/coded-error.js';
import { DISPOSITIONS } from '../../../src/domain/errors/definition.js';
import { ERROR_REGISTRY, ERROR_ROOMS } from '../../../src/domain/errors/registry.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const codes = Object.keys(ERROR_REGISTRY).sort();
const page = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8');

function sources(): string {
  return ['src', 'lab']
    .flatMap((top) =>
      readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => `${top}/${name}`),
    )
    .filter(
      (name) =>
        name.endsWith('.ts') &&
        !name.startsWith('src/domain/errors/') &&
        name !== 'src/cli/exit-codes.ts' &&
        !name.startsWith('src/store/generated/'),
    )
    .map((name) => readFileSync(join(ROOT, name), 'utf8'))
    .join('\n');
}

describe('the registry of errors', () => {
  it('documents every code, and documents no code that does not exist', () => {
    const documented = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, code]) => code);
    expect([...documented].sort()).toEqual(codes);
  });

  it('has no code that nothing in the bridge uses', () => {
    const text = sources();
    expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });

  it('gives each code to one room', () => {
    const all = Object.values(ERROR_ROOMS).flatMap((table) => Object.keys(table));
    expect(all.sort()).toEqual(codes);
  });

  it.each(Object.entries(ERROR_REGISTRY))(
    '%s says what it means and what to do, in sentences',
    (code, row) => {
      expect(code).toMatch(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/);
      expect(DISPOSITIONS).toContain(row.disposition);
      for (const sentence of [row.meaning, row.remedy]) expect(sentence).toMatch(/^[A-Z`].{8,}[.)]$/s);
    },
  );
});

describe('a coded error', () => {
  it('keeps its cause and details and knows its row', () => {
    const cause = new Error('below');
    const error = new CodedError('SECRET_MISSING', 'no', { cause, details: { reference: 'env:X' } });
    expect(error).toMatchObject({
      name: 'CodedError',
      code: 'SECRET_MISSING',
      cause,
      details: { reference: 'env:X' },
    });
    expect(error.definition.disposition).toBe('pause-tenant');
    expect(isCoded(error, 'SECRET_MISSING')).toBe(true);
    expect(isCoded(error, 'CLI_USAGE')).toBe(false);
    expect(isCoded(cause)).toBe(false);
  });
});
