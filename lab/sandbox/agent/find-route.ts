// Finds the route of a path: literal segments before placeholders, so that /invoices/count is never an invoice.
import type { AgentRoute } from './call.js';

export interface PathMatch {
  readonly id: string;
  /** All routes of this path, one a method. */
  readonly routes: readonly AgentRoute[];
}

interface Pattern {
  readonly segments: readonly string[];
  readonly routes: AgentRoute[];
}

export function routeFinder(routes: readonly AgentRoute[]): (path: string) => PathMatch | null {
  const literal = new Map<string, AgentRoute[]>();
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    if (!route.path.includes('{')) {
      literal.set(route.path, [...(literal.get(route.path) ?? []), route]);
      continue;
    }
    const key = route.path.replace(/\{\w+\}/, '{}');
    const pattern = patterns.get(key) ?? { segments: key.split('/'), routes: [] };
    pattern.routes.push(route);
    patterns.set(key, pattern);
  }
  return (path) => {
    const exact = literal.get(path);
    if (exact !== undefined) return { id: '', routes: exact };
    const segments = path.split('/');
    for (const pattern of patterns.values()) {
      const id = matchSegments(pattern.segments, segments);
      if (id !== null) return { id, routes: pattern.routes };
    }
    return null;
  };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): string | null {
  if (pattern.length !== segments.length) return null;
  let id = '';
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part === '{}' && segment !== '') id = decode(segment);
    else if (part !== segment) return null;
  }
  return id;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
