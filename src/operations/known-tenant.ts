// A tenant that does not exist has no problems, which is no good news: whoever names one is told, with the nearest name.
import type { CodedError } from '../domain/errors/coded-error.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { nearest } from '../tenants/nearest.js';
import type { ReadingDeps } from './deps.js';

/** Known by its file, or by what is on record of it; undefined names none. */
export async function refuseUnknownTenant(
  { connections, records }: ReadingDeps,
  name: string | undefined,
): Promise<void> {
  if (name === undefined || connections.names().includes(name)) return;
  const onRecord = (await records.tenants()).map((tenant) => tenant.name);
  if (!onRecord.includes(name)) throw unknownTenant(name, [...connections.names(), ...onRecord]);
}

export function unknownTenant(name: string, known: readonly string[]): CodedError {
  const near = nearest(name, known);
  return coded('TENANT_UNKNOWN', message('NO_SUCH_TENANT', { name, ...(near === null ? {} : { near }) }));
}
