// The `erp:` part of a tenant file, judged by the adapter it names.
import { dirname } from 'node:path';
import type { z } from 'zod';
import { isPluginName, loadPlugin } from '../erp/plugins.js';
import { adapterInTheBox, ERP_ADAPTER_NAMES } from '../erp/registry.js';
import { explainIssues } from './explain-issue.js';
import { asSaid, message } from '../language/messages.js';
import { nearest } from './nearest.js';
import { type ProblemWords, problemWords } from './problem-words.js';
import type { CreateErp } from './identify-ledger.js';
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

async function loadAdapter(
  name: string,
  directory: string,
  adapters: readonly ErpSchema[] | undefined,
): Promise<ErpSchema | ProblemWords> {
  const found = adapters ? adapters.find((known) => known.name === name) : await adapterInTheBox(name);
  if (found) return found;
  if (isPluginName(name)) {
    const plugin = await loadPlugin(name, directory);
    if (plugin.outcome === 'loaded') return plugin.definition;
    return problemWords(asSaid(plugin.message), asSaid(plugin.remedy));
  }
  const names = adapters?.map((known) => known.name) ?? ERP_ADAPTER_NAMES;
  const near = nearest(name, names);
  const remedy =
    near === null
      ? message('ADAPTERS_KNOWN', { names: names.join(', ') })
      : message('DID_YOU_MEAN', { near });
  return problemWords(message('ADAPTER_UNKNOWN', { name: name.slice(0, 60) }), remedy);
}

/** `adapters`: instead of those in the box and in packages. */
export async function checkErp(tenant: YamlFile, adapters?: readonly ErpSchema[]): Promise<CheckedErp> {
  const erp = isObject(tenant.value) ? tenant.value['erp'] : undefined;
  if (!isObject(erp) || typeof erp['adapter'] !== 'string') return { erp: null, problems: [] };
  const problem = (path: readonly PropertyKey[], words: ProblemWords): TenantProblem => ({
    severity: 'error',
    file: tenant.file,
    ...tenant.locate(path),
    path: path.map(String).join('.'),
    ...words,
  });
  const name = erp['adapter'];
  const adapter = await loadAdapter(name, dirname(tenant.file), adapters);
  if ('message' in adapter) return { erp: null, problems: [problem(['erp', 'adapter'], adapter)] };
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
    page: 'adapters',
  } as const;
  const problems = explainIssues(judged.error.issues, context).map(({ path, pointAt, words }) => {
    const full = ['erp', 'settings', ...path];
    const position = pointAt === 'key' ? tenant.locateKey(full) : tenant.locate(full);
    return { ...problem(full, words), ...position };
  });
  return { erp: null, problems };
}
