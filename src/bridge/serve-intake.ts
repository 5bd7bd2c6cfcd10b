// Where records over HTTP may come to, from the tenant files; secrets are read when a request comes, so that a new one counts at once.
import { dirname } from 'node:path';
import type { IntakeDeps } from '../api/intake/register-intake.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { createDeliveries } from '../store/inbox-store.js';
import { resolveSecret } from '../tenants/secrets.js';
import { SYSTEM_RUNTIME } from '../worker/system-runtime.js';
import type { ServedBridge, ServeOptions } from './serve-dashboard.js';

export function intakeOf(
  { env, log }: Pick<ServeOptions, 'env' | 'log'>,
  { database: { prisma }, connections }: Pick<ServedBridge, 'database' | 'connections'>,
): IntakeDeps {
  const onError = (error: unknown) => log.warn({ err: error }, 'a record over HTTP was not taken');
  return {
    deliveries: createDeliveries(prisma),
    place: (tenantName, originName) => {
      const tenant = connections.tenant(tenantName);
      const origin = tenant?.outgoing?.origins.find(({ name }) => name === originName);
      if (!tenant || origin?.type !== 'http') return null;
      const { requestsPerSecond, waitingMax, kinds } = origin;
      const secrets = origin.secrets.flatMap((reference) => {
        try {
          return [resolveSecret(reference, { env, baseDirectory: dirname(tenant.file) })];
        } catch (error) {
          // One that is gone keeps nobody out who has another.
          if (!(error instanceof CodedError)) throw error;
          onError(error);
          return [];
        }
      });
      return { requestsPerSecond, waitingMax, secrets, ...(kinds && { kinds }) };
    },
    nowMs: () => SYSTEM_RUNTIME.clock.now().getTime(),
    onError,
  };
}
