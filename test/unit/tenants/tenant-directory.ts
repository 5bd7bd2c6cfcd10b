// A directory of tenant files for one test, and the adapter that their `erp:` part names.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { secretReference } from '../../../src/domain/secret-reference.js';
import { formatProblem } from '../../../src/tenants/format-problem.js';
import { loadTenants, type LoadedTenants } from '../../../src/tenants/load-tenants.js';

export const FULL_RULES = fileURLToPath(new URL('../../fixtures/tenants/full-rules.json', import.meta.url));

export const PAPER_LEDGER = {
  name: 'paper-ledger',
  configuration: z.strictObject({
    file: z.string().min(1).describe('Path of the ledger.'),
    token: secretReference.optional(),
    format: z.enum(['hledger', 'beancount']).default('hledger'),
  }),
};

export const GOOD = `name: hraun
title: Hraun slf.
source:
  environment: production
  baseUrl: https://invoicing.example
  auth:
    type: credentials
    username: hraun
    apiKey: env:HRAUN_API_KEY
cutOver: 2026-01-01
erp:
  adapter: paper-ledger
  settings:
    file: books/hraun.journal
rules:
  extends: [${FULL_RULES}]
`;

export type Files = Readonly<Record<string, string | Uint8Array>>;

export async function tenantDirectory(files: Files): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tenants-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  return directory;
}

export function load(directory: string, env?: Record<string, string>): Promise<LoadedTenants> {
  return loadTenants(directory, env, { adapters: [PAPER_LEDGER] });
}

export async function problemsOf(files: Files): Promise<readonly string[]> {
  const directory = await tenantDirectory(files);
  const { problems } = await load(directory);
  return problems.map((problem) => formatProblem(problem, directory));
}

/** The good file with some lines changed; fails when nothing changed, so that no test runs on a good file by mistake. */
export function changed(...edits: readonly (readonly [from: string, to: string])[]): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the good file has no "${from}"`);
    return text.replace(from, () => to);
  }, GOOD);
}
