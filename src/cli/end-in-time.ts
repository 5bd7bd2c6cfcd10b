// A process that was told to stop ends, whatever hangs. A thread that waits for a disk that does not answer keeps even `process.exit` from
// ending, since the system waits for all threads: then the process ends itself by force, as a crash would. Everything that it has begun is
// on record, as after a crash.
import type { Log } from '../telemetry/log.js';

/** What closes after the work in flight: servers, connections, the embedded database. */
const CLOSING_MS_MAX = 10_000;

/** From now on the process lives so long at most. */
export function endInTime(shutdownMs: number, log: Log): void {
  const end = () => {
    log.error({ waited: shutdownMs + CLOSING_MS_MAX }, 'something did not stop; the process ends by force');
    endByForce();
  };
  setTimeout(end, shutdownMs + CLOSING_MS_MAX).unref();
}

/** With its exit code, where nothing on the disk is waited for. */
export function endProcess(): void {
  if (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) endByForce();
  else process.exit();
}

function endByForce(): void {
  process.kill(process.pid, 'SIGKILL');
}
