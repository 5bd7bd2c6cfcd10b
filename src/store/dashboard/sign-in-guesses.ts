// Tries at passwords on PostgreSQL. One statement takes a try and locks when they are used up, so that two hundred at once
// are two hundred rows waiting for one lock, not two hundred that read the same number.
import type { GuessedName, TakenTry } from '../../operations/users/user-records.js';
import { appendAudit } from '../audit.js';
import type { Records } from '../database.js';
import type { Db } from '../db.js';
import type { Models } from '../prisma.js';

/** Wrong passwords in a row before the name is locked, and for how long; every further lock doubles. */
export const LOCK = { after: 5, seconds: 60, secondsMax: 3_600 } as const;
/** A name that nobody guessed at for so long begins anew. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

interface GuessRow {
  failed: number;
  locked_until: Date | null;
}

export async function takeTry({ db, models }: Records, name: GuessedName, now: Date): Promise<TakenTry> {
  const forgotten = new Date(now.getTime() - FORGOTTEN_AFTER_MS);
  const [taken] = await db.rows<GuessRow>`
    INSERT INTO sign_in_guess AS guess (name, failed, locked_until, last_at) VALUES (${name}, 1, NULL, ${now})
    ON CONFLICT (name) DO UPDATE SET
      failed = CASE WHEN guess.last_at < ${forgotten} THEN 1 ELSE guess.failed + 1 END,
      last_at = ${now},
      locked_until = CASE WHEN guess.last_at >= ${forgotten} AND (guess.failed + 1) % ${LOCK.after}::int = 0
        THEN ${now}::timestamptz + make_interval(secs => least(
          ${LOCK.seconds}::int * 2 ^ least((guess.failed + 1) / ${LOCK.after}::int - 1, 20), ${LOCK.secondsMax}::int))
        ELSE NULL END
      WHERE guess.locked_until IS NULL OR guess.locked_until <= ${now}
    RETURNING failed, locked_until`;
  if (!taken) return { outcome: 'locked', until: await readLock(models, name, now) };
  if (taken.locked_until !== null) await tellAudit(db, name, taken.failed);
  return { outcome: 'taken', lockedUntil: taken.locked_until };
}

async function readLock(models: Models, name: GuessedName, now: Date): Promise<Date> {
  const row = await (await models()).signInGuess.findUnique({ where: { name } });
  return row?.lockedUntil ?? now;
}

/** Names that nobody has are nobody's business. */
async function tellAudit(db: Db, name: GuessedName, failedSignIns: number): Promise<void> {
  if (name.startsWith('nobody:')) return;
  const login = name.slice(name.indexOf(':') + 1);
  await appendAudit(db, {
    actor: login,
    action: 'user.locked',
    subject: login,
    details: { failedSignIns },
  });
}
