// Proof that somebody who is signed in is still the person: what an open browser alone must not change asks for it.
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import { asLogin, hashOf } from './hashed.js';
import type { SecondFactors } from './second-factor.js';
import { tryPassword } from './sign-in.js';
import type { StoredSession, UserRecords } from './user-records.js';

export interface Proofs {
  /** Whether it is that person's password; wrong ones count as at the door. */
  isPassword(login: string, password: Secret, address?: string): Promise<boolean>;
  /** Proves who uses a session: by a code where a second factor is on, else by the password. Wrong ones count as at the door. */
  prove(login: string, proof: Secret, sessionId: string, address?: string): Promise<boolean>;
}

const PROVEN_MS = 10 * 60_000;

export function createProofs(records: UserRecords, clock: Clock, secondFactor: SecondFactors): Proofs {
  const isPassword = async (login: string, password: Secret, address?: string) => {
    const tried = await tryPassword(records, clock.now(), asLogin(login), password, address ?? null);
    if (tried.outcome === 'fits') await records.proved(tried.user.login, null, clock.now());
    return tried.outcome === 'fits';
  };
  return {
    isPassword,
    prove: async (login, proof, sessionId, address) => {
      const { on } = await secondFactor.state(login);
      const isRight = on
        ? await secondFactor.isCode(login, proof.reveal(), address)
        : await isPassword(login, proof, address);
      if (isRight) await records.proved(login, hashOf(sessionId), clock.now());
      return isRight;
    },
  };
}

/** A sign-in is a proof, too. */
export function isProven({ provenAt, createdAt }: StoredSession, now: number): boolean {
  return now - (provenAt ?? createdAt).getTime() <= PROVEN_MS;
}
