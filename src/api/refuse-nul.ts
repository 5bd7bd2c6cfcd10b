// PostgreSQL keeps no text with a NUL character, and no honest client sends one: refused before any route sees it.
import type { FastifyInstance } from 'fastify';

const MESSAGE = 'The request holds a NUL character, which no text may hold.';

export function refuseNul(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.url.includes('%00') || holdsNul(request.body))
      done(Object.assign(new Error(MESSAGE), { statusCode: 400 }));
    else done();
  });
}

/** Bodies are small: the limit of their bytes also limits this. */
function holdsNul(body: unknown): boolean {
  const left: unknown[] = [body];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string' && one.includes('\0')) return true;
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue;
    for (const [name, value] of Object.entries(one)) left.push(name, value);
  }
  return false;
}
