// The OpenAPI 3.1 document, made from the routes: what it says is what is checked.
import * as z from 'zod';
import { problemDocument } from './problem.js';
import type { Route } from './route.js';
import { ROUTES } from './routes.js';

export const API_PREFIX = '/api/v1';

type Json = Record<string, unknown>;

export function openApiDocument(version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of ROUTES) {
    const path = (paths[route.path] ??= {});
    path[route.method] = operationOf(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'ledgerbridge operator API',
      version,
      description:
        'What an operator sees and does. Errors are problem+json with the codes of docs/reference/errors.md. Lists go by key: pass `next` as `after`. Writes take an Idempotency-Key.',
    },
    servers: [{ url: API_PREFIX }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Made with `ledgerbridge token create`.' },
      },
      schemas: components,
    },
  };
}

function operationOf(route: Route, components: Json): Json {
  const isWrite = route.method !== 'get';
  return {
    summary: route.summary,
    description: `Role: ${route.role} or more.`,
    tags: [route.tag],
    operationId: `${route.method}${route.path.replaceAll(/[/{}-]+(\w?)/g, (_whole, next: string) => next.toUpperCase())}`,
    parameters: [
      ...parametersOf(route.params, 'path', components),
      ...parametersOf(route.query, 'query', components),
      ...(isWrite ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(route.body, 'input', components) } },
          },
        }
      : {}),
    responses: {
      [String(route.status)]: {
        description: 'Done.',
        content: contentOf(route, components),
      },
      default: {
        description: 'A problem.',
        content: { 'application/problem+json': { schema: schemaOf(problemDocument, 'output', components) } },
      },
    },
  };
}

function contentOf({ response, textTypes }: Route, components: Json): Json {
  const schema = schemaOf(response, 'output', components);
  const types = textTypes.length > 0 ? textTypes : ['application/json'];
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same request with the same key is done once; the answer is remembered for a day.',
  schema: { type: 'string', minLength: 1, maxLength: 100 },
};

function parametersOf(shape: z.ZodObject | undefined, place: 'path' | 'query', components: Json): Json[] {
  return Object.entries((shape?.shape ?? {}) as Record<string, z.core.$ZodType>).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: schemaOf(schema, 'input', components),
  }));
}

/** Schemas with a name become components and are referred to. */
function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output', components: Json): Json {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Json;
  const { $schema: _dialect, $defs: definitions = {}, ...rest } = moved(made) as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries(definitions)) components[name] = withoutId(definition);
  const { id } = rest;
  if (typeof id !== 'string') return rest;
  components[id] = withoutId(rest);
  return { $ref: `#/components/schemas/${id}` };
}

function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, moved(inner)],
    ),
  );
}

function withoutId(definition: unknown): unknown {
  const { id: _id, ...rest } = definition as Json;
  return rest;
}
