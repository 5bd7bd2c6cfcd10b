// The address that the API and the dashboard are served on. A start holds it until it serves there, so that of two that start at once
// only one goes on.
import { createServer } from 'node:net';
import { type BridgeSettings, DEFAULT_PORT } from '../../tenants/bridge-settings.js';
import { type DoctorFinding, failure, ok, warning } from './finding.js';

const AREA = 'port';
const ASK_MS_MAX = 2_000;

export type HeldPort =
  | { readonly outcome: 'held'; release(): Promise<void> }
  | { readonly outcome: 'taken'; readonly reason: string };

export function holdPort(host: string, port: number): Promise<HeldPort> {
  // Nobody is served yet: who comes early is sent away, as from a port that nobody listens on.
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once('error', (error) => resolve({ outcome: 'taken', reason: error.message }));
    server.listen({ host, port }, () =>
      resolve({
        outcome: 'held',
        release: () =>
          new Promise((released) => {
            server.close(() => released());
          }),
      }),
    );
  });
}

export function portTaken(
  { host }: Pick<BridgeSettings, 'host'>,
  port: number,
  reason: string,
): DoctorFinding {
  return failure(
    AREA,
    `Nothing can be served on ${host}:${String(port)}: ${reason}.`,
    'Stop the program that has it, or set LEDGERBRIDGE_PORT or LEDGERBRIDGE_HOST; port 0 takes any free one.',
    'HTTP_NOT_LISTENING',
  );
}

/** For the doctor, which works beside a running bridge: that one has the port, and should. */
export async function checkPort(settings: Pick<BridgeSettings, 'host' | 'port'>): Promise<DoctorFinding[]> {
  const port = settings.port ?? DEFAULT_PORT;
  const held = await holdPort(settings.host, port);
  if (held.outcome === 'held') {
    await held.release();
    return [ok(AREA, `${settings.host}:${String(port)} is free`)];
  }
  if (await isBridge(settings.host, port))
    return [ok(AREA, `a bridge answers on ${settings.host}:${String(port)}`)];
  const { message, remedy = '' } = portTaken(settings, port, held.reason);
  // A bridge that is just starting has it too, and answers later.
  return [warning(AREA, message, remedy)];
}

async function isBridge(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${String(port)}/health`, {
      signal: AbortSignal.timeout(ASK_MS_MAX),
    });
    return answer.ok && 'version' in ((await answer.json()) as object);
  } catch {
    return false;
  }
}
