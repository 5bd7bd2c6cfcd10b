// What may happen many times in an hour: failed sign-ins, exports, reads. The first is in the audit at once; how many there were
// follows when the hour is over. So a flood of them is a few entries, and only the first waits for its chain.
import { networkOf } from '../http/allowed-addresses.js';

export interface TalliedAct {
  /** Without one it belongs to the bridge as a whole. */
  readonly tenantName?: string | undefined;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  /** Facts, JSON; never secrets, never whole documents. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Facts that somebody may make up anew with every try. Of one actor so many different ones are told in an hour; the rest is counted together. */
  readonly varying?: Readonly<Record<string, unknown>> | undefined;
  readonly at: Date;
}

export interface ActTally {
  /** Before the first byte of something long. If it never ends, the audit tells that it was begun. */
  begin(act: TalliedAct): Promise<void>;
  /** Told once in an hour, and never how often. */
  once(act: TalliedAct): Promise<void>;
  /** One more of it, with so many rows. */
  count(act: TalliedAct, rows?: number): Promise<void>;
}

export type WayIn = 'password' | 'code' | 'openid' | 'token';

export interface FailedSignIn {
  readonly how: WayIn;
  /** null: nobody has the name that was given. It is told to nobody: people type passwords there. */
  readonly login: string | null;
  /** null: not known. */
  readonly address: string | null;
  readonly at: Date;
}

const NOBODY = '(unknown)';

export function failedSignIn({ how, login, address, at }: FailedSignIn): TalliedAct {
  const name = login ?? NOBODY;
  return {
    ...{ actor: name, action: 'sign-in.failed', subject: name, details: { how }, at },
    ...(address === null ? {} : { varying: { address: networkOf(address) } }),
  };
}
