// Whose account it is: what the service says, or the tenant file where the grant does not reach so far.
import { type CodedError, isCoded } from '../domain/errors/coded-error.js';
import { plainKennitala } from '../domain/kennitala.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { ApiClient } from './api-client.js';
import type { AccountIdentity } from './invoicing-source.js';
import type { SourceServices } from './source-services.js';
import type { SourceSettings } from './source-settings.js';
import type { Identity, SurfaceDialect } from './surface-dialect.js';

type Named = Pick<SourceSettings, 'registrationNo'>;

/** Throws where it is another account than the tenant's documents came from, or than its file names. */
export async function identify(
  client: ApiClient,
  dialect: SurfaceDialect,
  { registrationNo: named }: Named,
  { ownAccount }: Pick<SourceServices, 'ownAccount'>,
): Promise<AccountIdentity> {
  const identity = await askWho(client, dialect, named);
  await ownAccount?.mustBe(identity.registrationNo);
  if (named !== undefined && plainKennitala(identity.registrationNo) !== plainKennitala(named))
    throw coded('SOURCE_WRONG_ACCOUNT', message('ACCOUNT_OF_OTHER', { name: identity.name }));
  return { ...identity, clockSkewMs: client.clockSkewMs };
}

async function askWho(
  client: ApiClient,
  dialect: SurfaceDialect,
  named: string | undefined,
): Promise<Identity> {
  try {
    const answer = await dialect.hello(client);
    if (answer.outcome === 'ok') return answer.value;
    throw coded('SOURCE_CREDENTIALS_REFUSED', message('HELLO_REFUSED', { answer: answer.message }));
  } catch (error) {
    // The worker's grant is nav and cost only; who the account is may then be known from the tenant file alone.
    if (!isCoded(error, 'SOURCE_FORBIDDEN')) throw error;
    return askWithoutScope(client, dialect, named, error);
  }
}

async function askWithoutScope(
  client: ApiClient,
  dialect: SurfaceDialect,
  named: string | undefined,
  forbidden: CodedError,
): Promise<Identity> {
  const answer = await dialect.probe(client);
  if (answer.outcome === 'refused')
    throw coded('SOURCE_CREDENTIALS_REFUSED', message('EVERY_CALL_REFUSED', { answer: answer.message }));
  if (named !== undefined) return { name: '', registrationNo: named, vatNo: '' };
  throw coded('SOURCE_ACCOUNT_UNKNOWN', message('ACCOUNT_NOT_TOLD'), { cause: forbidden });
}
