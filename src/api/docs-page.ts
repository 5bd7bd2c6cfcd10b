// The API as a page to read: made on the server, no scripts, nothing from elsewhere.
import { API_PREFIX } from './openapi.js';
import type { Route } from './route.js';
import { ROUTES } from './routes.js';

export function docsPage(version: string): string {
  const tags = [...new Set(ROUTES.map(({ tag }) => tag))];
  const sections = tags.map(
    (tag) =>
      `<h2>${escaped(tag)}</h2>${ROUTES.filter((one) => one.tag === tag)
        .map(routeSection)
        .join('')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>ledgerbridge operator API</title><style>${STYLE}</style></head><body><main>
<h1>ledgerbridge operator API</h1>
<p>Version ${escaped(version)}. Machines read <a href="${API_PREFIX}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>Send <code>Authorization: Bearer …</code>; make a token with <code>ledgerbridge token create</code>. Errors are
<code>application/problem+json</code> with a <code>code</code> and a <code>remedy</code>. Lists go by key: pass
<code>next</code> as <code>after</code>. Writes take an <code>Idempotency-Key</code>: the same request with the same key is
done once.</p>${sections.join('')}</main></body></html>`;
}

function routeSection(one: Route): string {
  const fields = [...fieldRows(one, 'params'), ...fieldRows(one, 'query'), ...fieldRows(one, 'body')];
  const table =
    fields.length === 0
      ? ''
      : `<table><tr><th>Field</th><th>Where</th><th></th></tr>${fields.join('')}</table>`;
  return `<section><h3><b class="${one.method}">${one.method.toUpperCase()}</b> <code>${escaped(API_PREFIX + one.path)}</code>
<small>${one.role}</small></h3><p>${escaped(one.summary)}.</p>${table}</section>`;
}

function fieldRows(one: Route, where: 'params' | 'query' | 'body'): string[] {
  return Object.entries(one[where]?.shape ?? {}).map(([name, schema]) => {
    const { description = '' } = schema as { description?: string };
    return `<tr><td><code>${escaped(name)}</code></td><td>${where === 'params' ? 'path' : where}</td><td>${escaped(description)}</td></tr>`;
  });
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const STYLE = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:0 auto;padding:1rem}
h3{font-size:1rem;margin:1.25rem 0 .25rem}small{font-weight:normal;opacity:.75}table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .5rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}
b{font:600 .75rem ui-monospace,monospace}code{font-family:ui-monospace,monospace}p{margin:.25rem 0 .5rem}`;
