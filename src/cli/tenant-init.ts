// `ledgerbridge tenant init`: a starter file that says by itself what to fill in. It never overwrites.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError } from '../domain/errors/coded-error.js';
import { erpAdapter } from '../erp/registry.js';
import { starterFile } from '../tenants/starter-file.js';
import { tenantName } from '../tenants/tenant-schema.js';
import type { CliIo } from './command.js';
import { settingsOf } from './tenant-files.js';

export interface InitRequest {
  readonly name: string;
  readonly title?: string;
  readonly adapter: string;
  readonly environment: string;
  readonly registrationNo?: string;
  readonly baseUrl?: string;
  readonly directory?: string;
}

export async function initTenant(io: CliIo, request: InitRequest): Promise<void> {
  const { name, environment } = request;
  if (!tenantName.safeParse(name).success) {
    throw new CodedError(
      'CLI_USAGE',
      `"${name}" is not a tenant name: 1 to 40 of a–z, 0–9 and "-", a letter first.`,
    );
  }
  if (environment !== 'production' && environment !== 'development') {
    throw new CodedError('CLI_USAGE', `"${environment}" is not an environment: production or development.`);
  }
  const adapter = erpAdapter(request.adapter);
  const { directory } = await settingsOf(io, request);
  const file = join(directory, `${name}.yaml`);
  const text = starterFile({
    name,
    title: request.title ?? name,
    environment,
    adapter,
    registrationNo: request.registrationNo,
    baseUrl: request.baseUrl,
    schemaPath: schemaPath(file),
  });
  await mkdir(directory, { recursive: true });
  await writeNew(file, text);
  io.out(`Wrote ${relative(io.cwd, file)}.\n`);
  io.out(
    'Next: fill in what stands as <…>, write the secrets into the files it names, then run `ledgerbridge tenant validate`.\n',
  );
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new CodedError('TENANT_EXISTS', `${file} exists already and was left as it is.`);
    }
    throw error;
  }
}

/** The schema beside the configuration when there is one, else the one that came with the program. */
function schemaPath(file: string): string {
  const beside = resolve(dirname(file), '../tenant.schema.json');
  const bundled = fileURLToPath(new URL('../../config/tenant.schema.json', import.meta.url));
  return relative(dirname(file), existsSync(beside) ? beside : bundled);
}
