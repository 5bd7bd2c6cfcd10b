// The simulator as a page of the dashboard: one file that the build made, with its scripts in it. It is shown in a room of its own, where
// it reaches nothing of ours: no cookie, no address, no page beside it.
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { secureHeaders } from './access/security-headers.js';

const ALONE = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Beside the bundled program, or where the program runs from its sources. */
const PLACES = ['../simulator.html', '../../dist/simulator.html'];

export function addSimulatorPage(app: FastifyInstance, secure: boolean): void {
  app.get('/assets/simulator.html', { config: { access: 'anyone' } }, async (_request, reply) => {
    const page = await readPage();
    if (page === null) {
      reply.callNotFound();
      return reply;
    }
    secureHeaders(reply, secure, ALONE);
    return reply.header('content-type', 'text/html; charset=utf-8').send(page);
  });
}

async function readPage(): Promise<Buffer | null> {
  for (const place of PLACES) {
    const page = await readFile(new URL(place, import.meta.url)).catch(() => null);
    if (page) return page;
  }
  return null;
}
