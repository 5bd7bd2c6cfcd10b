// The control API and the start page show credentials and change everything, so they answer this machine only: the
// connection, the Host (against DNS rebinding) and, for changes, the Origin must say so.
import { json, type Reply } from '../http/reply.js';
import type { SandboxRequest } from '../http/request.js';

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

export function refuseOutsiders(request: SandboxRequest): Reply | null {
  const { host = '', origin } = request.headers;
  if (!LOOPBACK_ADDRESS.test(request.ip) || !LOOPBACK_HOST.test(host))
    return json(403, {
      error: 'The controls of the sandbox answer this machine only, by its loopback address',
    });
  if (origin !== undefined && origin !== `http://${host}`)
    return json(403, { error: 'The controls of the sandbox answer their own pages only' });
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  // A form on a foreign page cannot send JSON without a preflight, which is never answered.
  if (changes && request.body.kind !== 'none' && request.body.kind !== 'json')
    return json(415, { error: 'The controls of the sandbox take JSON' });
  if (changes && request.headers['x-sandbox-control'] !== '1')
    return json(403, { error: 'Send the header X-Sandbox-Control: 1 with every change' });
  return null;
}
