// Whose account the credentials open is asked before anything else is, and again with every other token: another company's
// documents would go into these books under the keys of this one, and its own documents would look deleted.
import { CodedError } from '../domain/errors/coded-error.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';

/** A person may sign in again while the account is asked for. More often than this in a row nobody does. */
const TURNS_MAX = 4;

interface Authorized {
  /** Of the credentials: another number is another token. */
  readonly version: number;
}

export interface AccountCheckOptions<Authorization, Identity> {
  readonly authorize: () => Promise<Authorization>;
  /** With what `authorize` hands out at that moment. Throws where the account is not the one of these documents. */
  readonly ask: () => Promise<Identity>;
  /** Whether somebody has signed in since; from then on `authorize` hands out their tokens. */
  readonly signedInSince: (version: number) => Promise<boolean>;
}

export class AccountCheck<Authorization extends Authorized, Identity> {
  readonly #options: AccountCheckOptions<Authorization, Identity>;
  /** Of the credentials whose account was the right one when it was asked for. */
  #verified: number | null = null;
  #asking: Promise<Identity> | null = null;

  constructor(options: AccountCheckOptions<Authorization, Identity>) {
    this.#options = options;
  }

  /** What a call may carry: credentials that were asked about. */
  async authorize(): Promise<Authorization> {
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const authorization = await this.#options.authorize();
      if (authorization.version === this.#verified) return authorization;
      try {
        await this.#askTogether();
      } catch (error) {
        // The tokens of a wrong sign-in work for hours, so nothing else would tell that it was put right.
        if (isRefusal(error) && (await this.#options.signedInSince(authorization.version))) continue;
        throw unsent(error);
      }
    }
    throw unsent(coded('SOURCE_GRANT_BUSY', message('CREDENTIALS_CHANGE')));
  }

  /** Asks now, whatever is known. */
  async hello(): Promise<Identity> {
    const { authorize, ask } = this.#options;
    const { version } = await authorize();
    const identity = await ask();
    // Tokens that came while it was asked may be those of somebody else.
    if ((await authorize()).version === version) this.#verified = version;
    return identity;
  }

  #askTogether(): Promise<Identity> {
    this.#asking ??= this.hello().finally(() => (this.#asking = null));
    return this.#asking;
  }
}

/** A creation that waited for this answer surely has not happened. */
export function isUnsent(error: CodedError): boolean {
  return error.details['isUnsent'] === true;
}

function isRefusal(error: unknown): boolean {
  return error instanceof CodedError && error.definition.disposition === 'pause-tenant';
}

/** Of the calls that wait for the answer, none has left. */
function unsent(error: unknown): unknown {
  if (!(error instanceof CodedError)) return error;
  const { code, said } = error;
  const details = { ...error.details, isUnsent: true };
  return new CodedError(code, error.message, { cause: error, details, said });
}
