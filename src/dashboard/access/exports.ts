// Whatever leaves as a file is in the audit: who took it, by which filter, how many rows. A route says what it hands out; a file of a
// route that does not say so is held back, so that forgetting it opens nothing.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Export, type Exported, type Exports, rowCounter } from '../../operations/exports.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What it hands out as a file. */
    exports?: Exported;
  }
  interface FastifyRequest {
    /** Whose it is, where the address does not say so. */
    exportedFrom: string | null;
  }
}

export function addExports(app: FastifyInstance, exports: Exports): void {
  app.decorateRequest('exportedFrom', null);
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method === 'HEAD' || reply.statusCode !== 200 || !reply.hasHeader('content-disposition'))
      return payload;
    const what = request.routeOptions.config.exports;
    if (what === undefined) throw new Error(`${request.routeOptions.url ?? ''} does not say what it exports`);
    return watched(exports, exportOf(request, what), reply, payload);
  });
}

async function watched(exports: Exports, given: Export, reply: FastifyReply, payload: unknown) {
  const type = String(reply.getHeader('content-type') ?? '');
  if (payload instanceof Readable) return Readable.from(exports.lines(given, type, payload));
  const counter = rowCounter(type);
  counter.add(payload as string | Uint8Array);
  await exports.whole(given, counter.rows());
  return payload;
}

function exportOf(request: FastifyRequest, what: Exported): Export {
  const { visit, exportedFrom, query, params } = request;
  const { tenant } = query as { tenant?: unknown };
  const { id } = params as { id?: string };
  return {
    ...{ what, actor: visit.user?.login ?? '', by: { by: 'dashboard' }, subject: id ?? null },
    tenant: exportedFrom ?? (typeof tenant === 'string' && tenant !== '' ? tenant : null),
    filter: { ...(query as Record<string, unknown>), ...without(params as Record<string, unknown>, 'id') },
  };
}

function without(params: Readonly<Record<string, unknown>>, name: string) {
  return Object.fromEntries(Object.entries(params).filter(([one]) => one !== name));
}
