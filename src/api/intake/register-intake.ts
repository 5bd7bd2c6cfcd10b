// Records over HTTP: one signed request, one record. It is on record before it is acknowledged, so that nothing that was acknowledged is
// lost; the same key with the same body is the same delivery, whoever asks and however often. What became of it is asked for by its key.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Deliveries, Delivered, DeliveryStatus } from '../../origins/http/inbox.js';
import { readDelivery } from '../../origins/http/read-delivery.js';
import { problemOf } from '../problem.js';
import { BODY_MS_MAX, createLargeBodies, within } from './large-bodies.js';
import { createIntakeGuard, type IntakeGuard, type IntakePlace } from './intake-guard.js';

export interface IntakeDeps {
  readonly deliveries: Deliveries;
  /** null: the tenant file names no such origin. */
  place(tenant: string, origin: string): IntakePlace | null;
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
  /** BODY_MS_MAX unless given. */
  readonly bodyMsMax?: number;
}

export const INTAKE_PREFIX = '/intake/v1';
/** One file as large as the service takes them, as base64, and the record around it. */
const BODY_BYTES_MAX = 7 * 1024 * 1024;
const FULL_WAIT_MS = 60_000;

interface At {
  readonly Params: { readonly tenant: string; readonly origin: string; readonly key?: string };
}

/** A plugin of its own: bodies are bytes here, because bytes are signed. */
export function intake(deps: IntakeDeps) {
  return (app: FastifyInstance): Promise<void> => {
    const guard = createIntakeGuard(deps.nowMs);
    const nothing = Buffer.alloc(0);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    const largeBodies = createLargeBodies();
    app.addHook('onRequest', (request, reply, done) => {
      largeBodies.take(request, reply);
      done();
    });
    app.addHook('preParsing', (_request, _reply, payload, done) => {
      done(null, within(deps.bodyMsMax ?? BODY_MS_MAX, payload));
    });
    app.setErrorHandler((error, _request, reply) => sendProblem(deps, reply, translated(error)));
    app.post<At>(
      `${INTAKE_PREFIX}/:tenant/:origin`,
      { bodyLimit: BODY_BYTES_MAX },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : nothing;
        const place = admit(deps, guard, request, body);
        const delivered = await deliver(deps, request, place, body);
        if (delivered.outcome === 'known') reply.header('idempotency-replayed', 'true');
        const { key } = delivered;
        await reply
          .code(202)
          .header('location', `${INTAKE_PREFIX}/${request.params.tenant}/${request.params.origin}/${key}`)
          .send(shown(delivered));
      },
    );
    app.get<At>(`${INTAKE_PREFIX}/:tenant/:origin/:key`, async (request, reply) => {
      admit(deps, guard, request, nothing);
      const { tenant, origin, key = '' } = request.params;
      // Signed is the id, so it has to be the one that is asked for.
      const found =
        key === headerOf(request, 'webhook-id') ? await deps.deliveries.find(tenant, origin, key) : null;
      if (found === null) throw new CodedError('INTAKE_NOTHING', 'Nothing was taken under this webhook-id.');
      await reply.send(shownStatus(found));
    });
    return Promise.resolve();
  };
}

function admit(
  deps: IntakeDeps,
  guard: IntakeGuard,
  request: FastifyRequest<At>,
  body: Uint8Array,
): IntakePlace {
  const { tenant, origin } = request.params;
  return guard(deps.place(tenant, origin), {
    ...{ tenant, origin, body, address: request.ip },
    id: headerOf(request, 'webhook-id'),
    timestamp: headerOf(request, 'webhook-timestamp'),
    signature: headerOf(request, 'webhook-signature'),
  });
}

async function deliver(deps: IntakeDeps, request: FastifyRequest<At>, place: IntakePlace, body: Uint8Array) {
  const { tenant: tenantName, origin } = request.params;
  const key = headerOf(request, 'webhook-id');
  const record = readDelivery(key, body, place.kinds);
  if ('problem' in record) throw new CodedError('INTAKE_UNREADABLE', record.problem);
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const { waitingMax } = place;
  const accepted = await deps.deliveries.accept({ tenantName, origin, key, bodyHash, record, waitingMax });
  switch (accepted.outcome) {
    case 'accepted':
    case 'known':
      return accepted;
    case 'other':
      throw new CodedError('INTAKE_KEY_REUSED', 'Another body came under this webhook-id before.');
    case 'full':
      throw new CodedError('INTAKE_FULL', `${String(waitingMax)} records wait already.`, {
        details: { retryAfterMs: FULL_WAIT_MS },
      });
  }
}

function headerOf({ headers }: FastifyRequest<At>, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function shown({ key, kind, reference, receivedAt }: Delivered) {
  return { key, kind, reference, receivedAt: receivedAt.toISOString() };
}

function shownStatus(status: DeliveryStatus) {
  const { state, since, why, guid, number, paymentLink, mark } = status;
  return { ...shown(status), state, since: since.toISOString(), why, guid, number, paymentLink, mark };
}

/** What the server itself refuses, in our words. */
function translated(error: unknown): unknown {
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (error instanceof CodedError || statusCode === undefined || statusCode >= 500) return error;
  if (statusCode === 413)
    return new CodedError('INTAKE_TOO_LARGE', `At most ${String(BODY_BYTES_MAX)} bytes are taken.`);
  if (statusCode === 415) return new CodedError('INTAKE_TYPE_UNKNOWN', 'The body is not said to be JSON.');
  return new CodedError('INTAKE_UNREADABLE', message ?? '');
}

async function sendProblem(deps: IntakeDeps, reply: FastifyReply, error: unknown): Promise<void> {
  const problem = problemOf(error);
  if (problem.status >= 500 && !(error instanceof CodedError)) deps.onError(error);
  const retryAfterMs = error instanceof CodedError ? error.details['retryAfterMs'] : undefined;
  // The rest of the body is not waited for.
  if (problem.status === 408) reply.header('connection', 'close');
  if (typeof retryAfterMs === 'number') reply.header('retry-after', String(Math.ceil(retryAfterMs / 1_000)));
  await reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}
