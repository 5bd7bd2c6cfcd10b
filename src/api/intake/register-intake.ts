// Records over HTTP: one signed request, one record. It is on record before it is acknowledged, so that nothing that was acknowledged is
// lost; the same key with the same body is the same delivery, whoever asks and however often. What became of it is asked for by its key.
import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import { type Deliveries, type Delivered, type DeliveryStatus, readDelivery } from '../../origins/inbox.js';
import { problemOf } from '../problem.js';
import type { SubmissionKind } from '../../domain/submission.js';
import { Secret } from '../../domain/secret.js';
import { networkOf } from '../../http/allowed-addresses.js';
import { isSignedWith, looksSigned } from '../../http/webhook-signature.js';
import { createRateLimit, type RateLimit } from '../rate-limit.js';

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

// Who may hand records over: whoever signs with a secret of the origin, at about the time that it says. A stranger learns nothing, not
// even which tenants there are; and guessing is slow.

interface IntakePlace {
  readonly requestsPerSecond: number;
  readonly waitingMax: number;
  readonly secrets: readonly Secret[];
  /** Those that are taken; left out: all. */
  readonly kinds?: readonly SubmissionKind[];
}

interface IntakeCall {
  readonly tenant: string;
  readonly origin: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
  readonly address: string;
}

/** Either way: a clock may be behind, or before. */
const SKEW_SECONDS_MAX = 300;
const GUESS_LIMITS = { burst: 20, perSecond: 0.2 };
const BURST_SECONDS = 10;
const PLACES_MAX = 1_000;
/** So that a place that is not there takes as long as one that is. */
const NOBODYS = new Secret('no place has this secret, it only takes time');
const KEY = /^[A-Za-z0-9._~:-]{1,100}$/;

type IntakeGuard = (place: IntakePlace | null, call: IntakeCall) => IntakePlace;

function createIntakeGuard(nowMs: () => number): IntakeGuard {
  const guesses = createRateLimit(GUESS_LIMITS.burst, GUESS_LIMITS.perSecond);
  const limits = new Map<string, RateLimit>();
  const limitOf = ({ requestsPerSecond }: IntakePlace) => {
    const name = String(requestsPerSecond);
    const known =
      limits.get(name) ?? createRateLimit(Math.ceil(requestsPerSecond * BURST_SECONDS), requestsPerSecond);
    if (limits.size < PLACES_MAX) limits.set(name, known);
    return known;
  };
  return (place, call) => {
    const { id, timestamp, body, signature } = call;
    const isSigned = isSignedWith(place?.secrets ?? [NOBODYS], { id, timestamp, body }, signature);
    if (place === null || !isSigned) {
      heed(guesses.take(networkOf(call.address), nowMs()));
      throw new CodedError('INTAKE_UNAUTHORIZED', 'The request is not signed with a secret of this place.');
    }
    heed(limitOf(place).take(`${call.tenant}/${call.origin}`, nowMs()));
    const skew = Math.abs(nowMs() / 1_000 - Number(timestamp));
    if (!/^\d{1,12}$/.test(timestamp) || skew > SKEW_SECONDS_MAX)
      throw new CodedError('INTAKE_STALE', `webhook-timestamp is more than ${SKEW_SECONDS_MAX} seconds off.`);
    if (!KEY.test(id))
      throw new CodedError('INTAKE_KEY_INVALID', 'webhook-id is missing or has other signs.');
    return place;
  };
}

function heed(waitSeconds: number): void {
  if (waitSeconds > 0)
    throw new CodedError('INTAKE_RATE_LIMITED', `Wait ${waitSeconds} s.`, {
      details: { retryAfterMs: waitSeconds * 1_000 },
    });
}

// A body is in memory before its signature can be judged. So few large ones are taken at once, from few of one network, only with headers
// as a sender has them who signs, and none for long.

const SMALL_BYTES_MAX = 512 * 1024;
const AT_ONCE = 4;
const OF_ONE_NETWORK = 2;
const WAIT_MS = 2_000;
/** Six megabytes at three megabits a second. */
const BODY_MS_MAX = 20_000;

interface LargeBodies {
  /** Throws when no place is left. */
  take(request: FastifyRequest, reply: FastifyReply): void;
}

function createLargeBodies(): LargeBodies {
  const networks = new Map<string, number>();
  let all = 0;
  return {
    take: (request, reply) => {
      if (isSmall(request)) return;
      const signature = request.headers['webhook-signature'];
      if (typeof signature !== 'string' || !looksSigned(signature))
        throw new CodedError('INTAKE_UNAUTHORIZED', 'The request is not signed with a secret of this place.');
      const network = networkOf(request.ip);
      const ofNetwork = networks.get(network) ?? 0;
      if (all >= AT_ONCE || ofNetwork >= OF_ONE_NETWORK)
        throw new CodedError('INTAKE_FULL', 'Other large records are being received at this moment.', {
          details: { retryAfterMs: WAIT_MS },
        });
      all += 1;
      networks.set(network, ofNetwork + 1);
      reply.raw.once('close', () => {
        all -= 1;
        const left = (networks.get(network) ?? 1) - 1;
        if (left === 0) networks.delete(network);
        else networks.set(network, left);
      });
    },
  };
}

/** The body, which ends with an error when it takes longer. */
function within(bodyMsMax: number, body: Readable): Readable {
  const passed = new PassThrough();
  const late = setTimeout(() => {
    passed.destroy(new CodedError('INTAKE_TOO_SLOW', `The body took longer than ${bodyMsMax / 1_000} s.`));
  }, bodyMsMax);
  // A parser that reads the body listens itself; one that refuses it unread does not.
  passed.on('error', () => undefined);
  body.once('error', (error) => passed.destroy(error));
  // It has arrived, or the sender went away.
  body.once('close', () => {
    clearTimeout(late);
    if (!body.readableEnded) passed.destroy();
  });
  body.once('end', () => {
    clearTimeout(late);
  });
  return body.pipe(passed);
}

/** One that does not say how long it is may be as long as it may. */
function isSmall({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' || Number(headers['content-length'] ?? Infinity) <= SMALL_BYTES_MAX;
}
