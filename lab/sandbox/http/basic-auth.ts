// HTTP Basic, as both surfaces take it: base64(username:api_key).
import { Buffer } from 'node:buffer';

export interface BasicCredentials {
  readonly username: string;
  readonly apiKey: string;
}

export function readBasic(header: string): BasicCredentials | null {
  if (!/^basic /i.test(header)) return null;
  const text = Buffer.from(header.slice(6), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : { username: text.slice(0, colon), apiKey: text.slice(colon + 1) };
}
