// Who is signed in, in which browser. The cookie also authenticates registration ("session cookie").
import type { SandboxClock } from '../clock.js';
import type { Random } from '../random.js';

export interface Session {
  readonly username: string;
  /** Hidden in forms, so that no other site can consent in somebody's name. */
  readonly formToken: string;
  readonly expiresAtMs: number;
}

export const SESSION_COOKIE = 'sandbox_session';
const LIFETIME_MS = 3_600_000;
const SESSIONS_MAX = 1_000;

export class Sessions {
  readonly #clock: SandboxClock;
  readonly #random: Random;
  readonly #sessions = new Map<string, Session>();

  constructor(clock: SandboxClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  open(username: string): string {
    if (this.#sessions.size >= SESSIONS_MAX) this.#sessions.clear();
    const id = this.#random.token(16);
    const expiresAtMs = this.#clock.nowMs() + LIFETIME_MS;
    this.#sessions.set(id, { username, formToken: this.#random.token(16), expiresAtMs });
    return id;
  }

  read(cookieHeader: string): Session | null {
    const id = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([0-9a-f]+)`).exec(cookieHeader)?.[1];
    const session = id === undefined ? undefined : this.#sessions.get(id);
    return session === undefined || session.expiresAtMs <= this.#clock.nowMs() ? null : session;
  }
}
