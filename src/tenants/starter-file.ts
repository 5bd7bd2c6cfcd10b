// The file that `tenant init` writes: complete, commented, and as short as the adapter allows. What a person has to fill in
// stands as <…>; `tenant validate` finds whatever was left so.
import { stringify } from 'yaml';
import * as z from 'zod';
import type { ErpSchema } from './check-erp.js';
import { isObject } from './schema-walk.js';

export interface Starter {
  readonly name: string;
  readonly title: string;
  readonly environment: 'production' | 'development';
  readonly adapter: ErpSchema;
  /** Where they are not given, a person fills them in. */
  readonly registrationNo?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Path of tenant.schema.json as seen from the tenant file. */
  readonly schemaPath: string;
}

export function starterFile(starter: Starter): string {
  const { name, title, environment, adapter, schemaPath } = starter;
  const secrets = `file:../secrets/${name}`;
  const maintenance =
    environment === 'development'
      ? `  maintenanceCode: ${secrets}/maintenance_code # development only\n`
      : '';
  return `# yaml-language-server: $schema=${schemaPath}
# One tenant of ledgerbridge. Check it with: ledgerbridge tenant validate
name: ${name} # never changes: records and logs name the tenant by it
title: ${stringify(title).trim()}

source: # the account at the invoicing service
  environment: ${environment} # or ${environment === 'production' ? 'development' : 'production'}
  baseUrl: ${starter.baseUrl ?? '<the address of the invoicing service>'} # without /api/v1
  registrationNo: '${starter.registrationNo ?? '<the kennitala of the company>'}' # the bridge refuses any other account
${maintenance}  auth:
    type: credentials # or oauth: clientId, redirectUri
    username: ${name}
    apiKey: ${secrets}/api_key # secrets by reference only: file:path, which needs no restart, or env:NAME

# The first issue date that is booked here. Without it the tenant connects but posts nothing.
# cutOver: 2026-01-01

erp: # where the books are
  adapter: ${adapter.name}
${settingsOf(adapter)}
rules: # what differs from the rules it extends; docs/reference/mapping.md lists them all
  extends: [default]
  # accounts:
  #   receivable: '1500'

# schedule:
#   cron: '*/5 * * * *' # every five minutes
#   timeZone: Atlantic/Reykjavik
# limits:
#   source: { requestsPerSecond: 20, concurrency: 4 }
# notifications:
#   webhooks:
#     - url: ${secrets}/webhook
# paused: true
`;
}

function settingsOf({ configuration }: ErpSchema): string {
  const schema: unknown = z.toJSONSchema(configuration, { io: 'input', unrepresentable: 'any' });
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const required =
    isObject(schema) && Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const lines = Object.entries(properties).map(([key, property]) => {
    const about =
      isObject(property) && typeof property['description'] === 'string'
        ? ` # ${property['description']}`
        : '';
    return required.includes(key) ? `    ${key}: <the ${key}>${about}` : `    # ${key}:${about}`;
  });
  const hasRequired = required.length > 0;
  if (lines.length === 0) return '';
  return `${hasRequired ? '  settings:' : '  # settings:'}\n${lines.join('\n')}\n`;
}
