// The `erp:` part of a tenant file, judged by the adapter it names.
import type { z } from 'zod';
import { ERP_ADAPTERS } from '../erp/registry.js';
import { explainIssues } from './explain-issue.js';
import { nearest } from './nearest.js';
import type { CreateErp } from './ledger-of.js';
import type { YamlFile } from './read-yaml.js';
import { isObject } from './schema-walk.js';
import type { TenantErp, TenantProblem } from './tenant.js';

/** Of an adapter only what judges settings; the registry's definitions have it. */
export interface ErpSchema {
  readonly name: string;
  readonly configuration: z.ZodType;
  readonly create?: CreateErp;
}

export interface CheckedErp {
  readonly erp: TenantErp | null;
  readonly create?: CreateErp | undefined;
  readonly problems: readonly TenantProblem[];
}

export function checkErp(tenant: YamlFile, adapters: readonly ErpSchema[] = ERP_ADAPTERS): CheckedErp {
  const erp = isObject(tenant.value) ? tenant.value['erp'] : undefined;
  if (!isObject(erp) || typeof erp['adapter'] !== 'string') return { erp: null, problems: [] };
  const problem = (path: readonly PropertyKey[], message: string, remedy: string): TenantProblem => ({
    severity: 'error',
    file: tenant.file,
    ...tenant.locate(path),
    path: path.map(String).join('.'),
    message,
    remedy,
  });
  const name = erp['adapter'];
  const adapter = adapters.find((known) => known.name === name);
  if (!adapter) {
    const names = adapters.map((known) => known.name);
    const near = nearest(name, names);
    const remedy = near ? `Did you mean "${near}"?` : `Known: ${names.join(', ')}.`;
    return {
      erp: null,
      problems: [problem(['erp', 'adapter'], `There is no ERP adapter "${name.slice(0, 60)}".`, remedy)],
    };
  }
  const settings = erp['settings'] ?? {};
  const judged = adapter.configuration.safeParse(settings);
  if (judged.success) {
    return { erp: { adapter: name, settings: judged.data }, create: adapter.create, problems: [] };
  }
  const context = {
    schema: adapter.configuration,
    value: settings,
    written: () => null,
    mayRepeat: false,
  };
  const problems = explainIssues(judged.error.issues, context).map(({ path, pointAt, message, remedy }) => {
    const full = ['erp', 'settings', ...path];
    const position = pointAt === 'key' ? tenant.locateKey(full) : tenant.locate(full);
    return { ...problem(full, message, remedy), ...position };
  });
  return { erp: null, problems };
}
