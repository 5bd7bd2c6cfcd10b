// One writer at a time on a directory, over processes and containers that share it, without a lock that a crash leaves
// behind for ever. Each holder creates the next numbered file with O_EXCL; the highest number is the holder; a released
// lock is renamed, never deleted, so the highest number only rises. Of several that find the same dead holder, exactly one
// creates the next number, and whoever was overtaken while creating sees the higher number and steps back.
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../domain/private-files.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { told } from '../told.js';

const WAIT_MS_MAX = 15_000;
const POLL_MS_FIRST = 1;
const POLL_MS_MAX = 25;
const HEARTBEAT_MS = 5_000;
/** Only for holders whose process cannot be asked after: those of another machine or container. */
const SILENCE_MS_MAX = 60_000;
/** Between creating the file and writing the name into it. */
const NAMELESS_MS_MAX = 5_000;

const HELD = /^(\d{12})$/;
const FREE = /^(\d{12})\.free$/;

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly started: string;
}

interface Highest {
  readonly number: number;
  readonly isFree: boolean;
}

const ME: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? '' };

export class DirectoryLock {
  readonly #directory: string;
  readonly #waitMsMax: number;

  constructor(directory: string, options: { readonly waitMsMax?: number } = {}) {
    this.#directory = join(directory, '.lock');
    this.#waitMsMax = options.waitMsMax ?? WAIT_MS_MAX;
  }

  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = await this.#acquire();
    const heartbeat = setInterval(() => {
      const now = new Date();
      void utimes(this.#held(mine), now, now).catch(() => undefined);
    }, HEARTBEAT_MS);
    heartbeat.unref();
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
      await rename(this.#held(mine), `${this.#held(mine)}.free`);
    }
  }

  async #acquire(): Promise<number> {
    await mkdir(this.#directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    const deadline = performance.now() + this.#waitMsMax;
    for (
      let pollMs = POLL_MS_FIRST;
      performance.now() < deadline;
      pollMs = Math.min(pollMs * 2, POLL_MS_MAX)
    ) {
      const highest = await this.#highest();
      if (highest.isFree || (await this.#isDead(highest.number))) {
        const mine = await this.#take(highest.number + 1);
        if (mine !== null) return mine;
      }
      await sleep(pollMs);
    }
    const words = told('BOOKS_IN_USE', { directory: this.#directory, seconds: this.#waitMsMax / 1000 });
    throw new CodedError('ERP_FILE_LOCKED', words.message, words);
  }

  async #take(number: number): Promise<number | null> {
    try {
      const handle = await open(this.#held(number), 'wx', PRIVATE_FILE);
      await handle.writeFile(JSON.stringify(ME));
      await handle.close();
    } catch (error) {
      if (isErrno(error, 'EEXIST')) return null;
      throw error;
    }
    const highest = await this.#highest();
    if (highest.number !== number) {
      await rm(this.#held(number), { force: true });
      return null;
    }
    await this.#forgetBelow(number);
    return number;
  }

  async #highest(): Promise<Highest> {
    let highest: Highest = { number: 0, isFree: true };
    for (const name of await readdir(this.#directory)) {
      const match = HELD.exec(name) ?? FREE.exec(name);
      const number = Number(match?.[1] ?? 0);
      if (number > highest.number) highest = { number, isFree: name.endsWith('.free') };
    }
    return highest;
  }

  async #forgetBelow(number: number): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const match = HELD.exec(name) ?? FREE.exec(name);
      if (match && Number(match[1]) < number) await rm(join(this.#directory, name), { force: true });
    }
  }

  async #isDead(number: number): Promise<boolean> {
    const path = this.#held(number);
    try {
      const [text, facts] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
      const silentMs = Date.now() - facts.mtimeMs;
      if (text === '') return silentMs > NAMELESS_MS_MAX;
      return isGone(JSON.parse(text) as Holder, silentMs);
    } catch (error) {
      // Released or removed since it was listed: look again.
      if (isErrno(error, 'ENOENT')) return false;
      throw error;
    }
  }

  #held(number: number): string {
    return join(this.#directory, String(number).padStart(12, '0'));
  }
}

// A paused process of this machine is alive and keeps its lock, however long it sleeps.
function isGone(holder: Holder, silentMs: number): boolean {
  if (holder.host !== ME.host) return silentMs > SILENCE_MS_MAX;
  if (holder.pid === ME.pid) return holder.started !== ME.started;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return isErrno(error, 'ESRCH');
  }
  const started = startOf(holder.pid);
  return started !== null && started !== holder.started;
}

/** When that process started, in the kernel's words: a reused process number gives itself away. Null where there is no /proc. */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return pid === process.pid ? String(performance.timeOrigin) : null;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
