import type { Fields } from './fields.js';
import type { Arrived } from './wire.js';

export interface Account {
  readonly username: string;
  readonly apiKey: string;
  readonly name: string;
  readonly registrationNo: string;
  readonly vatNo: string;
}

export const ACCOUNT: Account = {
  username: 'second@service.example',
  apiKey: 'key-of-the-second-service',
  name: 'Annar ehf.',
  registrationNo: '5902697199',
  vatNo: '41390',
};

export function readBasic(arrived: Arrived): { username: string; apiKey: string } | null {
  const encoded = /^Basic (.+)$/i.exec(arrived.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { username, apiKey: rest.join(':') };
}

export const isBasicValid = (account: Account, arrived: Arrived): boolean => {
  const basic = readBasic(arrived);
  return basic?.username === account.username && basic.apiKey === account.apiKey;
};

/** "When both are present, the form/query field values take precedence." */
export function isCredentialValid(account: Account, fields: Fields, arrived: Arrived): boolean {
  const username = fields.maybeText('username');
  const apiKey = fields.maybeText('api_key');
  if (username === null && apiKey === null) return isBasicValid(account, arrived);
  return username === account.username && apiKey === account.apiKey;
}
