// systemd, where it started the bridge: it is told when the bridge runs, again and again that it lives, and when it stops. The
// word goes by `systemd-notify`, since Node has no such sockets; an event loop that no longer turns says nothing, and is restarted.
import { execFile } from 'node:child_process';

export interface Systemd {
  ready(status: string): void;
  stopping(): void;
}

const TOLD_MS_MAX = 5_000;

/** Without NOTIFY_SOCKET nobody is told anything. `onError` hears of a word that did not arrive. */
export function systemdOf(
  env: Readonly<Record<string, string | undefined>>,
  onError: (error: Error) => void,
): Systemd {
  if ((env['NOTIFY_SOCKET'] ?? '') === '') return { ready: () => undefined, stopping: () => undefined };
  const tell = (...words: string[]) => {
    execFile('systemd-notify', words, { env: { ...env }, timeout: TOLD_MS_MAX }, (error) => {
      if (error) onError(error);
    });
  };
  const everyMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1000 / 2;
  let beat: NodeJS.Timeout | null = null;
  return {
    ready: (status) => {
      tell('READY=1', `STATUS=${status}`);
      if (everyMs > 0) beat = setInterval(() => tell('WATCHDOG=1'), everyMs).unref();
    },
    stopping: () => {
      if (beat) clearInterval(beat);
      tell('STOPPING=1');
    },
  };
}
