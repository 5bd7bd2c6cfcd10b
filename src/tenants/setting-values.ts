// What a setting of the bridge may look like: addresses, keys, numbers, proxies.
import { isIP } from 'node:net';
import * as z from 'zod';
import { Secret } from '../domain/secret.js';
import { trimEndOf } from '../domain/text.js';

const KEY_BYTES = 32;

export const secretUrl = (protocols: readonly string[]) =>
  z
    .string()
    .refine((url) => URL.canParse(url) && protocols.includes(new URL(url).protocol), {
      error: `must be an address that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`,
    })
    .transform((url) => new Secret(url));

export const encryptionKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === KEY_BYTES, {
    error: 'must be 32 bytes in base64; make one with: openssl rand -base64 32',
  })
  .transform((text) => new Secret(text));

export const httpUrl = z
  .string()
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
    error: 'must be an http or https address',
  })
  .transform((url) => trimEndOf(url, '/'));

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be between ${String(min)} and ${String(max)}`,
    });

/** What @fastify/proxy-addr takes; anything else would be found out only when somebody comes. */
export function isProxy(text: string): boolean {
  if (['', 'loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, more] = text.split('/');
  const version = isIP(address);
  const bitsMax = version === 6 ? 128 : 32;
  const bitsFit =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= bitsMax);
  return version !== 0 && bitsFit && more === undefined;
}
