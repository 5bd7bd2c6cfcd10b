// A body is in memory before its signature can be judged. So few large ones are taken at once, from few of one network, only with headers
// as a sender has them who signs, and none for long.
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import { networkOf } from '../../http/allowed-addresses.js';
import { looksSigned } from '../../http/webhook-signature.js';

const SMALL_BYTES_MAX = 512 * 1024;
const AT_ONCE = 4;
const OF_ONE_NETWORK = 2;
const WAIT_MS = 2_000;
/** Six megabytes at three megabits a second. */
export const BODY_MS_MAX = 20_000;

export interface LargeBodies {
  /** Throws when no place is left. */
  take(request: FastifyRequest, reply: FastifyReply): void;
}

export function createLargeBodies(): LargeBodies {
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
export function within(bodyMsMax: number, body: Readable): Readable {
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
