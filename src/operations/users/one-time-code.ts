// Codes of half a minute from a shared secret, by RFC 6238 as every authenticator app makes them: SHA-1, 30 seconds, six
// digits. And recovery codes for the day the phone is gone.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Secret } from '../../domain/secret.js';

const STEP_S = 30;
const DIGITS = 6;
/** As RFC 4226 wants for SHA-1. */
const SECRET_BYTES = 20;
/** Clocks of phones go wrong by some seconds, and people type slowly. */
const STEPS_AROUND = [-1, 0, 1] as const;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RECOVERY_BYTES = 10;
export const RECOVERY_CODES = 10;

export function newCodeSecret(): Secret {
  return new Secret(base32(randomBytes(SECRET_BYTES)));
}

/** Four groups of four; shown once, kept as hashes. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'),
  );
}

/** What an app reads from the picture. */
export function codeAddress(login: string, secret: Secret): string {
  const query = new URLSearchParams({ secret: secret.reveal(), issuer: 'ledgerbridge' });
  return `otpauth://totp/${encodeURIComponent(`ledgerbridge:${login}`)}?${query.toString()}`;
}

export function codeAt(secret: Secret, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret.reveal())).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1_000 / STEP_S);
}

/** The step whose code was written; null: none of those around now. */
export function stepOfCode(secret: Secret, code: string, now: Date): number | null {
  const written = Buffer.from(code);
  const steps = STEPS_AROUND.map((around) => stepAt(now) + around);
  return (
    steps.find((step) => {
      const wanted = Buffer.from(codeAt(secret, step));
      return wanted.length === written.length && timingSafeEqual(wanted, written);
    }) ?? null
  );
}

/** As people type it: with spaces, hyphens and small letters. */
export function plainCode(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toUpperCase();
}

export function isOneTimeCode(plain: string): boolean {
  return /^\d{6}$/.test(plain);
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)] ?? '').join('');
}

function fromBase32(text: string): Buffer {
  const bits = text.replaceAll(/./g, (letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
