// Passwords: scrypt with a salt each. The cost stands in the hash, so that it can be raised later without asking anybody
// for a new password.
import { randomBytes, scrypt, timingSafeEqual, createHash } from 'node:crypto';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { Secret } from '../../domain/secret.js';

// So many pieces of work at once, so many waiting, and nobody else.
interface Turns {
  readonly atOnce: number;
  readonly waitingMax: number;
}

/** Resolves with what the work gave, or at once with null when too many wait already. */
function inTurns({ atOnce, waitingMax }: Turns) {
  let working = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    if (working >= atOnce) {
      if (waiting.length >= waitingMax) return null;
      // Whoever ends hands the place over, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else working += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else working -= 1;
    }
  };
}

interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

const COST: Cost = { logN: 15, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 200;

export async function hashPassword(password: Secret): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return ['scrypt', COST.logN, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

export async function passwordFits(password: Secret, stored: string): Promise<boolean> {
  const [, logN = '', r = '', p = '', salt = '', hash = ''] = stored.split('$');
  const wanted = Buffer.from(hash, 'base64');
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const found = await derive(password, Buffer.from(salt, 'base64'), cost);
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}

/** What nobody's password is: checking against it takes as long as against a real one. */
export const NOBODY = `scrypt$15$8$1$${Buffer.alloc(SALT_BYTES).toString('base64')}$${Buffer.alloc(HASH_BYTES).toString('base64')}`;

const MEMORY_MAX = 128 * 1024 * 1024;
/**
 * Each takes 32 MB and one of the four threads that Node reads files and resolves names with: two at once leave the rest of
 * the bridge at work, and a hundred in the queue are ten seconds.
 */
const work = inTurns({ atOnce: 2, waitingMax: 100 });

async function derive(password: Secret, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: MEMORY_MAX };
  const hashed = await work(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.reveal().normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        );
      }),
  );
  if (hashed !== null) return hashed;
  throw coded('SIGN_IN_BUSY', message('SIGN_IN_CROWDED'));
}

/** Length counts for more than signs; the commonest guesses and the login itself are refused. */
export function checkPassword(password: Secret, login: string): void {
  const text = password.reveal();
  const { length } = text;
  if (length < PASSWORD_CHARACTERS_MIN)
    throw coded('PASSWORD_WEAK', message('PASSWORD_SHORT', { least: PASSWORD_CHARACTERS_MIN }));
  if (length > PASSWORD_CHARACTERS_MAX)
    throw coded('PASSWORD_WEAK', message('PASSWORD_LONG', { most: PASSWORD_CHARACTERS_MAX }));
  const plain = text.toLowerCase();
  const few = new Set(plain).size < 5;
  const known = /^(password|lykilorð|qwerty|123456|ledgerbridge)/.test(plain) && length < 20;
  if (few || known || plain.includes(login.toLowerCase()))
    throw coded('PASSWORD_WEAK', message('PASSWORD_GUESSED'));
}

// What is written down instead of a secret, and how a login is written.

/** Session ids and codes are long and random, so a fast hash keeps them as safe as a slow one. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function asLogin(login: string): string {
  return login.trim().normalize('NFC').toLowerCase();
}
