// The JSON Schema that editors check tenant files with, from the same zod schemas that the bridge judges them by.
// It knows every adapter's settings and every rule; what only code can judge (cron fields, time zones) it leaves open.
import * as z from 'zod';
import { tenantRules } from '../pipeline/mapping/rules.js';
import type { ErpSchema } from './check-erp.js';
import { isObject } from './schema-walk.js';
import { tenantFile } from './tenant-schema.js';

export type JsonSchema = Record<string, unknown>;

export function tenantJsonSchema(adapters: readonly ErpSchema[]): JsonSchema {
  const { properties, ...file } = toJsonSchema(tenantFile);
  const parts = isObject(properties) ? properties : {};
  return {
    ...file,
    title: 'ledgerbridge tenant',
    properties: { ...parts, erp: erpSchema(parts['erp'], adapters), rules: rulesSchema(parts['rules']) },
  };
}

/** An adapter in a package of its own, or at a path. */
const PACKAGE = { type: 'string', pattern: '^(@[^/]+/|ledgerbridge-|\\.{1,2}/)' };

function erpSchema(erp: unknown, adapters: readonly ErpSchema[]): JsonSchema {
  const description = isObject(erp) ? erp['description'] : undefined;
  return {
    description,
    type: 'object',
    required: ['adapter'],
    properties: { adapter: { anyOf: [{ enum: adapters.map(({ name }) => name) }, PACKAGE] }, settings: {} },
    additionalProperties: false,
    allOf: adapters.map(({ name, configuration }) => ({
      if: { properties: { adapter: { const: name } } },
      then: { properties: { settings: withoutDialect(toJsonSchema(configuration)) } },
    })),
  };
}

/** A tenant says only what differs from the rules it extends: nothing in them is required of its file. */
function rulesSchema(rules: unknown): JsonSchema {
  const own = isObject(rules) ? rules : {};
  const extended = isObject(own['properties']) ? own['properties'] : {};
  const whole = withoutRequired(withoutDialect(toJsonSchema(tenantRules))) as JsonSchema;
  const known = isObject(whole['properties']) ? whole['properties'] : {};
  return { ...whole, description: own['description'], properties: { ...extended, ...known } };
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

function withoutDialect({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function withoutRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRequired);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, inner]) => key !== 'required' || !Array.isArray(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutRequired(inner)]));
}
