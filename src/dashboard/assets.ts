// The files a browser loads, all from here: our own, and the two libraries as they were installed. Read once, served from
// memory; their address carries a hash of all of them, so they can be kept for ever.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

export interface Assets {
  readonly version: string;
  addTo(app: FastifyInstance): void;
}

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
}

export function loadAssets(): Assets {
  const require = createRequire(import.meta.url);
  const own = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../dashboard/assets/${name}`, import.meta.url)));
  const uplot = dirname(require.resolve('uplot'));
  const htmx = dirname(require.resolve('htmx.org'));
  const [script, style] = ['text/javascript; charset=utf-8', 'text/css; charset=utf-8'];
  const assets: readonly Asset[] = [
    { name: 'dashboard.css', type: style, body: own('dashboard.css') },
    { name: 'pages.css', type: style, body: own('pages.css') },
    { name: 'dashboard.js', type: script, body: own('dashboard.js') },
    { name: 'icon.svg', type: 'image/svg+xml', body: own('icon.svg') },
    { name: 'htmx.js', type: script, body: readFileSync(join(htmx, 'htmx.min.js')) },
    { name: 'uplot.js', type: script, body: readFileSync(join(uplot, 'uPlot.iife.min.js')) },
    { name: 'uplot.css', type: style, body: readFileSync(join(uplot, 'uPlot.min.css')) },
  ];
  const hash = createHash('sha256');
  for (const { body } of assets) hash.update(body);
  return {
    version: hash.digest('hex').slice(0, 12),
    addTo: (app) => {
      for (const { name, type, body } of assets) {
        app.get(`/assets/${name}`, { config: { access: 'anyone' } }, (_request, reply) =>
          reply
            .header('content-type', type)
            .header('cache-control', 'public, max-age=31536000, immutable')
            .send(body),
        );
      }
    },
  };
}
